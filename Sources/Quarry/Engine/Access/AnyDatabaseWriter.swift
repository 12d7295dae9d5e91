/// A writer whose type is hidden.
///
/// ```swift
/// let writer = AnyDatabaseWriter(dbQueue)
/// try writer.write { db in try book.insert(db) }
/// ```
public final class AnyDatabaseWriter: _ForwardingWriter {
  /// The writer that does the work.
  public let _base: any DatabaseWriter

  /// Hides the type of a writer.
  public init(_ base: any DatabaseWriter) { _base = base }
}

/// A writer that forwards to another one.
///
/// Public only because a public class conforms to it. Use ``DatabaseWriter``.
public protocol _ForwardingWriter: _ForwardingReader, DatabaseWriter {
  /// The writer that does the work.
  var _base: any DatabaseWriter { get }
}

extension _ForwardingWriter {
  /// The writer that does the work.
  public var _reader: any DatabaseReader { _base }

  /// The connection of the writer.
  public var _writer: _WriterConnection { _base._writer }

  /// Reads the last committed state of the database. See `DatabaseWriter`.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) { _base.spawnConcurrentRead(value) }

  /// Writes without a transaction, and waits for the result. See `DatabaseWriter`.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try _base.writeWithoutTransaction(updates)
  }

  /// Writes without a transaction, in a closure that does not throw. See `DatabaseWriter`.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) -> T) -> T {
    _base.writeWithoutTransaction(updates)
  }

  /// Writes without a transaction. See `DatabaseWriter`.
  public func writeWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await _base.writeWithoutTransaction(updates) }

  /// Writes without a transaction, when no other access is running. See `DatabaseWriter`.
  @_disfavoredOverload
  public func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try _base.barrierWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, when no other access is running. See `DatabaseWriter`.
  public func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await _base.barrierWriteWithoutTransaction(updates) }

  /// Writes without a transaction, when no other access is running, later. See `DatabaseWriter`.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) { _base.asyncBarrierWriteWithoutTransaction(updates) }

  /// Writes without a transaction, later. See `DatabaseWriter`.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    _base.asyncWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, even inside another access. See `DatabaseWriter`.
  @_disfavoredOverload
  public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T {
    try _base.unsafeReentrantWrite(updates)
  }

  /// Writes without a transaction, even inside another access, in a closure that does not throw.
  /// See `DatabaseWriter`.
  public func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T {
    _base.unsafeReentrantWrite(updates)
  }
}
