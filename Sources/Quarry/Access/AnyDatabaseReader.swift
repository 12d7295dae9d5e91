/// A reader whose type is hidden.
///
/// ```swift
/// let reader = AnyDatabaseReader(dbQueue)
/// let count = try reader.read { db in try Player.fetchCount(db) }
/// ```
public final class AnyDatabaseReader: DatabaseReader {
  private let base: any DatabaseReader

  /// Hides the type of a reader.
  public init(_ base: any DatabaseReader) {
    self.base = base
  }

  /// The configuration of the reader.
  public var configuration: Configuration { base.configuration }

  /// The path of the database file.
  public var path: String { base.path }

  /// Closes the reader. See `DatabaseReader`.
  public func close() throws {
    try base.close()
  }

  /// Stops the statements that are running. See `DatabaseReader`.
  public func interrupt() {
    base.interrupt()
  }

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
}
