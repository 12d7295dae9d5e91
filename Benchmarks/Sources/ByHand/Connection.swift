import CSQLiteBench

/// What SQLite said when a call failed.
struct SQLiteFailure: Error, CustomStringConvertible {
  let description: String
}

/// A connection to the shared database, as close to the C API as it gets.
final class Connection {
  let handle: OpaquePointer

  /// Opened without mutexes, since one thread uses it at a time: so do the toolkits.
  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw SQLiteFailure(description: "can't open \(path)")
    }
    self.handle = handle
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// A prepared statement, finalised when `body` returns.
  func withStatement<Result>(
    _ sql: String, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    defer { sqlite3_finalize(statement) }
    return try body(statement)
  }

  /// An array with what `body` makes of each row of a query.
  @inline(__always)
  func rows<Element>(
    _ sql: String, _ body: (OpaquePointer) -> Element
  ) throws -> [Element] {
    try withStatement(sql) { statement in
      var elements: [Element] = []
      while try step(statement) {
        elements.append(body(statement))
      }
      return elements
    }
  }

  /// Whether there is a row.
  @inline(__always)
  func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }

  /// Reads and writes in one transaction, as the toolkits do.
  func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    let result = try body()
    try execute("COMMIT")
    return result
  }

  func failure() -> SQLiteFailure {
    SQLiteFailure(description: String(cString: sqlite3_errmsg(handle)))
  }
}
