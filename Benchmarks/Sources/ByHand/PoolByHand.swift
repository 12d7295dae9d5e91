import CSQLiteBench
public import Harness

/// Accesses through the C API: a connection for each thread that reads, and one to write, with
/// prepared statements.
public struct PoolByHand: AccessContender {
  private let writer: AccessConnection
  private let readers: [AccessConnection]

  public init(path: String, readers count: Int, synchronous: String) throws {
    writer = try AccessConnection(path: path, synchronous: synchronous)
    readers = try (0..<count).map { _ in try AccessConnection(path: path, synchronous: "FULL") }
  }

  public func readName(_ id: Int64, thread: Int) throws -> String {
    try readers[thread].inTransaction(readers[thread].begin) { connection in
      try connection.name(id)
    }
  }

  public func writeShelf(_ id: Int64) throws {
    try writer.inTransaction(writer.beginImmediate) { connection in
      try connection.lend(id)
    }
  }

  public func readNothing() throws {
    try readers[0].inTransaction(readers[0].begin) { connection in
      _ = try connection.run(connection.version)
    }
  }

  public func writeNothing() throws {
    try writer.inTransaction(writer.beginImmediate) { _ in }
  }

  /// A transaction that does not even take its snapshot: less than an access has to do.
  public func beginAndCommit() throws {
    try readers[0].inTransaction(readers[0].begin) { _ in }
  }

  public var tasks: AccessTasks? { nil }

  public func count(_ table: String) throws -> Int {
    try readers[0].count(table)
  }
}

/// One thread at a time uses it.
final class AccessConnection: @unchecked Sendable {
  private let connection: Connection
  let begin: OpaquePointer
  let beginImmediate: OpaquePointer
  let version: OpaquePointer
  private let commit: OpaquePointer
  private let select: OpaquePointer?
  private let update: OpaquePointer?

  init(path: String, synchronous: String) throws {
    connection = try Connection(path: path)
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous)")
    let handle = connection.handle
    // A reader that finds the index of the log half written takes the lock of writers for an
    // instant.
    sqlite3_busy_timeout(handle, 1_000)
    func prepare(_ sql: String) -> OpaquePointer? {
      var statement: OpaquePointer?
      sqlite3_prepare_v3(
        handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      return statement
    }
    guard let begin = prepare("BEGIN"), let beginImmediate = prepare("BEGIN IMMEDIATE"),
      let version = prepare("PRAGMA schema_version"), let commit = prepare("COMMIT")
    else { throw connection.failure() }
    self.begin = begin
    self.beginImmediate = beginImmediate
    self.version = version
    self.commit = commit
    // A file of other tables has neither.
    select = prepare("SELECT id, name FROM member WHERE id = ?")
    update = prepare("UPDATE loan SET days = days + 1 WHERE id = ?")
  }

  deinit {
    for statement in [begin, beginImmediate, version, commit, select, update] {
      sqlite3_finalize(statement)
    }
  }

  func inTransaction<T>(
    _ beginning: OpaquePointer, _ body: (AccessConnection) throws -> T
  ) throws -> T {
    _ = try run(beginning)
    let result = try body(self)
    _ = try run(commit)
    return result
  }

  /// Steps once, and returns whether there was a row.
  func run(_ statement: OpaquePointer) throws -> Bool {
    defer { sqlite3_reset(statement) }
    return try connection.step(statement)
  }

  func name(_ id: Int64) throws -> String {
    guard let select else { throw connection.failure() }
    sqlite3_bind_int64(select, 1, id)
    defer { sqlite3_reset(select) }
    guard try connection.step(select), let text = sqlite3_column_text(select, 1) else { return "" }
    return String(cString: text)
  }

  func lend(_ id: Int64) throws {
    guard let update else { throw connection.failure() }
    sqlite3_bind_int64(update, 1, id)
    _ = try run(update)
  }

  func count(_ table: String) throws -> Int {
    try connection.withStatement("SELECT COUNT(*) FROM \(table)") { statement in
      _ = try connection.step(statement)
      return Int(sqlite3_column_int64(statement, 0))
    }
  }
}

/// Makes a file with tables and rows.
public func makeAccessFile(path: String, _ statements: [String]) throws {
  let connection = try Connection(path: path)
  try connection.execute("PRAGMA journal_mode = WAL; BEGIN")
  for sql in statements { try connection.execute(sql) }
  try connection.execute("COMMIT")
}
