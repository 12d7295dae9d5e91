/// A connection that always sees the state of the database at the moment of its creation.
///
/// ```swift
/// let snapshot = try dbPool.makeSnapshot()
/// let before = try snapshot.read { db in try Book.fetchCount(db) }
/// try dbPool.write { db in _ = try Book.deleteAll(db) }
/// let after = try snapshot.read { db in try Book.fetchCount(db) } // == before
/// ```
///
/// Reads run one after the other, in a transaction that is open as long as the snapshot. It ends
/// with the snapshot: closures can't end it. As long as it is open, the write-ahead log grows,
/// since the part that the snapshot may read can't be written over.
///
/// A snapshot may outlive its pool.
public final class DatabaseSnapshot: DatabaseSnapshotReader {
  /// The configuration of the connection.
  public let configuration: Configuration

  /// The path of the database file.
  public let path: String

  // In the order of their release.
  private let connection: SerialConnection
  private let temporaryFile: TemporaryDatabaseFile?

  init(
    file: PoolFile, label: String, configuration: Configuration,
    temporaryFile: TemporaryDatabaseFile?
  ) throws {
    path = file.path
    self.temporaryFile = temporaryFile
    self.configuration = configuration.forSnapshot()
    connection = try SerialConnection(
      path: file.absolutePath, label: label, configuration: self.configuration)
    try connection.setUp { db in try db.beginSnapshot() }
  }

  /// The connection of the snapshot.
  public var _readingSource: _ReadingSource {
    _ReadingSource(connections: connection, transaction: .none)
  }

  /// Closes the connection. Later accesses throw.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when statements are still in use.
  public func close() throws { try connection.close() }

  /// Stops the statement that is running: it throws `SQLITE_INTERRUPT`.
  public func interrupt() { connection.db.interrupt() }

  /// Reads the database in a closure that does not throw, and waits for the result.
  ///
  /// A read inside a read stops the program, since it can't be thrown.
  @_disfavoredOverload
  public func read<T>(_ value: (Database) -> T) -> T { connection.syncWithoutError(value) }

  /// Reads the database in a closure that does not throw. See `read(_:)`.
  @_disfavoredOverload
  public func unsafeRead<T>(_ value: (Database) -> T) -> T { connection.syncWithoutError(value) }

  /// Reads the database, also inside another read of the same snapshot.
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    try connection.reentrantSync(value)
  }
}
