/// A writer whose type is hidden.
///
/// ```swift
/// let writer = AnyDatabaseWriter(dbQueue)
/// try writer.write { db in try book.insert(db) }
/// ```
public final class AnyDatabaseWriter: _ForwardingReader, DatabaseWriter {
  private let base: any DatabaseWriter

  /// The writer that does the work.
  public var _reader: any DatabaseReader { base }

  /// The connection of the writer.
  public var _writer: _WriterConnection { base._writer }

  /// Hides the type of a writer.
  public init(_ base: any DatabaseWriter) {
    self.base = base
  }

  /// Reads the last committed state of the database. See `DatabaseWriter`.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.spawnConcurrentRead(value)
  }

  /// Writes without a transaction, and waits for the result. See `DatabaseWriter`.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.writeWithoutTransaction(updates)
  }

  /// Writes without a transaction, in a closure that does not throw. See `DatabaseWriter`.
  @_disfavoredOverload
  public func writeWithoutTransaction<T>(_ updates: (Database) -> T) -> T {
    base.writeWithoutTransaction(updates)
  }

  /// Writes without a transaction. See `DatabaseWriter`.
  public func writeWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await base.writeWithoutTransaction(updates)
  }

  /// Writes without a transaction, when no other access is running. See `DatabaseWriter`.
  @_disfavoredOverload
  public func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.barrierWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, when no other access is running. See `DatabaseWriter`.
  public func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await base.barrierWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, when no other access is running, later. See `DatabaseWriter`.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.asyncBarrierWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, later. See `DatabaseWriter`.
  public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
    base.asyncWriteWithoutTransaction(updates)
  }

  /// Writes without a transaction, even inside another access. See `DatabaseWriter`.
  @_disfavoredOverload
  public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.unsafeReentrantWrite(updates)
  }

  /// Writes without a transaction, even inside another access, in a closure that does not throw.
  /// See `DatabaseWriter`.
  public func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T {
    base.unsafeReentrantWrite(updates)
  }
}
