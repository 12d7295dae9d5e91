import Quarry

/// A table, and the table of its history.
struct HistoryTable {
  let schema: String
  let table: String
  /// The columns of the table, generated ones included.
  let columns: [HistoryColumn]
  let key: [String]

  var history: String { table + "_history" }

  /// The columns of the history that are not those of the table.
  static let ownColumns = ["historyId", "historyOperation", "historyDate"]

  /// - Throws: `DatabaseError` for a table that can't have a history.
  init(_ name: String, _ db: Database) throws {
    (schema, table) = try Self.place(of: name, db)
    let rows = try Row.fetchAll(
      db,
      sql: "PRAGMA \(schema.quotedDatabaseIdentifier).table_xinfo(\(table.quotedDatabaseText))")
    let id = DatabaseObjectID(name: table, schemaID: .attached(schema))
    let hasAny = rows.contains { "ANY".isSameIdentifier(as: $0["type"]) }
    let isStrict = try hasAny && db.isStrict(table, in: schema)
    columns = try rows.map { row in try HistoryColumn(row, of: id, isStrict: isStrict, db) }
    let keyRows: [(position: Int, name: String)] = rows.map { row in (row["pk"], row["name"]) }
    key = keyRows.filter { $0.position > 0 }.sorted { $0.position < $1.position }.map(\.name)
    guard !key.isEmpty else {
      throw Self.error(table, "it has no primary key, so that its rows have no lasting identity")
    }
    let taken = columns.first { column in
      Self.ownColumns.contains { $0.isSameIdentifier(as: column.name) }
    }
    if let taken { throw Self.error(table, "a history has a column \(taken.name) of its own") }
  }

  static func error(_ table: String, _ reason: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "no history of \(table.quotedDatabaseIdentifier): \(reason)")
  }

  /// The schema of a table, as SQLite looks for it, and its name there.
  private static func place(of name: String, _ db: Database) throws -> (String, String) {
    let schemas = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq")
    for schema in schemas {
      if let table = try existing(name, in: schema, db) { return (schema, table) }
    }
    if let dot = name.firstIndex(of: ".") {
      let schema = String(name[..<dot])
      let known = schemas.first { $0.isSameIdentifier(as: schema) }
      if let known,
        let table = try existing(String(name[name.index(after: dot)...]), in: known, db)
      {
        return (known, table)
      }
    }
    // Throws, with the name that was meant.
    _ = try db.columns(in: name)
    throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such table: \(name)")
  }

  private static func existing(
    _ name: String, in schema: String, _ db: Database
  ) throws -> String? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT name, type, sql LIKE 'CREATE VIRTUAL%' FROM \(schema.quotedDatabaseIdentifier).sqlite_master
        WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE
        """, arguments: [name])
    guard let row else { return nil }
    if row["type"] == "view" || row[2] == true {
      throw error(name, "SQLite has no such triggers on views and virtual tables")
    }
    return row["name"]
  }
}

/// A column of a table, whose values its history stores as they are.
struct HistoryColumn {
  private let info: ColumnInfo
  /// The collation, unless it is `BINARY`.
  let collation: String?
  /// The type that the history needs: `ANY` converts texts, but in strict tables.
  let type: String

  var name: String { info.name }
  var isNotNull: Bool { info.isNotNull }

  init(_ row: Row, of table: DatabaseObjectID, isStrict: Bool, _ db: Database) throws {
    let info = ColumnInfo(row: row)
    let isAny = isStrict && info.type.isSameIdentifier(as: "ANY")
    let collation = try db.collation(ofColumn: info.name, in: table)
    let isBinary = collation?.isSameIdentifier(as: "BINARY") == true
    self.info = info
    self.collation = isBinary ? nil : collation
    type = isAny ? "BLOB" : info.type
  }

  var definition: String {
    let collation = collation.map { " COLLATE \($0.quotedDatabaseIdentifier)" } ?? ""
    let type = type.isEmpty ? "" : " " + type.plainOrQuotedType
    return "\(name.quotedDatabaseIdentifier)\(type)\(collation)"
  }

  /// The comparison with a value, as in the table: the history may be older than its collations.
  func equals(_ value: any DatabaseValueConvertible & Sendable) -> SQLExpression {
    let column = Column(name)
    guard let collation else { return column == value }
    return column.compared(by: collation) == value
  }

  /// Whether a column of the history stores the values as they are.
  func isKept(by column: ColumnInfo) -> Bool {
    let affinity: ColumnInfo.Affinity = type == info.type ? info.affinity : .none
    return affinity == column.affinity && info.isReal == column.isReal
  }
}

extension ColumnInfo {
  /// Whether integers are stored as doubles, which lose digits.
  ///
  /// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  fileprivate var isReal: Bool {
    let type = type.uppercased()
    return affinity == .numeric && !type.contains("INT")
      && ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
  }
}

// The SQL of the history.
extension HistoryTable {
  func qualified(_ name: String) -> String {
    "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }

  var creation: [String] {
    let definitions = columns.map(\.definition)
    return [
      """
      CREATE TABLE \(qualified(history)) (\(definitions.joined(separator: ", ")), \
      "historyId" INTEGER PRIMARY KEY, "historyOperation" TEXT NOT NULL, "historyDate" TEXT NOT NULL)
      """, indexCreation,
    ]
  }

  private var index: String { history + "_key" }

  private var indexCreation: String {
    """
    CREATE INDEX \(qualified(index)) ON \(history.quotedDatabaseIdentifier) \
    (\(key.quotedDatabaseIdentifiers))
    """
  }

  /// The entries of the rows that the table has already.
  var snapshot: String {
    insertion(into: qualified(history), of: nil, "snapshot")
      + " FROM \(qualified(table)) ORDER BY \(key.quotedDatabaseIdentifiers)"
  }

  func insertion(into history: String, of row: String?, _ operation: String) -> String {
    let names = columns.map(\.name)
    let values = names.map { name in (row.map { $0 + "." } ?? "") + name.quotedDatabaseIdentifier }
    return """
      INSERT INTO \(history) (\(names.quotedDatabaseIdentifiers), "historyOperation", "historyDate") \
      SELECT \(values.joined(separator: ", ")), '\(operation)', \
      strftime('%Y-%m-%d %H:%M:%f', 'now')
      """
  }
}

// What the database has of the history.
extension HistoryTable {
  /// - Throws: `DatabaseError` for another table that has the name of the history.
  private func exists(_ db: Database) throws -> Bool {
    let known = try historyColumns(db)
    if known.isEmpty { return false }
    let missing = Self.ownColumns.first { column in
      !known.contains { $0.isSameIdentifier(as: column) }
    }
    guard let missing else { return true }
    throw Self.error(
      table,
      "table \(history.quotedDatabaseIdentifier), which has its name, is no history, since it has no "
        + "column \(missing.quotedDatabaseIdentifier): rename that table")
  }

  func historyColumns(_ db: Database) throws -> [String] { try historyInfos(db).map(\.name) }

  private func historyInfos(_ db: Database) throws -> [ColumnInfo] {
    let schema = schema.quotedDatabaseIdentifier
    return try Row.fetchAll(
      db, sql: "PRAGMA \(schema).table_xinfo(\(history.quotedDatabaseText))"
    ).map { ColumnInfo(row: $0) }
  }

  func missingColumns(_ db: Database) throws -> [HistoryColumn] {
    let known = try historyColumns(db)
    return columns.filter { column in !known.contains { $0.isSameIdentifier(as: column.name) } }
  }

  /// - Throws: `DatabaseError` if the table has no history.
  func requireHistory(_ db: Database) throws {
    guard try !exists(db) else { return }
    throw Self.error(
      table, "table \(history.quotedDatabaseIdentifier) does not exist: call `createHistory(of:)`")
  }

  /// - Throws: `DatabaseError` if the table of the history is there already.
  func requireNoHistory(_ db: Database) throws {
    guard try exists(db) else { return }
    throw Self.error(
      table,
      "table \(history.quotedDatabaseIdentifier) exists already: `updateHistory(of:)` brings it "
        + "up to date, `dropHistory(of:)` removes it")
  }

  /// The columns of the history that the triggers write.
  func recordedColumns(_ db: Database) throws -> [String] {
    let texts = try triggers(db).map(\.sql)
    return try historyColumns(db).filter { column in
      !Self.ownColumns.contains { $0.isSameIdentifier(as: column) }
        && texts.contains { $0.contains(column.quotedDatabaseIdentifier) }
    }
  }

  /// - Throws: `DatabaseError` if a column is gone that was recorded, and another one is new: it
  ///   may be the same one, renamed.
  func checkRenames(of recorded: [String], new: [String], _ db: Database) throws {
    let known = try historyColumns(db)
    let gone = recorded.first { column in
      known.contains { $0.isSameIdentifier(as: column) }
        && !columns.contains { $0.name.isSameIdentifier(as: column) }
    }
    guard let gone, let new = new.first else { return }
    let (old, name) = (gone.quotedDatabaseIdentifier, new.quotedDatabaseIdentifier)
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the history of \(table.quotedDatabaseIdentifier) records column \(old), which is gone, and \
        column \(name) is new: if it is renamed, rename it in \
        \(history.quotedDatabaseIdentifier) too, in the closure of `updateHistory(of:)`; otherwise drop and add columns in two calls
        """)
  }

  /// - Throws: `DatabaseError` if a column of the history has a type that converts the values of
  ///   the table.
  func checkTypes(_ db: Database) throws {
    for info in try historyInfos(db) {
      let column = columns.first { $0.name.isSameIdentifier(as: info.name) }
      guard let column, !column.isKept(by: info) else { continue }
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          the history of \(table.quotedDatabaseIdentifier) would convert the values of column \
          \(info.name.quotedDatabaseIdentifier), which has the type \(info.type.typeName) there: \
          give it the type \(column.type.typeName) in \(history.quotedDatabaseIdentifier) too, \
          with `rebuild(table:)`, in the closure of `updateHistory(of:)`
          """)
    }
  }

  /// Gives the index the name of the table, which was another one when the index was created. Other
  /// indexes are the application's.
  func renameIndex(_ db: Database) throws {
    let schemaName = schema.quotedDatabaseIdentifier
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM pragma_index_list(?1, ?2)
        WHERE NOT "unique" AND NOT partial AND substr(name, -12) = '_history_key' AND NOT EXISTS (
          SELECT * FROM \(schemaName).sqlite_master
          WHERE type = 'index' AND name = ?3 COLLATE NOCASE)
        """, arguments: [history, schema, index])
    guard let old = try names.first(where: { try isKey(ofIndex: $0, db) }) else { return }
    try db.execute(sql: "DROP INDEX \(qualified(old))")
    try db.execute(sql: indexCreation)
  }

  private func isKey(ofIndex index: String, _ db: Database) throws -> Bool {
    let names = try String?.fetchAll(
      db, sql: "SELECT name FROM pragma_index_info(?, ?) ORDER BY seqno",
      arguments: [index, schema])
    return names.count == key.count
      && zip(names, key).allSatisfy { name, column in name?.isSameIdentifier(as: column) == true }
  }

  func dropTriggers(_ db: Database) throws {
    for trigger in try triggers(db) {
      try db.execute(sql: "DROP TRIGGER \(qualified(trigger.name))")
    }
  }

  /// The triggers, also those that the table had under another name: SQLite has written the new
  /// name of the history into them.
  private func triggers(_ db: Database) throws -> [(name: String, sql: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master
        WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
        AND instr(sql, 'INSERT INTO ' || ? || ' (') AND instr(sql, '"historyOperation"')
        """, arguments: [table, history.quotedDatabaseIdentifier]
    ).map { (name: $0["name"] as String, sql: $0["sql"] as String) }.filter { trigger in
      ["insert", "update", "delete"].contains { trigger.name.hasSuffix("_history_\($0)") }
    }
  }
}

extension String {
  /// A type in SQL. In quotes, unless it is words and numbers, as in `DECIMAL(10,2)`: others may
  /// be read as a constraint, or lose a blank.
  fileprivate var plainOrQuotedType: String {
    let words = wholeMatch(of: #/(\w+(?: +\w+)*)(?: *\( *[0-9]+ *(?:, *[0-9]+ *)?\))?/#)?.1
      .split(separator: " ").map(String.init)
    let isPlain = words?.allSatisfy { $0.plainUnlessKeyword == $0 } == true
    return isPlain ? self : quotedDatabaseIdentifier
  }

  /// The name of a declared type: a column without type stores values as `BLOB` does.
  fileprivate var typeName: String { isEmpty ? "BLOB" : self }
}
