/// A type that reads and writes a database.
///
/// ```swift
/// try writer.write { db in try player.insert(db) }
/// ```
public protocol DatabaseWriter: DatabaseReader {
  /// The connection that writes. Public only because a public class conforms.
  var _writer: _WriterConnection { get }

  /// Writes without a transaction, and waits for the result.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a re-entrant access.
  @_disfavoredOverload
  func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T

  /// Writes without a transaction, in a closure that does not throw, and waits for the result.
  @_disfavoredOverload
  func writeWithoutTransaction<T>(_ updates: (Database) -> T) -> T

  /// Writes without a transaction.
  func writeWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T

  /// Writes without a transaction, when no other access is running, and waits for the result.
  @_disfavoredOverload
  func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T

  /// Writes without a transaction, when no other access is running.
  func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T

  /// Writes without a transaction, when no other access is running, later.
  func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Writes without a transaction, later.
  func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

  /// Writes without a transaction, even inside another access.
  @_disfavoredOverload
  func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T

  /// Writes without a transaction, even inside another access, in a closure that does not throw.
  func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T

  /// Reads the last committed state of the database, concurrently with later writes if possible.
  func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
  /// Writes in a transaction, and waits for the result.
  ///
  /// ```swift
  /// // BEGIN IMMEDIATE TRANSACTION … COMMIT TRANSACTION
  /// try dbQueue.write { db in
  ///   try Player(name: "Alice").insert(db)
  /// }
  /// ```
  ///
  /// - Throws: the error of the closure, after a rollback; ``DatabaseError`` when the commit fails,
  ///   and for a re-entrant access.
  @_disfavoredOverload
  public func write<T>(_ updates: (Database) throws -> T) throws -> T {
    try writeWithoutTransaction { db throws -> T in try db.commitResult(of: updates) }
  }

  /// Writes in a transaction. See ``write(_:)-(_)``.
  ///
  /// - Throws: the error of the closure, after a rollback; ``DatabaseError`` when the commit fails;
  ///   `CancellationError` when the task is canceled: nothing is written.
  public func write<T: Sendable>(_ updates: @Sendable (Database) throws -> T) async throws -> T {
    try await writeWithoutTransaction { db throws -> T in try db.commitResult(of: updates) }
  }

  /// Writes in a transaction, later.
  ///
  /// - Parameter updates: The changes, in a transaction.
  /// - Parameter completion: called with the result after the transaction.
  public func asyncWrite<T>(
    _ updates: @escaping @Sendable (Database) throws -> T,
    completion: @escaping @Sendable (Database, Result<T, any Error>) -> Void
  ) {
    asyncWriteWithoutTransaction { db in
      completion(db, Result { try db.commitResult(of: updates) })
    }
  }

  /// Removes all tables, views, and triggers, and waits for the result.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails.
  @_disfavoredOverload
  public func erase() throws {
    try barrierWriteWithoutTransaction { db throws -> Void in try db.erase() }
  }

  /// Removes all tables, views, and triggers.
  public func erase() async throws {
    try await barrierWriteWithoutTransaction { db throws -> Void in try db.erase() }
  }
}
