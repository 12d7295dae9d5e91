/// The statements that read the schema.
///
/// See <https://www.sqlite.org/pragma.html> and <https://www.sqlite.org/schematab.html>.
extension Database {
  /// In the order of the look-up of unqualified names: the temporary schema, the main one, the
  /// attached ones.
  package func readSchemaIDs() throws -> [DatabaseSchemaID] {
    var ids = try Row.fetchAll(self, sql: "PRAGMA database_list").map { row in
      try DatabaseSchemaID(sqlName: row.decode(atIndex: 1))
    }
    if let index = ids.firstIndex(of: .temp) { ids.swapAt(0, index) }
    return ids
  }

  func readSchemaVersion(_ schema: DatabaseSchemaID) throws -> Int32 {
    try Int32.fetchOne(self, sql: "PRAGMA \(schema.sqlName).schema_version") ?? 0
  }

  /// Has SQLite load schemas that others have changed. It notices that when it steps a statement:
  /// the columns that it reports for those compiled before are those of the former schema.
  ///
  /// - Throws: the error after which SQLite has ended the transaction. Others are those of the next
  ///   statement.
  func loadSchemas(_ ids: [DatabaseSchemaID]) throws {
    let isInTransaction = isInsideTransaction
    for id in ids {
      do {
        _ = try Row.fetchOne(self, sql: "SELECT 1 FROM \(id.schemaTableName) LIMIT 0")
      } catch {
        if isInTransaction, !isInsideTransaction { throw error }
      }
    }
  }

  /// False for a database that only this connection can change. An engine notices changes by
  /// others.
  var isSharedWithOthers: Bool { engine == nil && !path.isEmpty && path != ":memory:" }

  package func readObjects(of schema: DatabaseSchemaID) throws -> [SchemaObject] {
    let sql = "SELECT type, name, tbl_name, sql FROM \(schema.schemaTableName) ORDER BY rowid"
    return try Row.fetchAll(self, sql: sql).map { row in
      try SchemaObject(
        type: row.decode(atIndex: 0),
        name: row.decode(atIndex: 1),
        tableName: row.decode(atIndex: 2),
        sql: row.decode(atIndex: 3))
    }
  }

  /// Empty if the table does not exist.
  func readColumns(of table: DatabaseObjectID) throws -> [ColumnInfo] {
    try rows(ofPragma: "table_xinfo", table).compactMap { row in
      let hidden: Int = try row.decode(atIndex: 6)
      // 1 is a hidden column of a virtual table; 2 and 3 are generated columns.
      return hidden == 1 ? nil : ColumnInfo(row: row)
    }
  }

  func readIndexes(on table: DatabaseObjectID) throws -> [IndexInfo] {
    try rows(ofPragma: "index_list", table).compactMap { row in
      let name: String = try row.decode(atIndex: 1)
      let index = DatabaseObjectID(name: name, schemaID: table.schemaID)
      let columns = try rows(ofPragma: "index_info", index).map { row in
        try row.decode(String?.self, atIndex: 2)
      }
      let names = columns.compactMap { $0 }
      // An expression, or the rowid, has no name.
      guard names.count == columns.count else { return nil }
      return try IndexInfo(
        name: name,
        columns: names,
        isUnique: row.decode(atIndex: 2),
        origin: IndexInfo.Origin(rawValue: row.decode(atIndex: 3)),
        isPartial: row.decode(atIndex: 4))
    }
  }

  func readForeignKeys(from table: DatabaseObjectID) throws -> [ForeignKeyDeclaration] {
    var declarations: [ForeignKeyDeclaration] = []
    for row in try rows(ofPragma: "foreign_key_list", table) {
      let id: Int = try row.decode(atIndex: 0)
      let column = try (
        origin: row.decode(String.self, atIndex: 3),
        destination: row.decode(String?.self, atIndex: 4)
      )
      if declarations.last?.id == id {
        declarations[declarations.count - 1].columns.append(column)
      } else {
        let destination: String = try row.decode(atIndex: 2)
        declarations.append(
          ForeignKeyDeclaration(id: id, destinationTable: destination, columns: [column]))
      }
    }
    return declarations
  }

  func readOptions(of table: DatabaseObjectID, sql: String?) throws -> DeclaredOptions {
    // SQLite 3.37.0 has brought both PRAGMA table_list and STRICT.
    if Database.sqliteLibVersionNumber >= 3_037_000 {
      let row = try rows(ofPragma: "table_list", table).first
      return try (row?.decode(atIndex: 4) ?? false, row?.decode(atIndex: 5) ?? false)
    }
    let options = sql.flatMap { $0.uppercased().split(separator: ")").last } ?? ""
    return (isWithoutRowID: options.contains("ROWID"), isStrict: false)
  }

  /// Whether a table is declared as `STRICT`.
  package func isStrict(_ table: String, in schema: String) throws -> Bool {
    try readOptions(of: DatabaseObjectID(name: table, schemaID: .attached(schema)), sql: nil)
      .isStrict
  }

  package func rows(ofPragma pragma: String, _ object: DatabaseObjectID) throws -> [Row] {
    let argument = object.name.quotedDatabaseIdentifier
    return try Row.fetchAll(self, sql: "PRAGMA \(object.schemaID.sqlName).\(pragma)(\(argument))")
  }
}
