/// Asks SQLite whether it understands a pattern: by a search in an empty table, in a database in
/// memory that all patterns share.
struct PatternCheck {
  private typealias SearchedTable = (name: String, columns: [String])

  static let shared = Locked(PatternCheck())

  private var database: DatabaseQueue?
  /// The table of the last FTS5 pattern, which is used again for patterns with the same columns.
  private var fts5Table: SearchedTable?

  private init() {}

  /// - Throws: ``DatabaseError``, without SQL.
  mutating func check(fts3 pattern: String) throws {
    try search(pattern) { db, _ in
      if try !db.tableExists("document3") {
        try db.execute(sql: "CREATE VIRTUAL TABLE document3 USING fts3(content)")
      }
      return "document3"
    }
  }

  /// - Throws: ``DatabaseError``, without SQL.
  mutating func check(fts5 pattern: String, columns: [String]) throws {
    try search(pattern) { db, table in
      if let table, table.columns.hasSameTexts(as: columns) { return table.name }
      if let old = table.take() { try db.execute(sql: "DROP TABLE \(old.name)") }
      // FTS5 refuses a column with the name of the table.
      var name = "document"
      while columns.contains(where: { $0.isSameIdentifier(as: name) }) { name += "_" }
      // A table needs a column. No pattern has this name.
      let names = columns.isEmpty ? ["\u{10FFFF}"] : columns.map(\.plainOrQuotedIdentifier)
      let list = names.joined(separator: ", ")
      try db.execute(sql: "CREATE VIRTUAL TABLE \(name) USING fts5(\(list))")
      table = (name, columns)
      return name
    }
  }

  private mutating func search(
    _ pattern: String, _ makeTable: (Database, inout SearchedTable?) throws -> String
  ) throws {
    do {
      let database = try database ?? DatabaseQueue()
      self.database = database
      try database.writeWithoutTransaction { db throws -> Void in
        let table = try makeTable(db, &fts5Table)
        let sql = "SELECT 1 FROM \(table) WHERE \(table) MATCH ?"
        _ = try Row.fetchOne(db, sql: sql, arguments: [pattern])
      }
    } catch let error as DatabaseError {
      throw DatabaseError(resultCode: error.extendedResultCode, message: error.message)
    }
  }
}
