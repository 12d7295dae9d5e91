/// A writer whose type is hidden.
///
/// ```swift
/// let writer = AnyDatabaseWriter(dbQueue)
/// try writer.write { db in try player.insert(db) }
/// ```
public final class AnyDatabaseWriter: DatabaseWriter {
  private let base: any DatabaseWriter

  /// Hides the type of a writer.
  public init(_ base: any DatabaseWriter) {
    self.base = base
  }

  /// The configuration of the writer.
  public var configuration: Configuration { base.configuration }

  /// The path of the database file.
  public var path: String { base.path }

  /// Closes the writer. See `DatabaseReader`.
  public func close() throws {
    try base.close()
  }

  /// Stops the statements that are running. See `DatabaseReader`.
  public func interrupt() {
    base.interrupt()
  }
}

// Reading.
extension AnyDatabaseWriter {
  /// Reads the database in a transaction, and waits for the result. See `DatabaseReader`.
  @_disfavoredOverload
  public func read<T>(_ value: (Database) throws -> T) throws -> T {
    try base.read(value)
  }

  /// Reads the database in a transaction. See `DatabaseReader`.
  public func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await base.read(value)
  }

  /// Reads the database in a transaction, later. See `DatabaseReader`.
  public func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.asyncRead(value)
  }

  /// Gives a connection without a transaction, and waits for the result. See `DatabaseReader`.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
    try base.unsafeRead(value)
  }

  /// Gives a connection without a transaction. See `DatabaseReader`.
  public func unsafeRead<T: Sendable>(
    _ value: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await base.unsafeRead(value)
  }

  /// Gives a connection without a transaction, later. See `DatabaseReader`.
  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    base.asyncUnsafeRead(value)
  }

  /// Gives a connection without a transaction, also inside another access. See `DatabaseReader`.
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try base.unsafeReentrantRead(value)
  }

  /// Reads the last committed state of the database. See `DatabaseWriter`.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    base.spawnConcurrentRead(value)
  }
}

// Writing.
extension AnyDatabaseWriter {
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

  /// Writes without a transaction, also inside another access. See `DatabaseWriter`.
  @_disfavoredOverload
  public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) throws -> T {
    try base.unsafeReentrantWrite(updates)
  }

  /// Writes without a transaction, also inside another access, in a closure that does not throw. See `DatabaseWriter`.
  public func unsafeReentrantWrite<T>(_ updates: (Database) -> T) -> T {
    base.unsafeReentrantWrite(updates)
  }
}
