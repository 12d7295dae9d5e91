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
  func run(_ db: Database) throws {
    try db.inSavepoint {
      try runSteps(db)
      return .commit
    }
  }

  private func runSteps(_ db: Database) throws {
    let statements = try definition.statements(db.schema, createdAs: newName)
    let dependents = try SchemaDependents(of: table, db)
    let sequence = try db.autoincrementSequence(of: table)
    let rowIDName = try db.schema.primaryKeyIfKnown(of: table.name)?.rowIDName

    try db.execute(sql: SQLLexer.unqualified(statements[0], by: table.name))
    try db.execute(sql: copySQL(db, rowIDName: rowIDName))
    let changedColumns = try changedColumns(db)
    try db.execute(sql: "DROP TABLE \(name)")
    try rename(db)
    if let sequence { try db.setAutoincrementSequence(of: table, atLeast: sequence) }
    for statement in statements.dropFirst() { try db.execute(sql: statement) }
    try dependents.restore(db)
    try checkForeignKeys(db)
    try db.rebuildFullTextIndexes(of: table, changed: changedColumns)
  }

  /// The columns whose values may be others than before, since they are given, converted or
  /// computed anew. Nil if the rowids may be others: of a column with values. Both tables exist.
  private func changedColumns(_ db: Database) throws -> Set<BinaryText>? {
    let oldAlias = try db.schema.primaryKeyIfKnown(of: table.name)?.rowIDColumn?.identifierKey
    let alias = try db.schema.primaryKeyIfKnown(of: newName)?.rowIDColumn?.identifierKey
    let oldColumns = try columns(of: table.name, db)
    var changed = Set(values.map(\.columnName.identifierKey))
    for new in try columns(of: newName, db) {
      let key = new.name.identifierKey
      if key == alias, changed.contains(key) { return nil }
      guard let old = oldColumns.first(where: { $0.name.identifierKey == key }) else { continue }
      if key == alias, key != oldAlias { return nil }
      if old.isGenerated || new.isGenerated || !old.type.isSameIdentifier(as: new.type) {
        changed.insert(key)
      }
    }
    return changed
  }

  private func rename(_ db: Database) throws {
    let isLegacy = try Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") ?? false
    // The pragma may have taken effect even if it throws.
    defer {
      if !isLegacy { db.endLegacyAlterations() }
    }
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    try db.execute(sql: "ALTER TABLE \(newName.quotedDatabaseIdentifier) RENAME TO \(name)")
  }

  private func columns(of table: String, _ db: Database) throws -> [ColumnInfo] {
    try db.columns(in: table, in: self.table.schemaID.name)
  }

  /// `INSERT OR ABORT INTO "new" ("id", "title") SELECT "id", upper("title") FROM "book"`: the
  /// columns that both tables have, the given values, and the rowids.
  ///
  /// `OR ABORT` overrides the `ON CONFLICT` clauses of constraints, which would drop rows.
  ///
  /// - parameter rowIDName: The name of the rowids of the old table, nil if it has none.
  private func copySQL(_ db: Database, rowIDName: String?) throws -> String {
    let newColumns = try columns(of: newName, db)
    let oldColumns = try columns(of: table.name, db)
    try checkValues(newColumns)
    var copies: [(column: String, value: DefinitionSQL)] = []
    let newKey = try rowIDName == nil ? nil : db.schema.primaryKeyIfKnown(of: newName)
    let newRowIDName = newKey?.rowIDName
    let alias = newRowIDName == nil ? nil : newKey?.rowIDColumn
    if alias == nil, let rowIDName, let newRowIDName {
      copies.append((newRowIDName, .text(rowIDName)))
    }
    for column in newColumns where !column.isGenerated {
      let value = values.first { $0.columnName.isSameIdentifier(as: column.name) }?.value
      let old = oldColumns.first { $0.name.isSameIdentifier(as: column.name) }
      let source = value ?? old.map { Column($0.name).sqlExpression }
      if let source {
        copies.append((column.name, .expression(source)))
      } else if let alias, let rowIDName, alias.isSameIdentifier(as: column.name) {
        // The column begins to show the rowids, or does so under another name.
        copies.append((column.name, .text(rowIDName)))
      }
    }
    let hadHiddenRowID =
      try rowIDName != nil && db.schema.primaryKeyIfKnown(of: table.name)?.rowIDColumn == nil
    guard
      hadHiddenRowID && !copies.isEmpty
        || copies.contains(where: { $0.column != newRowIDName || alias != nil })
    else {
      throw invalid("no column of the new table has a value from the old one")
    }
    let values = try copies.map { try $0.value.text(db.schema) }.joined(separator: ", ")
    return """
      INSERT OR ABORT INTO \(newName.quotedDatabaseIdentifier) \
      (\(copies.map(\.column).quotedDatabaseIdentifiers)) SELECT \(values) FROM \(name)
      """
  }

  private func checkValues(_ columns: [ColumnInfo]) throws {
    for value in values {
      let column = columns.first { $0.name.isSameIdentifier(as: value.columnName) }
      guard let column else { throw invalid("no such column: \(value.columnName)") }
      if column.isGenerated { throw invalid("column \(column.name) is generated") }
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
