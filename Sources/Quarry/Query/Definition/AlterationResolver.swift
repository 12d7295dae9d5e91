/// Finds out what the changes of a table stand for.
struct AlterationResolver {
  let table: DefinitionName
  let changes: [TableAlteration.Change]
  let schema: any SchemaReader

  func statements() throws -> [String] {
    try changes.indices.flatMap { try statements(for: changes[$0], after: changes[..<$0]) }
  }

  private func statements(
    for change: TableAlteration.Change, after earlier: ArraySlice<TableAlteration.Change>
  ) throws -> [String] {
    switch change {
    case .add(let definition): return try statements(adding: definition.model, after: earlier)
    case .addRaw(let sql): return [try alter("ADD COLUMN \(sql.text(schema))")]
    case .rename(let name, let newName):
      let newName = newName.quotedDatabaseIdentifier
      return [alter("RENAME COLUMN \(name.quotedDatabaseIdentifier) TO \(newName)")]
    case .drop(let name): return [alter("DROP COLUMN \(name.quotedDatabaseIdentifier)")]
    }
  }

  private func statements(
    adding column: ColumnModel, after earlier: ArraySlice<TableAlteration.Change>
  ) throws -> [String] {
    let resolved = try parents(of: column, after: earlier).resolve(column)
    let alteration = try alter("ADD COLUMN \(resolved.sql(schema))")
    guard let index = column.index(of: table, options: []) else { return [alteration] }
    return [alteration, try index.sql(schema)]
  }

  /// `ALTER TABLE "book" DROP COLUMN "pages"`
  private func alter(_ change: String) -> String { "ALTER TABLE \(table.sql) \(change)" }

  /// The key of the altered table is read only for a column that may reference it.
  private func parents(
    of column: ColumnModel, after earlier: ArraySlice<TableAlteration.Change>
  ) throws -> ParentTables {
    let name = table.lookUpName(of: table.name)
    let isReference = !column.references.isEmpty
    let key = try isReference ? schema.primaryKey(of: name).columns : []
    let id = try isReference ? schema.tableID(name) : nil
    let schemaID: DatabaseSchemaID = table.schema ?? id?.schemaID ?? .main
    let renamedKey = key.map { earlier.reduce($0) { name, change in change.newName(of: name) } }
    return ParentTables(child: table, schemaID: schemaID, schema: schema, key: renamedKey)
  }
}

extension TableAlteration.Change {
  /// The name of a column after the change.
  fileprivate func newName(of column: String) -> String {
    guard case .rename(let name, let newName) = self, name.isSameIdentifier(as: column) else {
      return column
    }
    return newName
  }
}
