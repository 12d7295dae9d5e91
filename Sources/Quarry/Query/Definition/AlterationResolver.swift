/// Finds out what the changes of a table stand for.
struct AlterationResolver {
  let table: DefinitionName
  let changes: [TableAlteration.Change]
  let schema: any SchemaReader

  func statements() throws -> [String] {
    var parents = try parents()
    return try changes.flatMap { change in
      switch change {
      case .add(let definition):
        let column = definition.model
        let alteration = try alter("ADD COLUMN \(parents.resolve(column).sql(schema))")
        guard let index = column.index(of: table, options: []) else { return [alteration] }
        return [alteration, try index.sql(schema)]
      case .addRaw(let sql): return [try alter("ADD COLUMN \(sql.text(schema))")]
      case .rename(let name, let newName):
        parents.key = parents.key.map { $0.isSameIdentifier(as: name) ? newName : $0 }
        let newName = newName.quotedDatabaseIdentifier
        return [alter("RENAME COLUMN \(name.quotedDatabaseIdentifier) TO \(newName)")]
      case .drop(let name): return [alter("DROP COLUMN \(name.quotedDatabaseIdentifier)")]
      }
    }
  }

  /// `ALTER TABLE "book" DROP COLUMN "pages"`
  private func alter(_ change: String) -> String { "ALTER TABLE \(table.sql) \(change)" }

  /// The key of the altered table is read only for columns that may reference it.
  private func parents() throws -> ParentTables {
    let name = table.lookUpName(of: table.name)
    let isReference = changes.contains { change in
      if case .add(let column) = change { !column.model.references.isEmpty } else { false }
    }
    let key = try isReference ? schema.primaryKey(of: name).columns : []
    let id = try isReference ? schema.tableID(name) : nil
    let schemaID: DatabaseSchemaID = table.schema ?? id?.schemaID ?? .main
    return ParentTables(child: table, schemaID: schemaID, schema: schema, key: key)
  }
}
