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
}
