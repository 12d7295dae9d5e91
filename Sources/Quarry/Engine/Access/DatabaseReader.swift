/// A type that reads a database.
///
/// ```swift
/// let count = try reader.read { db in try Player.fetchCount(db) }
/// ```
public protocol DatabaseReader: AnyObject, Sendable {
  /// The configuration of connections.
  var configuration: Configuration { get }

  /// The path of the database file.
  var path: String { get }

  /// The connections that read. Public only because a public class conforms.
  var _readingSource: _ReadingSource { get }

  /// Closes the connections. Later accesses throw.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still in use.
  func close() throws

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  ///
  /// See <https://www.sqlite.org/c3ref/interrupt.html>.
  func interrupt()

  /// Reads the database in a transaction, and waits for the result.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a write and for a re-entrant access.
  @_disfavoredOverload
  func read<T>(_ value: (Database) throws -> T) throws -> T

  /// Reads the database in a transaction.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a write, `CancellationError` when
  ///   the task is canceled.
  func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

  /// Reads the database in a transaction, later.
  func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Runs database operations outside of a transaction, and waits for them.
  @_disfavoredOverload
  func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T

  /// Runs database operations outside of a transaction.
  func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

  /// Runs database operations outside of a transaction, later.
  func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Runs database operations outside of a transaction, even inside another access.
  func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T
}

extension DatabaseReader {
  /// Reads the database in a transaction, and waits for the result.
  ///
  /// The closure sees the last state that was committed before the read began, and no other one.
  /// All reads of a snapshot see the same state.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a write, for a read inside a read,
  ///   and when a snapshot is lost, since SQLite has ended its transaction after a failure.
  @_disfavoredOverload
  public func read<T>(_ value: (Database) throws -> T) throws -> T {
    let source = _readingSource
    return try source.connections.sync(source.transaction, isUrgent: source.isUrgent, value)
  }

  /// Reads the database in a transaction. See `read(_:)`.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a write, `CancellationError` when
  ///   the task is canceled.
  public func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    let source = _readingSource
    return try await source.connections.run(source.transaction, value)
  }

  /// Reads the database in a transaction, later.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    let source = _readingSource
    // The reader stays open until the function has run.
    source.connections.async(source.transaction) { result in
      withExtendedLifetime(self) { value(result) }
    }
  }

  /// Runs database operations outside of a transaction, and waits for them.
  ///
  /// Each statement sees the last state that was committed before it began.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a re-entrant access, and in a pool
  ///   for a write.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
    let source = _readingSource
    return try source.connections.sync(.none, isUrgent: source.isUrgent, value)
  }

  /// Runs database operations outside of a transaction. See `unsafeRead(_:)`.
  public func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await _readingSource.connections.run(.none, value)
  }

  /// Runs database operations outside of a transaction, later.
  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    _readingSource.connections.async(.none) { result in
      withExtendedLifetime(self) { value(result) }
    }
  }
}

extension DatabaseReader {
  /// Replaces the content of another database with the content of this one.
  ///
  /// The copy is made in one read: in a pool, writes go on meanwhile, and are not in it.
  ///
  /// See `Database.backup(to:pagesPerStep:progress:)`.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` also when both have the same serial
  ///   target queue: see ``Configuration/targetQueue``. As any read, it throws while the connection
  ///   of a ``DatabaseQueue`` is suspended, or in a transaction that
  ///   ``Configuration/allowsUnsafeTransactions`` has left open.
  public func backup(
    to writer: any DatabaseWriter, pagesPerStep: CInt = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    func copy() throws {
      try writer.writeWithoutTransaction { destination throws -> Void in
        try read { source in
          try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
        }
      }
    }
    // Only a queue reads by the connection that a copy to it takes.
    guard let source = _readingSource.connections as? SerialConnection,
      let destination = writer._readingSource.connections as? SerialConnection
    else { return try copy() }
    try BackupDestinations.shared.copy(from: source, to: destination, copy)
  }
}
