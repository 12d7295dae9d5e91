/// A reader that always sees the same state of the database.
///
/// Its reads run in transactions that stay open between them.
public protocol DatabaseSnapshotReader: DatabaseReader {}

extension DatabaseSnapshotReader {
  /// Reads the database, also inside another read of the same snapshot.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` for a write.
  public func reentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try unsafeReentrantRead(value)
  }

  /// See `read(_:)`: all reads of a snapshot see the same state.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T { try read(value) }

  /// See `read(_:)`: all reads of a snapshot see the same state.
  public func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T {
    try await read(value)
  }

  /// See `asyncRead(_:)`: all reads of a snapshot see the same state.
  public func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void) {
    asyncRead(value)
  }
}
