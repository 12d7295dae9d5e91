/// Finds out what the changes of a table stand for.
struct AlterationResolver {
  let table: DefinitionName
  let changes: [TableAlteration.Change]
  let schema: any SchemaReader

  func statements() throws -> [String] {
    var renamings: [BinaryText: String] = [:]
    return try changes.flatMap { change in
      if case .rename(let name, let newName) = change { renamings[name.identifierKey] = newName }
      return try statements(for: change, renamings: renamings)
    }
  }

  private func statements(
    for change: TableAlteration.Change, renamings: [BinaryText: String]
  ) throws -> [String] {
    switch change {
    case .add(let definition): return try statements(adding: definition.model, renamings)
    case .addRaw(let sql): return [try alter("ADD COLUMN \(sql.text(schema))")]
    case .rename(let name, let newName):
      let newName = newName.quotedDatabaseIdentifier
      return [alter("RENAME COLUMN \(name.quotedDatabaseIdentifier) TO \(newName)")]
    case .drop(let name): return [alter("DROP COLUMN \(name.quotedDatabaseIdentifier)")]
    }
  }

  private func statements(
    adding column: ColumnModel, _ renamings: [BinaryText: String]
  ) throws -> [String] {
    let resolved = try references(of: column, renamings: renamings).resolve(column)
    let alteration = try alter("ADD COLUMN \(resolved.sql(schema))")
    guard let index = column.index(of: table, options: []) else { return [alteration] }
    return [alteration, try index.sql(schema)]
  }

  /// `ALTER TABLE "book" DROP COLUMN "pages"`
  private func alter(_ change: String) -> String { "ALTER TABLE \(table.sql) \(change)" }

  /// The key of the altered table is read only for a column that may reference it.
  private func references(
    of column: ColumnModel, renamings: [BinaryText: String]
  ) throws -> ReferenceResolver {
    let name = table.lookUpName(of: table.name)
    let isReference = !column.references.isEmpty
    let key = try isReference ? schema.primaryKey(of: name).columns : []
    let id = try isReference ? schema.tableID(name) : nil
    let schemaID: DatabaseSchemaID = table.schema ?? id?.schemaID ?? .main
    return ReferenceResolver(
      parents: ParentTables(child: table, schemaID: schemaID, schema: schema),
      key: key.map { renamings[$0.identifierKey] ?? $0 })
  }
}
