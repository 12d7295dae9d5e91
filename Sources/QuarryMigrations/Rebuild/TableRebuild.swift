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
    let rowIDName = try rowIDName(of: table.name, db)

    try db.execute(sql: SQLLexer.unqualified(statements[0], by: table.name))
    if let sql = try copySQL(db, rowIDName: rowIDName) { try db.execute(sql: sql) }
    let changedColumns = try changedColumns(db)
    try db.execute(sql: "DROP TABLE \(name)")
    try rename(db)
    if let sequence { try db.setAutoincrementSequence(of: table, atLeast: sequence) }
    for statement in statements.dropFirst() { try db.execute(sql: statement) }
    try dependents.restore(db)
    try checkForeignKeys(db)
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

  /// The columns whose values may be others than before, since they are given, converted or
  /// computed anew. Nil if the rowids may be others: of a column with values. Both tables exist.
  private func changedColumns(_ db: Database) throws -> Set<BinaryText>? {
    let oldAlias = try rowIDColumn(of: table.name, db)?.identifierKey
    let alias = try rowIDColumn(of: newName, db)?.identifierKey
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
    defer { if !isLegacy { db.endLegacyAlterations() } }
    try db.execute(sql: "PRAGMA legacy_alter_table = ON")
    try db.execute(sql: "ALTER TABLE \(newName.quotedDatabaseIdentifier) RENAME TO \(name)")
  }

  /// The name of the rowids. Nil without them, and where columns have all their names.
  private func rowIDName(of table: String, _ db: Database) throws -> String? {
    guard let key = try db.schema.primaryKeyIfKnown(of: table), let name = key.rowIDName else {
      return nil
    }
    let isColumn = try columns(of: table, db).contains { $0.name.isSameIdentifier(as: name) }
    return isColumn && key.rowIDColumn == nil ? nil : name
  }

  /// The column that shows the rowids.
  private func rowIDColumn(of table: String, _ db: Database) throws -> String? {
    try db.schema.primaryKeyIfKnown(of: table)?.rowIDColumn
  }

  /// The value that is given for a column.
  private func value(of column: String) -> SQLExpression? {
    values.first { $0.columnName.isSameIdentifier(as: column) }?.value
  }

  private func columns(of table: String, _ db: Database) throws -> [ColumnInfo] {
    try db.columns(in: table, in: self.table.schemaID.name)
  }

  /// `INSERT OR ABORT INTO "new" ("id", "title") SELECT "id", upper("title") FROM "book"`: the
  /// columns that both tables have, the given values, and the rowids. Nil without any and without
  /// rows.
  ///
  /// `OR ABORT` overrides the `ON CONFLICT` clauses of constraints, which would drop rows.
  ///
  /// - parameter rowIDName: The name of the rowids of the old table, nil if it has none.
  private func copySQL(_ db: Database, rowIDName: String?) throws -> String? {
    let newColumns = try columns(of: newName, db)
    let oldColumns = try columns(of: table.name, db)
    try checkValues(newColumns, db)
    try checkNewKey(oldColumns, db)
    var copies: [(column: String, value: SQL)] = []
    let newRowIDName = try rowIDName == nil ? nil : self.rowIDName(of: newName, db)
    let alias = try newRowIDName == nil ? nil : rowIDColumn(of: newName, db)
    if alias == nil, let rowIDName, let newRowIDName {
      copies.append((newRowIDName, SQL(sql: rowIDName)))
    }
    for column in newColumns where !column.isGenerated {
      let old = oldColumns.first { $0.name.isSameIdentifier(as: column.name) }
      let source = value(of: column.name) ?? old.map { Column($0.name).sqlExpression }
      if let source {
        copies.append((column.name, SQL(source)))
      } else if let alias, let rowIDName, alias.isSameIdentifier(as: column.name) {
        // The column begins to show the rowids, or does so under another name.
        copies.append((column.name, SQL(sql: rowIDName)))
      }
    }
    let hadHiddenRowID = try rowIDName != nil && rowIDColumn(of: table.name, db) == nil
    guard
      hadHiddenRowID && !copies.isEmpty
        || copies.contains(where: { $0.column != newRowIDName || alias != nil })
    else {
      guard try Row.fetchOne(db, sql: "SELECT 1 FROM \(name) LIMIT 1") == nil else {
        throw invalid("no column of the new table has a value from the old one")
      }
      return nil
    }
    let values = try copies.map { try $0.value.text(db.schema) }.joined(separator: ", ")
    return """
      INSERT OR ABORT INTO \(newName.quotedDatabaseIdentifier) \
      (\(copies.map(\.column).quotedDatabaseIdentifiers)) SELECT \(values) FROM \(name)
      """
  }

  /// SQLite would give new keys to rows that have NULL in a column that becomes the rowid.
  private func checkNewKey(_ oldColumns: [ColumnInfo], _ db: Database) throws {
    guard let key = try rowIDColumn(of: newName, db),
      let column = oldColumns.first(where: { $0.name.isSameIdentifier(as: key) })?.name,
      case .none = value(of: key)
    else { return }
    let condition = "\(column.quotedDatabaseIdentifier) IS NULL"
    let sql = "SELECT count(*) FROM \(name) WHERE \(condition)"
    let count = try Int.fetchOne(db, sql: sql) ?? 0
    guard count == 0 else {
      throw invalid("column \(column) becomes the key, and has \(count) NULLs: give it values")
    }
  }

  private func checkValues(_ columns: [ColumnInfo], _ db: Database) throws {
    for value in values {
      let column = columns.first { $0.name.isSameIdentifier(as: value.columnName) }
      guard let column else { throw invalid("no such column: \(value.columnName)") }
      if column.isGenerated { throw invalid("column \(column.name) is generated") }
      guard let expression = value.value else { continue }
      let sql = try SQL(expression).text(db.schema)
      if try db.isAggregate(sql, of: table.name) {
        throw invalid(
          "the value of column \(column.name) is an aggregate, which makes one row of all: "
            + "\(sql): write a subquery")
      }
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
