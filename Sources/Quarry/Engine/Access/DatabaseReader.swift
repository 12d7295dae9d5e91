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
  /// Replaces the content of another database with the content of this one.
  ///
  /// See `Database.backup(to:pagesPerStep:progress:)`.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` also when both have the same serial
  ///   target queue: see ``Configuration/targetQueue``.
  public func backup(
    to writer: any DatabaseWriter, pagesPerStep: CInt = -1,
    progress: ((DatabaseBackupProgress) throws -> Void)? = nil
  ) throws {
    try writer.writeWithoutTransaction { destination throws -> Void in
      try unsafeRead { source in
        try source.backup(to: destination, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }
}
