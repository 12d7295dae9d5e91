public import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Accesses as a program on a toolkit makes them. See ``Toolkit``.
public struct PoolToolkit: AccessContender {
  private let pool: DatabasePool

  private struct Reader: Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "member"
    var id: Int64
    var name: String
  }

  public init(path: String, readers: Int, synchronous: String) throws {
    var configuration = Configuration()
    configuration.maximumReaderCount = readers
    // A reader that finds the index of the log half written takes the lock of writers for an
    // instant.
    configuration.busyMode = .timeout(1)
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
    }
  }

  public func readName(_ id: Int64, thread: Int) throws -> String {
    try pool.read { db in try Reader.fetchOne(db, key: id)?.name ?? "" }
  }

  public func writeShelf(_ id: Int64) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE loan SET days = days + 1 WHERE id = ?")
      try statement.execute(arguments: [id])
    }
  }

  public func readNothing() throws { try pool.read { _ in } }

  public func writeNothing() throws { try pool.write { _ in } }

  public var tasks: AccessTasks? {
    AccessTasks(
      readNothing: { try await pool.read { _ in } },
      writeNothing: { try await pool.write { _ in } })
  }

  public func count(_ table: String) throws -> Int {
    try pool.read { db in try Table(table).fetchCount(db) }
  }
}
