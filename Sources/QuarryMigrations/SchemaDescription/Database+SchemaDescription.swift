public import Quarry

extension Database {
  /// Returns the contents of a schema, as a value.
  ///
  /// ```swift
  /// for table in try db.schemaDescription().tables {
  ///   print(table.name, table.columns.map(\.name))
  /// }
  /// ```
  ///
  /// - parameter schemaName: `main`, `temp`, or the name of an attached database.
  /// - throws: A `DatabaseError` when there is no such schema.
  public func schemaDescription(
    in schemaName: String = "main"
  ) throws -> DatabaseSchemaDescription {
    try schema.refresh()
    let id = try schema.catalogs(named: schemaName)[0].id
    let all = try readObjects(of: id)
    let objects = all.filter { !$0.isInternal }.sorted { $0.name < $1.name }
    return try DatabaseSchemaDescription(
      schemaID: id,
      tables: objects.filter { $0.type == "table" }.map { try describe(table: $0, in: id, all) },
      views: objects.filter { $0.type == "view" }.map { try describe(view: $0, in: id) },
      triggers: objects.filter { $0.type == "trigger" }.map {
        DatabaseSchemaDescription.Trigger(
          name: $0.name, table: $0.tableName, sql: $0.sql ?? "")
      })
  }

  private func describe(
    table object: SchemaObject, in id: DatabaseSchemaID, _ objects: [SchemaObject]
  ) throws -> DatabaseSchemaDescription.TableDescription {
    let table = try schema.resolve(object.name, in: id.name)
    let columns = try schema.columns(of: table)
    let sql = object.sql ?? ""
    return try DatabaseSchemaDescription.TableDescription(
      name: object.name, sql: sql, columns: columns.map(DatabaseSchemaDescription.Column.init),
      primaryKey: columns.primaryKeyColumns.map(\.name),
      foreignKeys: readForeignKeyDescriptions(of: table),
      indexes: readIndexDescriptions(of: table.id, objects),
      hasRowID: schema.hasRowID(table),
      isVirtual: table.isVirtual)
  }

  private func describe(
    view object: SchemaObject, in id: DatabaseSchemaID
  ) throws -> DatabaseSchemaDescription.ViewDescription {
    let view = try schema.resolve(object.name, in: id.name)
    return try DatabaseSchemaDescription.ViewDescription(
      name: object.name, sql: object.sql ?? "",
      columns: schema.columns(of: view).map(DatabaseSchemaDescription.Column.init))
  }

  /// See <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>.
  private func readForeignKeyDescriptions(
    of table: CachedTable
  ) throws -> [DatabaseSchemaDescription.ForeignKey] {
    let rows = try rows(ofPragma: "foreign_key_list", table.id)
    // SQLite numbers foreign keys from the last one to the first.
    return try schema.foreignKeys(from: table).sorted { $0.id > $1.id }.map { foreignKey in
      let row = try rows.first { try $0.decode(Int.self, atIndex: 0) == foreignKey.id }
      return try DatabaseSchemaDescription.ForeignKey(
        columns: foreignKey.originColumns,
        destinationTable: foreignKey.destinationTable,
        destinationColumns: foreignKey.destinationColumns,
        onDelete: row?.decode(atIndex: 6) ?? "NO ACTION",
        onUpdate: row?.decode(atIndex: 5) ?? "NO ACTION")
    }
  }

  /// See <https://www.sqlite.org/pragma.html#pragma_index_xinfo>.
  private func readIndexDescriptions(
    of table: DatabaseObjectID, _ objects: [SchemaObject]
  ) throws -> [DatabaseSchemaDescription.Index] {
    try rows(ofPragma: "index_list", table).map { row in
      let name: String = try row.decode(atIndex: 1)
      let index = DatabaseObjectID(name: name, schemaID: table.schemaID)
      let terms = try rows(ofPragma: "index_xinfo", index).filter { row in
        // The other columns are those of the key of the table, which each index contains.
        try row.decode(Bool.self, atIndex: 5)
      }
      return try DatabaseSchemaDescription.Index(
        name: name,
        sql: objects.first { $0.type == "index" && $0.name.hasSameBytes(as: name) }?.sql,
        terms: terms.map { row in
          try DatabaseSchemaDescription.Index.Term(
            column: row.decode(atIndex: 2), isDescending: row.decode(atIndex: 3),
            collation: row.decode(String?.self, atIndex: 4) ?? "BINARY")
        },
        isUnique: row.decode(atIndex: 2), isPartial: row.decode(atIndex: 4),
        origin: IndexInfo.Origin(rawValue: row.decode(atIndex: 3)))
    }.sorted { $0.name < $1.name }
  }
}

extension DatabaseSchemaDescription.Column {
  fileprivate init(_ column: ColumnInfo) {
    self.init(
      name: column.name, type: column.type, isNotNull: column.isNotNull,
      defaultValueSQL: column.defaultValueSQL, isGenerated: column.isGenerated)
  }
}
