/// Several connections that always see the same state of the database.
///
/// ```swift
/// let snapshotPool = try dbPool.makeSnapshotPool()
/// let count = try snapshotPool.read { db in try Book.fetchCount(db) }
/// ```
///
/// Like a ``DatabaseSnapshot``, but with concurrent reads. It needs a database in WAL mode, and an
/// SQLite library that was compiled with `SQLITE_ENABLE_SNAPSHOT`, which those of most Linux
/// distributions are not: with others, the initialisers throw.
///
/// See <https://www.sqlite.org/c3ref/snapshot.html>.
public final class DatabaseSnapshotPool: DatabaseSnapshotReader {
  /// The configuration of the connections.
  public let configuration: Configuration

  /// The path of the database file.
  public let path: String

  // In the order of their release.
  private let readers: ReaderPool
  /// The connection that keeps the state from being written over.
  private let holder: SerialConnection
  private let temporaryFile: TemporaryDatabaseFile?

  /// Whether the SQLite library has snapshots.
  public static var isSupported: Bool { WALSnapshot.isSupported }

  /// Takes a snapshot of the state that a connection sees: the last commit, or the state of its
  /// transaction, which must not have written.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_ERROR` where SQLite has no snapshots, when there
  ///   is no write-ahead log, and in a transaction that writes.
  public convenience init(_ db: Database, configuration: Configuration? = nil) throws {
    try self.init(
      db, path: db.path, configuration: configuration ?? db.configuration.forPool(),
      temporaryFile: nil)
  }

  /// Opens a database file, and takes a snapshot of it.
  ///
  /// - Throws: see ``init(_:configuration:)``; ``DatabaseError`` when the file can't be opened.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    var readOnly = configuration
    readOnly.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: readOnly)
    self.init(
      copying: try queue.unsafeRead { db throws in
        try DatabaseSnapshotPool(db, configuration: configuration)
      })
  }

  /// The same connections.
  private init(copying other: DatabaseSnapshotPool) {
    configuration = other.configuration
    path = other.path
    readers = other.readers
    holder = other.holder
    temporaryFile = other.temporaryFile
  }

  init(
    _ db: Database, path: String, configuration: Configuration,
    temporaryFile: TemporaryDatabaseFile?
  ) throws {
    self.configuration = configuration
    self.path = path
    self.temporaryFile = temporaryFile
    let base = configuration.label ?? "Quarry.DatabaseSnapshotPool"
    let openedPath = db.absolutePath
    let open = { @Sendable (number: Int, snapshot: WALSnapshot) throws -> SerialConnection in
      let label = "\(base).snapshot.\(number)"
      let connection = try SerialConnection(
        path: openedPath, label: label, configuration: configuration.forSnapshot())
      try connection.setUp { db in try db.beginSnapshot(snapshot) }
      return connection
    }
    let (snapshot, holder) = try db.takingWALSnapshot { snapshot in
      (snapshot, try open(0, snapshot))
    }
    self.holder = holder
    readers = try ReaderPool(configuration) { number in try open(number, snapshot) }
  }

  /// The connections of the snapshot.
  public var _readingSource: _ReadingSource {
    _ReadingSource(connections: readers, transaction: .none)
  }

  /// Waits for the running reads, and closes the connections. Later accesses throw.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still in use, with
  ///   code `SQLITE_MISUSE` inside a read.
  public func close() throws {
    guard readers.currentReader == nil else { throw DatabaseError.closeInsideAccess }
    guard (try? readers.beginBarrier()) != nil else { return }
    defer { readers.endBarrier() }
    try readers.closeConnections()
    try holder.close()
    readers.becomeClosed()
  }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  public func interrupt() { for reader in readers.connections { reader.db.interrupt() } }

  /// Reads the database, also inside another read of the same snapshots.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` with code `SQLITE_ABORT` when the
  ///   snapshot of the current read is lost.
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    guard let reader = readers.currentReader else { return try read(value) }
    try reader.db.checkSnapshot()
    return try value(reader.db)
  }
}
