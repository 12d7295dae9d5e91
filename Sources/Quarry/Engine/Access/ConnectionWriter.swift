/// The writing methods that a queue and a pool have in common: both write with one connection.
///
/// Public only because a public class conforms to it. Use ``DatabaseWriter``.
public protocol _ConnectionWriter: DatabaseWriter {}

/// The connection that writes.
public struct _WriterConnection: Sendable {
  let connection: SerialConnection
}

extension DatabaseWriter {
  var writer: SerialConnection { _writer.connection }
}

extension _ConnectionWriter {
  /// Writes without a transaction, and waits for the result.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a re-entrant access.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try writer.sync(.none, updates)
  }

  /// Writes without a transaction, in a closure that does not throw, and waits for the result.
  ///
  /// A re-entrant access stops the program, since this method can't throw.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) -> T) -> T {
    writer.syncWithoutError(updates)
  }

  /// Writes without a transaction.
  public func writeWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await writer.run(.none, updates) }

  /// Writes without a transaction, later.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    writer.asyncWithoutError { db in withExtendedLifetime(self) { updates(db) } }
  }

  /// Writes without a transaction, even inside another access to the writing connection.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a closed connection.
  @_disfavoredOverload
  public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T {
    try writer.reentrantSync(updates)
  }

  /// Writes without a transaction, even inside another access to the writing connection, in a
  /// closure that does not throw.
  public func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T {
    writer.reentrantSyncWithoutError(updates)
  }
}
