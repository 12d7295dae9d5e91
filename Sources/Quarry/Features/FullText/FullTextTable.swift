/// A full-text table of the schema.
package struct FullTextTable {
  package enum Engine: String {
    case fts3, fts4, fts5
  }

  /// The name, with that of its schema.
  package let name: DefinitionName
  package let engine: Engine
  package let module: ModuleArguments

  /// Nil for another table.
  package init?(_ id: DatabaseObjectID, sql: String?) {
    guard let module = sql.flatMap(ModuleArguments.init),
      let engine = Engine(rawValue: module.module)
    else { return nil }
    name = DefinitionName(schema: id.schemaID == .main ? nil : id.schemaID, name: id.name)
    self.engine = engine
    self.module = module
  }

  /// The table that stores the texts: nil for the table itself, an empty name for none.
  package var content: String? { module.content }

  /// The column that stands for all columns, and takes commands.
  package var column: String { name.name.quotedDatabaseIdentifier }

  /// The table with a part of the index: `"ft_docsize"`.
  package func shadow(_ suffix: String) -> DefinitionName { name.sibling("\(name.name)_\(suffix)") }
}

extension FullTextTable {
  /// `INSERT INTO "ft"("ft") VALUES('optimize')`
  package func execute(_ command: String, in db: Database) throws {
    try db.execute(
      sql: "INSERT INTO \(name.sql)(\(column)) VALUES(\(command.quotedDatabaseText))")
  }
}

extension Database {
  /// The full-text tables that have a content table, in a schema.
  func externalFullTextTables(in schemaID: DatabaseSchemaID = .main) throws -> [FullTextTable] {
    try schema.refresh()
    return try schema.catalogs(named: schemaID.name).flatMap { try schema.objects(of: $0) }
      .filter { $0.type == "table" }
      .compactMap {
        FullTextTable(DatabaseObjectID(name: $0.name, schemaID: schemaID), sql: $0.sql)
      }
      .filter { $0.content?.isEmpty == false }
  }

  /// The full-text tables whose content table is a table.
  package func fullTextTables(over table: DatabaseObjectID) throws -> [FullTextTable] {
    try externalFullTextTables(in: table.schemaID)
      .filter { $0.content?.isSameIdentifier(as: table.name) == true }
  }

  /// Drops the triggers that keep a full-text table in step with its content table.
  package func dropTriggers(of table: FullTextTable) throws {
    try dropSynchronizationTriggers(table.engine, of: table.name)
  }

  /// The first column that the content table of a full-text table lacks.
  package func missingContentColumn(of table: FullTextTable) throws -> String? {
    guard let content = table.content, !content.isEmpty else { return nil }
    let names = try columns(in: content, in: (table.name.schema ?? .main).name).map(\.name)
    return try contentColumns(of: table).first { column in
      !names.contains { $0.isSameIdentifier(as: column) }
    }
  }

  /// The columns that a full-text table needs in its content table.
  package func contentColumns(of table: FullTextTable) throws -> [String] {
    let own = try columns(in: table.name.name, in: (table.name.schema ?? .main).name).map(\.name)
    return own + (table.module.contentRowID.map { [$0] } ?? [])
  }
}
