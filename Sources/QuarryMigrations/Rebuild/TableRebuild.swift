import Quarry

// The procedure of SQLite for the changes of tables that ALTER TABLE can't do: the table is created
// anew under another name, its rows are copied, it is dropped, and the new one takes its name.
//
// Indexes and triggers go with the table: they are created again. Views, and the triggers and
// foreign keys of other tables, designate the table by its name, and must not notice. So foreign
// keys are off (dropping a table deletes its rows, and would run the actions of foreign keys), and
// names are changed in the legacy way, which rewrites nothing else. What compiled before must
// compile afterwards.
//
// See https://www.sqlite.org/lang_altertable.html#otheralter

/// The rebuild of a table.
struct TableRebuild {
  let table: DatabaseObjectID
  let definition: TableDefinition
  /// The values of columns that are not those of the same column.
  let values: [ColumnAssignment]

  private var name: String { table.name.quotedDatabaseIdentifier }
  private var newName: String { "quarry_new_\(table.name)" }

  /// Runs all steps, while foreign keys are not enforced.
  func run(_ db: Database, checkingForeignKeys: Bool) throws {
    try db.inSavepoint {
      try runSteps(db)
      if checkingForeignKeys { try checkForeignKeys(db) }
      return .commit
    }
  }

  private func runSteps(_ db: Database) throws {
    let statements = try definition.statements(db.schema, createdAs: newName)
    let dependents = try SchemaDependents(of: table, db)
    let sequence = try db.autoincrementSequence(of: table)

    try db.execute(sql: SQLLexer.unqualified(statements[0], by: table.name))
    let copy = try copy(db)
    try copyRows(copy, db)
    try db.execute(sql: "DROP TABLE \(name)")
    try rename(db)
    if let sequence { try db.setAutoincrementSequence(of: table, atLeast: sequence) }
    for statement in statements.dropFirst() { try db.execute(sql: statement) }
    try dependents.restore(db)
    let changedColumns = copy.changedColumns
    try db.rebuildFullTextIndexes(of: table, changed: changedColumns)
    if changedColumns?.isEmpty != true { try rebuildFullTextIndexesOfViews(db) }
  }

  /// Makes those full-text indexes anew whose texts are in views of the table.
  private func rebuildFullTextIndexesOfViews(_ db: Database) throws {
    let views = try db.readObjects(of: table.schemaID).filter { $0.type == "view" }.map {
      SchemaModel.Object(kind: $0.type, name: $0.name, table: $0.tableName, sql: $0.sql ?? "")
    }
    for view in views.dependents(of: [table.name]) {
      let id = DatabaseObjectID(name: view.name, schemaID: table.schemaID)
      try db.rebuildFullTextIndexes(of: id, changed: nil, viewOf: table)
    }
  }

  private func rename(_ db: Database) throws {
    let isLegacy = try Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") ?? false
    // The pragma may have taken effect even if it throws.
    defer { if !isLegacy { db.endLegacyAlterations() } }
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    try db.execute(sql: "ALTER TABLE \(newName.quotedDatabaseIdentifier) RENAME TO \(name)")
  }

  /// The rows to copy. Both tables exist.
  private func copy(_ db: Database) throws -> TableCopy {
    let objects = try db.readObjects(of: table.schemaID)
    let sql = { (name: String) in
      objects.first { $0.type == "table" && $0.name.hasSameBytes(as: name) }?.sql ?? ""
    }
    let values = try values.compactMap { assignment in
      try assignment.value.map { try (assignment.columnName, SQL($0).text(db.schema)) }
    }
    return TableCopy(
      table: table.name, oldSQL: sql(table.name), newSQL: sql(newName), values: values,
      indexes: [], fullTextTables: [])
  }

  private func copyRows(_ copy: TableCopy, _ db: Database) throws {
    try checkValues(copy, db)
    if !copy.assignments.isEmpty {
      do {
        try db.execute(sql: copy.copySQL(to: newName.quotedDatabaseIdentifier))
      } catch let error as DatabaseError where error.resultCode == .SQLITE_MISMATCH {
        try checkNewKey(copy, db)
        throw error
      }
    } else if try Row.fetchOne(db, sql: "SELECT 1 FROM \(name) LIMIT 1") != nil {
      throw invalid("no column of the new table has a value from the old one")
    }
  }

  private func checkValues(_ copy: TableCopy, _ db: Database) throws {
    let new = copy.new
    for name in values.map(\.columnName) {
      guard let column = new.column(name) else { throw invalid("no such column: \(name)") }
      if column.isGenerated { throw invalid("column \(column.name) is generated") }
    }
    for (column, sql) in copy.values where try db.isAggregate(sql, of: table.name) {
      throw invalid(
        "the value of column \(column) is an aggregate, which makes one row of all: "
          + "\(sql): write a subquery")
    }
  }

  /// NULL is no key: see `TableCopy.assignments`.
  private func checkNewKey(_ copy: TableCopy, _ db: Database) throws {
    guard let key = copy.new.rowIDAlias,
      let value = copy.value(of: key) ?? copy.old.column(key)?.name.quotedDatabaseIdentifier
    else { return }
    let sql = "SELECT count(*) FROM \(name) WHERE (\(value)) IS NULL"
    let count = try Int.fetchOne(db, sql: sql) ?? 0
    guard count == 0 else {
      throw invalid("column \(key) becomes the key, and has \(count) NULLs: give it values")
    }
  }

  private func invalid(_ message: String) -> InvalidRequest {
    InvalidRequest(message, request: "rebuild of table \(name)")
  }

  /// The foreign keys of the table, and those that reference it.
  private func checkForeignKeys(_ db: Database) throws {
    let schema = table.schemaID.name
    try db.checkForeignKeys(in: table.name, in: schema)
    for object in try db.readObjects(of: table.schemaID)
    where object.type == "table" && !object.name.isSameIdentifier(as: table.name) {
      let references = try db.foreignKeys(on: object.name, in: schema)
      if references.contains(where: { $0.destinationTable.isSameIdentifier(as: table.name) }) {
        try db.checkForeignKeys(in: object.name, in: schema)
      }
    }
  }
}

extension Database {
  /// Whether an expression over the columns of a table contains an aggregate: it makes one row,
  /// also of none.
  func isAggregate(_ sql: String, of table: String) throws -> Bool {
    // Parentheses keep lists, comments and other statements out.
    let sql = "SELECT (\(sql)) FROM \(table.quotedDatabaseIdentifier) WHERE 0"
    return try Row.fetchOne(makeStatement(sql: sql)) != nil
  }

  /// The largest rowid that an AUTOINCREMENT table ever had.
  ///
  /// See <https://www.sqlite.org/autoinc.html>.
  fileprivate func autoincrementSequence(of table: DatabaseObjectID) throws -> Int64? {
    guard try readObjects(of: table.schemaID).contains(where: { $0.name == "sqlite_sequence" })
    else { return nil }
    return try Int64.fetchOne(
      self, sql: "SELECT seq FROM \(table.schemaID.sqlName).sqlite_sequence WHERE name = ?",
      arguments: [table.name])
  }

  fileprivate func setAutoincrementSequence(
    of table: DatabaseObjectID, atLeast sequence: Int64
  ) throws {
    let isAutoincremented = try readObjects(of: table.schemaID).contains {
      $0.name.hasSameBytes(as: table.name) && $0.sql?.uppercased().contains("AUTOINCREMENT") == true
    }
    guard isAutoincremented else { return }
    // The copy has added the row, also one without rows.
    try execute(
      sql: "UPDATE \(table.schemaID.sqlName).sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
      arguments: [sequence, table.name])
  }
}
