/// A database with one connection: accesses run one after the other.
///
/// ```swift
/// let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite")
/// try dbQueue.write { db in
///   try db.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT)")
/// }
/// let count = try dbQueue.read { db in
///   try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM player")
/// }
/// ```
public final class DatabaseQueue: _ConnectionWriter {
  private let connection: SerialConnection

  /// The configuration of the connection.
  public let configuration: Configuration

  /// The path of the database file, `:memory:` for a database in memory.
  public let path: String

  /// Opens the database file, and creates it if it does not exist.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be opened, or is not a database.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    self.path = path
    var ownConfiguration = configuration
    ownConfiguration.maximumReaderCount = 1
    self.configuration = ownConfiguration
    connection = try SerialConnection(
      path: path, label: configuration.label ?? "Quarry.DatabaseQueue",
      configuration: configuration)
  }

  /// Opens a database in memory.
  ///
  /// - Parameter name: queues with the same name share their database. Without name, the database
  ///   is private.
  /// - Parameter configuration: The configuration of the connection.
  ///
  /// See <https://www.sqlite.org/inmemorydb.html>.
  public convenience init(
    named name: String? = nil, configuration: Configuration = Configuration()
  ) throws {
    let path = name.map(FilePath.databaseInMemory) ?? ":memory:"
    try self.init(path: path, configuration: configuration)
  }

  /// Frees as much memory as possible.
  public func releaseMemory() { connection.syncWithoutError { db in db.releaseMemory() } }

  /// Closes the connection. Later accesses throw.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still in use.
  public func close() throws { try connection.close() }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`, and so do the cursors in
  /// the middle of their rows, and the streams of blobs.
  public func interrupt() { connection.db.interrupt() }
}

// Reading.
extension DatabaseQueue {
  /// The connection, which also reads.
  public var _readingSource: _ReadingSource {
    _ReadingSource(connections: connection, transaction: .reading)
  }

  /// Runs database operations that don't throw outside of a transaction, and waits for them.
  ///
  /// A re-entrant access stops the program, since this method can't throw.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) -> T) -> T { connection.syncWithoutError(value) }

  /// Runs database operations outside of a transaction, even inside another access.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a closed connection.
  @_disfavoredOverload
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try connection.reentrantSync(value)
  }

  /// Runs database operations that don't throw outside of a transaction, even inside another
  /// access.
  public func unsafeReentrantRead<T>(_ value: (Database) -> T) -> T {
    connection.reentrantSyncWithoutError(value)
  }

  /// Reads the last committed state of the database: immediately, on a queue.
  ///
  /// - precondition: It is called in an access that writes. Inside a transaction, the function gets
  ///   an error.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    precondition(connection.isInsideAccess, "Database was not used on the correct thread.")
    guard !connection.db.isInsideTransaction else {
      return value(.failure(DatabaseError.misuse("must not be called from inside a transaction.")))
    }
    connection.offer(.reading, isNested: true, value)
  }
}

// Writing.
extension DatabaseQueue {
  /// The connection that writes.
  public var _writer: _WriterConnection { _WriterConnection(connection: connection) }

  /// See `DatabaseWriter`: a queue runs one access at a time.
  @_disfavoredOverload
  public func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try connection.sync(.none, updates)
  }

  /// See `DatabaseWriter`: a queue runs one access at a time.
  public func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await connection.run(.none, updates) }

  /// See `DatabaseWriter`: a queue runs one access at a time.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) { connection.async(.none, updates) }

  /// Runs database operations outside of a transaction, and waits for them.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a re-entrant access.
  @_disfavoredOverload
  public func inDatabase<T>(_ updates: (Database) throws -> T) throws -> T {
    try connection.sync(.none, updates)
  }

  /// Runs database operations that don't throw outside of a transaction, and waits for them.
  ///
  /// A re-entrant access stops the program, since this method can't throw.
  public func inDatabase<T>(_ updates: (Database) -> T) -> T {
    connection.syncWithoutError(updates)
  }

  /// Runs a transaction, and waits for its end.
  ///
  /// ```swift
  /// try dbQueue.inTransaction { db in
  ///   try db.execute(sql: "DELETE FROM player")
  ///   return .rollback
  /// }
  /// ```
  ///
  /// - Throws: the error of the closure, after a rollback; ``DatabaseError`` when the commit fails.
  public func inTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws { try connection.sync { db in try db.inTransaction(kind) { try updates(db) } } }
}

// Copies.
extension DatabaseQueue {
  /// Copies a database file into memory.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be read.
  public static func inMemoryCopy(
    fromPath path: String, configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try copy(fromPath: path, to: ":memory:", configuration: configuration)
  }

  /// Copies a database file into a temporary file, which disappears with the queue.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be read.
  public static func temporaryCopy(
    fromPath path: String, configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue { try copy(fromPath: path, to: "", configuration: configuration) }

  private static func copy(
    fromPath path: String, to copyPath: String, configuration: Configuration
  ) throws -> DatabaseQueue {
    var sourceConfiguration = configuration.withoutTarget
    sourceConfiguration.readonly = true
    let source = try DatabaseQueue(path: path, configuration: sourceConfiguration)
    var copyConfiguration = configuration
    copyConfiguration.readonly = false
    let copy = try DatabaseQueue(path: copyPath, configuration: copyConfiguration)
    try copy.connection.setUp { destination in
      try source.unsafeRead { db in try db.backup(to: destination) }
      if configuration.readonly { destination.beginReadOnly() }
    }
    return copy
  }
}
