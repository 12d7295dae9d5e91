/// The counters of a ``MetricsRecorder``, since its creation, or between two moments.
///
/// ```swift
/// let before = recorder.metrics
/// try importBooks(dbPool)
/// let difference = recorder.metrics - before
/// print(difference.writes.running.total, difference.pageCache.misses)
/// ```
public struct Metrics: Hashable, Sendable, Codable {
  /// Accesses, and what they wait for.
  public struct Accesses: Hashable, Sendable, Codable {
    /// The number of accesses that ended with an error.
    public var failureCount = 0
    /// From the call of an access to its beginning: it waits for its connection.
    public var waiting = Durations()
    /// From the beginning to the end, with the transaction.
    public var running = Durations()

    /// The number of accesses.
    public var count: Int { running.count }
  }

  /// Statements that were executed.
  ///
  /// The counters are those of SQLite: <https://www.sqlite.org/c3ref/c_stmtstatus_counter.html>.
  public struct Statements: Hashable, Sendable, Codable {
    /// How long they ran. What the program does between two rows is a part of it.
    public var running = Durations()
    /// The number of statements that SQLite compiled: the others were prepared before.
    public var compiledCount = 0
    /// The number of requests whose SQL was generated: that of the others was known.
    public var plannedCount = 0
    /// The number of rows that scans of whole tables moved to.
    public var scannedRowCount = 0
    /// The number of sorts.
    public var sortCount = 0
    /// The number of rows in indexes that were made for one statement.
    public var automaticIndexRowCount = 0
    /// The number of instructions of SQLite's virtual machine.
    public var instructionCount = 0

    /// The number of statements.
    public var count: Int { running.count }
  }

  /// The pages that connections read and wrote.
  ///
  /// See <https://www.sqlite.org/c3ref/c_dbstatus_options.html>.
  public struct PageCache: Hashable, Sendable, Codable {
    /// The number of pages that were found in the cache.
    public var hits = 0
    /// The number of pages that were read from the file.
    public var misses = 0
    /// The number of pages that were written.
    public var writes = 0
    /// The number of pages that were written in the middle of a transaction, as the cache was full.
    public var spills = 0
  }

  /// Accesses that only read: those of `read`, and of connections that can't write.
  public var reads = Accesses()
  /// All other accesses.
  public var writes = Accesses()
  /// The statements of all accesses.
  public var statements = Statements()
  /// The pages of all accesses.
  public var pageCache = PageCache()

  /// Creates counters at zero.
  public init() {}

  /// What was counted after an earlier moment.
  ///
  /// ``Durations/longest`` can't be subtracted: it is rounded up, see there.
  public static func - (later: Metrics, earlier: Metrics) -> Metrics {
    var difference = later
    difference.reads.subtract(earlier.reads)
    difference.writes.subtract(earlier.writes)
    difference.statements.subtract(earlier.statements)
    for path in PageCache.counters {
      difference.pageCache[keyPath: path] -= earlier.pageCache[keyPath: path]
    }
    return difference
  }
}

extension Metrics.Accesses {
  fileprivate mutating func subtract(_ earlier: Self) {
    failureCount -= earlier.failureCount
    waiting.subtract(earlier.waiting)
    running.subtract(earlier.running)
  }
}

extension Metrics.Statements {
  fileprivate mutating func subtract(_ earlier: Self) {
    running.subtract(earlier.running)
    for path in Self.counters { self[keyPath: path] -= earlier[keyPath: path] }
  }

  static var counters: [WritableKeyPath<Self, Int>] {
    [
      \.compiledCount, \.plannedCount, \.scannedRowCount, \.sortCount,
      \.automaticIndexRowCount, \.instructionCount,
    ]
  }
}

extension Metrics.PageCache {
  static var counters: [WritableKeyPath<Self, Int>] { [\.hits, \.misses, \.writes, \.spills] }
}
