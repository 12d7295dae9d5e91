/// Makes the statements that change a table.
struct AlterationGenerator {
  private let table: DefinitionName
  private let changes: [TableAlteration.Change]
  private let schema: any SchemaReader

  init(table: String, changes: [TableAlteration.Change], schema: any SchemaReader) throws {
    self.table = try DefinitionName(table, schema)
    self.changes = changes
    self.schema = schema
  }

  func statements() throws -> [String] {
    var renamings: [String: String] = [:]
    return try changes.flatMap { change in
      if case .rename(let name, let newName) = change { renamings[name.identifierKey] = newName }
      return try statements(for: change, renamings: renamings)
    }
  }

  private func statements(
    for change: TableAlteration.Change, renamings: [String: String]
  ) throws -> [String] {
    let alter = "ALTER TABLE \(table.sql)"
    switch change {
    case .add(let definition):
      let column = definition.model
      let generator = try generator(for: column, renamings: renamings)
      let index = generator.indexSQL(column, options: [])
      return try ["\(alter) ADD COLUMN \(generator.sql(column))"] + (index.map { [$0] } ?? [])
    case .addRaw(let sql):
      return try ["\(alter) ADD COLUMN \(sql.sql(schema))"]
    case .rename(let name, let newName):
      let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
      return ["\(alter) RENAME COLUMN \(names.0) TO \(names.1)"]
    case .drop(let name):
      return ["\(alter) DROP COLUMN \(name.quotedDatabaseIdentifier)"]
    }
  }

  /// The key of the altered table is read only for a column that may reference it.
  private func generator(
    for column: ColumnModel, renamings: [String: String]
  ) throws -> ColumnGenerator {
    let key =
      try column.references.isEmpty
      ? [] : schema.primaryKey(of: table.lookUpName(of: table.name)).columns
    return ColumnGenerator(
      table: table, key: key.map { renamings[$0.identifierKey] ?? $0 }, schema: schema)
  }
}
