/// An insertion into a view: its INSTEAD OF triggers insert the rows.
///
/// `sqlite3_last_insert_rowid()` ignores rows inserted by triggers; only the update hook reports
/// them. Where a record has no key yet, and its triggers insert one row into the tables that the
/// view shows, the rowid of this row is the key of the record.
struct ViewInsert {
  private let view: String
  /// The key, where it is one column that may be a rowid.
  private let keyColumn: String?
  /// The tables with an integer key that the view shows, directly or through other views.
  private let tables: Set<DatabaseObjectID>

  /// Nil for a table.
  init?(view table: String, _ db: Database) throws {
    guard try db.schema.isView(table) else { return nil }
    view = table
    let key = try db.schema.primaryKeyIfKnown(of: table)
    keyColumn = try key.flatMap { key in
      try key.columns.count == 1 && db.mayBeRowID(key.columns[0], inView: table)
        ? key.columns[0] : nil
    }
    tables = keyColumn != nil || key == nil ? try db.tablesWithIntegerKey(shownBy: table) : []
  }

  /// Runs the insertion.
  ///
  /// - Throws: ``DatabaseError``, also where several inserted rows may be the one of the record:
  ///   nothing stays of the insertion then.
  func insert(
    _ container: PersistenceContainer, _ statement: Statement, _ db: Database
  ) throws -> InsertionSuccess {
    let key = keyColumn.map { container.value(forColumn: $0) } ?? .null
    let rowID = Int64.fromDatabaseValue(key)
    guard rowID == nil, key.isNull, !tables.isEmpty else {
      try statement.run(container)
      return InsertionSuccess(container, rowID: rowID ?? db.lastInsertedRowID, rowIDColumn: nil)
    }
    let rows = try rows(insertedBy: container, statement, db)
    let row = rows.count == 1 ? rows[0] : nil
    return InsertionSuccess(
      container, rowID: row?.rowID ?? db.lastInsertedRowID,
      rowIDColumn: row == nil ? nil : keyColumn, isWritten: !rows.isEmpty)
  }

  /// The inserted rows that may be the one of the record: one at most if the key is to be found.
  private func rows(
    insertedBy container: PersistenceContainer, _ statement: Statement, _ db: Database
  ) throws -> [DatabaseEvent] {
    func insertedRows() throws -> [DatabaseEvent] {
      try db.insertedRows { try statement.run(container) }
        .filter { tables.contains(DatabaseObjectID(table: $0.tableName, in: $0.databaseName)) }
    }
    guard keyColumn != nil else { return try insertedRows() }
    return try db.resultInSavepoint {
      let rows = try insertedRows()
      guard rows.count <= 1 else { throw ambiguousRow(rows, statement) }
      return rows
    }
  }

  private func ambiguousRow(_ rows: [DatabaseEvent], _ statement: Statement) -> DatabaseError {
    let names = rows.map { "\($0.tableName) \($0.rowID)" }.joined(separator: ", ")
    return DatabaseError(
      message: """
        the triggers of database view \(view) inserted \(rows.count) rows (\(names)): \
        the primary key of the record is unknown
        """,
      sql: statement.sql)
  }
}

extension DatabaseObjectID {
  /// By lower-cased name.
  fileprivate init(table: String, in schema: String) {
    self.init(name: table.identifierKey.text, schemaID: DatabaseSchemaID(sqlName: schema))
  }
}

extension Database {
  /// Whether a column of a view has integers, or may have them by its declared type.
  fileprivate func mayBeRowID(_ column: String, inView view: String) throws -> Bool {
    let type = try schema.columns(of: view).first { $0.name.isSameIdentifier(as: column) }?.type
    guard let type, !type.isEmpty else { return true }
    return type.uppercased().contains("INT")
  }

  /// By lower-cased name.
  fileprivate func tablesWithIntegerKey(shownBy view: String) throws -> Set<DatabaseObjectID> {
    let id = try schema.resolve(view).id
    var tables: Set<DatabaseObjectID> = []
    try makeStatement(sql: "SELECT * FROM \(id.quotedName)").effects.reads.forEach {
      schema, table, _ in
      if schema.isEmpty { return }
      tables.insert(DatabaseObjectID(table: table, in: schema))
    }
    return try tables.filter { table in
      try tableExists(table.name, in: table.schemaID.name)
        && primaryKey(table.name, in: table.schemaID.name).rowIDColumn != nil
    }
  }
}
