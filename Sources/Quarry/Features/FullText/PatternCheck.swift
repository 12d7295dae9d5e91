import CSQLite

/// Asks SQLite whether it understands a pattern: by a search in an empty table, on a connection in
/// memory that all patterns share.
@safe final class PatternCheck {
  static let shared = Locked(PatternCheck())

  private var connection: SQLiteConnection?
  private var fts3Search: SQLiteStatement?
  private var fts5Search: SQLiteStatement?
  /// The table of the last FTS5 pattern, which is used again for patterns with the same columns.
  private var fts5Table: (name: String, columns: [String])?

  private init() {}

  /// - Throws: ``DatabaseError``, without SQL.
  func check(fts3 pattern: String) throws {
    if unsafe fts3Search == nil {
      try execute("CREATE VIRTUAL TABLE document3 USING fts3(content)")
      unsafe fts3Search = try unsafe prepare("SELECT 1 FROM document3 WHERE document3 MATCH ?")
    }
    try unsafe search(pattern, fts3Search)
  }

  /// - Throws: ``DatabaseError``, without SQL.
  func check(fts5 pattern: String, columns: [String]) throws {
    if !(fts5Table?.columns).hasSameTexts(as: columns) { try makeFTS5Table(columns) }
    try unsafe search(pattern, fts5Search)
  }

  private func makeFTS5Table(_ columns: [String]) throws {
    if let fts5Table {
      unsafe sqlite3_finalize(fts5Search)
      unsafe fts5Search = nil
      self.fts5Table = nil
      try execute("DROP TABLE \(fts5Table.name)")
    }
    // FTS5 refuses a column with the name of the table.
    var name = "document"
    while columns.contains(where: { $0.isSameIdentifier(as: name) }) { name += "_" }
    // A table needs a column. No pattern has this name.
    let names =
      columns.isEmpty
      ? "\u{10FFFF}" : columns.map(\.plainOrQuotedIdentifier).joined(separator: ", ")
    try execute("CREATE VIRTUAL TABLE \(name) USING fts5(\(names))")
    fts5Table = (name, columns)
    unsafe fts5Search = try unsafe prepare("SELECT 1 FROM \(name) WHERE \(name) MATCH ?")
  }
}

extension PatternCheck {
  private func search(_ pattern: String, _ statement: SQLiteStatement?) throws {
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    var pattern = pattern
    let code = pattern.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe quarry_bind_text_copy(statement, 1, $0.baseAddress ?? Self.noText, UInt64($0.count))
      }
    }
    guard code == SQLITE_OK else { throw error(code) }
    let result = unsafe sqlite3_step(statement)
    guard result == SQLITE_DONE || result == SQLITE_ROW else { throw error(result) }
  }

  /// A null pointer would be NULL instead of an empty text.
  private static var noText: UnsafePointer<CChar>? { unsafe UnsafePointer(bitPattern: 1) }

  private func prepare(_ sql: String) throws -> SQLiteStatement? {
    var statement: SQLiteStatement?
    let code = unsafe sqlite3_prepare_v2(try open(), sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw error(code) }
    return unsafe statement
  }

  private func execute(_ sql: String) throws {
    let statement = try unsafe prepare(sql)
    defer { unsafe sqlite3_finalize(statement) }
    let code = unsafe sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw error(code) }
  }

  private func open() throws -> SQLiteConnection? {
    if let connection = unsafe connection { return unsafe connection }
    let code = unsafe sqlite3_open_v2(
      ":memory:", &connection,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      defer {
        unsafe sqlite3_close_v2(connection)
        unsafe connection = nil
      }
      throw error(code)
    }
    return unsafe connection
  }

  private func error(_ code: CInt) -> DatabaseError {
    unsafe DatabaseError(
      resultCode: ResultCode(rawValue: code), message: DatabaseError.message(of: connection))
  }
}
