/// A full-text table of the schema.
struct FullTextTable {
  enum Engine: String {
    case fts3, fts4, fts5
  }

  /// The name, with that of its schema.
  let name: DefinitionName
  let engine: Engine
  let module: ModuleArguments

  /// Nil for another table.
  init?(_ id: DatabaseObjectID, sql: String?) {
    guard let module = sql.flatMap(ModuleArguments.init),
      let engine = Engine(rawValue: module.module)
    else { return nil }
    name = DefinitionName(schema: id.schemaID == .main ? nil : id.schemaID, name: id.name)
    self.engine = engine
    self.module = module
  }

  /// The table that stores the texts: nil for the table itself, an empty name for none.
  var content: String? { module.content }

  /// The column that stands for all columns, and takes commands.
  var column: String { name.name.quotedDatabaseIdentifier }

  /// The table with a part of the index: `"ft_docsize"`.
  func shadow(_ suffix: String) -> DefinitionName { name.sibling("\(name.name)_\(suffix)") }

  /// The engine, if there may be triggers.
  var synchronizationEngine: FullTextSynchronization.Engine? {
    switch engine {
    case .fts3: nil
    case .fts4: .fts4
    case .fts5: .fts5
    }
  }
}

extension FullTextTable {
  /// `INSERT INTO "ft"("ft") VALUES('optimize')`
  func execute(_ command: String, in db: Database) throws {
    try db.execute(
      sql: "INSERT INTO \(name.sql)(\(column)) VALUES(\(command.quotedDatabaseText))")
  }

  /// `INSERT INTO "ft"("ft", "rank") VALUES('merge', 8)`
  func execute(_ command: String, _ value: Int, in db: Database) throws {
    try db.execute(
      sql:
        "INSERT INTO \(name.sql)(\(column), \"rank\") VALUES(\(command.quotedDatabaseText), \(value))"
    )
  }
}

extension Database {
  /// - Throws: ``InvalidRequest`` for a table that is no full-text table, ``DatabaseError`` for a
  ///   missing one.
  func fullTextTable(_ name: String) throws -> FullTextTable {
    try schema.refresh()
    let table = try schema.resolve(name)
    guard let fullText = FullTextTable(table.id, sql: table.sql) else {
      throw InvalidRequest("table \(name) is no full-text table")
    }
    return fullText
  }

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
}
