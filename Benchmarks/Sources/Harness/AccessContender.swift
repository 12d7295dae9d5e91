/// One way to use a database from several threads: by hand, with Quarry, with GRDB.
public protocol AccessContender: Sendable {
  /// Opens a writer, and up to so many readers, on a file with a write-ahead log.
  ///
  /// - Parameter synchronous: how the writer waits for the disk. See
  ///   <https://www.sqlite.org/pragma.html#pragma_synchronous>.
  init(path: String, readers: Int, synchronous: String) throws

  /// Reads one row, in a transaction of its own.
  ///
  /// - Parameter thread: the number of the thread, from zero.
  func readName(_ id: Int64, thread: Int) throws -> String

  /// Changes one row, in a transaction of its own.
  func writeShelf(_ id: Int64) throws

  /// A transaction that reads nothing: it only takes its snapshot.
  func readNothing() throws

  /// A transaction that writes nothing.
  func writeNothing() throws

  /// ``readNothing()`` and ``writeNothing()`` from a task, or nil where that does not exist.
  var tasks: AccessTasks? { get }

  /// The number of rows of a table.
  func count(_ table: String) throws -> Int
}

/// The accesses of tasks.
public struct AccessTasks: Sendable {
  public let readNothing: @Sendable () async throws -> Void
  public let writeNothing: @Sendable () async throws -> Void

  public init(
    readNothing: @escaping @Sendable () async throws -> Void,
    writeNothing: @escaping @Sendable () async throws -> Void
  ) {
    self.readNothing = readNothing
    self.writeNothing = writeNothing
  }
}

/// The file of the accesses.
public enum AccessDataset {
  public static let memberCount: Int64 = 10_000
  public static let tableCount = 200

  public static let schema = [
    "CREATE TABLE member(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE loan(id INTEGER PRIMARY KEY, shelf TEXT NOT NULL, days INTEGER NOT NULL)",
    """
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(memberCount))
    INSERT INTO member SELECT i, 'Member ' || i FROM n
    """,
    "INSERT INTO loan SELECT id, 'A' || id, id % 30 FROM member",
  ]

  /// Tables with an index each.
  public static let manyTables = (1...tableCount).flatMap { number in
    [
      """
      CREATE TABLE table\(number)(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, parentId INTEGER REFERENCES table1(id))
      """,
      "CREATE INDEX table\(number)_on_parentId ON table\(number)(parentId)",
    ]
  }

  /// The id that a thread reads or writes in its nth turn.
  public static func id(_ turn: Int, thread: Int) -> Int64 {
    (Int64(turn) * 7919 + Int64(thread) * 977) % memberCount + 1
  }
}
