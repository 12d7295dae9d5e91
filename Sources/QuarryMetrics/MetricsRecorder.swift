public import Quarry

/// Counts what the connections of a database do.
///
/// ```swift
/// let recorder = MetricsRecorder(slowerThan: .milliseconds(100)) { print($0) }
/// var configuration = Configuration()
/// configuration.record(in: recorder)
/// let dbPool = try DatabasePool(path: "/path/to/library.sqlite", configuration: configuration)
/// // And later
/// print(recorder.metrics.reads.waiting.percentile(99))
/// ```
///
/// Several databases may share a recorder. A connection that is recorded reads clocks, and counters
/// of SQLite after each statement: see the manual for what this costs.
public final class MetricsRecorder: Sendable {
  private let counters = Locked(Metrics())
  private let limit: Duration?
  private let report: @Sendable (SlowStatement) -> Void

  /// Creates a recorder.
  ///
  /// - parameters:
  ///   - limit: Statements that run longer are reported, once each execution. Nil: none is.
  ///   - report: Is called at the end of the access, on its thread, which waits for it: before the
  ///     access returns to its caller. It must not use the database.
  public init(
    slowerThan limit: Duration? = nil,
    report: @escaping @Sendable (SlowStatement) -> Void = { _ in }
  ) {
    self.limit = limit
    self.report = report
  }

  /// The counters at this moment. Those of an access are added at its end, and those of the opening
  /// of a connection with its first access.
  public var metrics: Metrics { counters.withLock { $0 } }

  /// The counters again and again, as differences from the time before.
  ///
  /// ```swift
  /// for await metrics in recorder.values(every: .seconds(10)) {
  ///   print(metrics.reads.count, metrics.writes.count)
  /// }
  /// ```
  ///
  /// A loop that takes longer than the interval gets one difference for the whole time. The
  /// sequence ends when its task is canceled.
  public func values(every interval: Duration) -> AsyncStream<Metrics> {
    let last = Locked(metrics)
    return AsyncStream { [self] in
      guard (try? await Task.sleep(for: interval)) != nil else { return nil }
      let metrics = self.metrics
      return last.withLock { last in
        defer { last = metrics }
        return metrics - last
      }
    }
  }
}

extension Configuration {
  /// Records the accesses and statements of each connection in a recorder, which replaces an
  /// earlier one.
  ///
  /// ```swift
  /// configuration.record(in: recorder)
  /// ```
  public mutating func record(in recorder: MetricsRecorder) {
    makeAccessObserver = { ConnectionMetrics(recorder: recorder) }
  }
}

extension MetricsRecorder {
  func add(_ access: FinishedAccess, _ statements: Metrics.Statements, _ pages: Metrics.PageCache) {
    counters.withLock { metrics in
      if access.isRead { metrics.reads.add(access) } else { metrics.writes.add(access) }
      metrics.statements.add(statements)
      metrics.pageCache.add(pages)
    }
  }

  func isSlow(_ duration: Duration) -> Bool { limit.map { duration > $0 } ?? false }

  func reportSlow(_ statement: SlowStatement) { report(statement) }
}
