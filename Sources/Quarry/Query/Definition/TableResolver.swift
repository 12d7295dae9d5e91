/// A table whose columns and foreign keys are known: ready to be written.
struct ResolvedTable {
  enum Column {
    case column(ColumnModel)
    case raw(DefinitionSQL)
  }

  /// The name of the table in its own statement.
  var createdName: DefinitionName
  var options: TableOptions
  var columns: [Column] = []
  var primaryKey: (columns: [String], conflict: ConflictClause)?
  var uniqueKeys: [(columns: [String], ConflictClause)] = []
  var foreignKeys: [(columns: [String], ReferenceModel)] = []
  var checks: [DefinitionSQL] = []
  var constraints: [DefinitionSQL] = []
}

/// Finds out what the items of a table stand for.
struct TableResolver {
  private let table: TableModel
  private let name: DefinitionName
  /// The name of the table in its own statement, where it gets its name later.
  private let createdName: DefinitionName
  private let schema: any SchemaReader
  private let belongsTo: BelongsToResolver
  private let references: ReferenceResolver

  init(_ table: TableModel, schema: any SchemaReader, createdAs createdName: String?) throws {
    self.table = table
    name = try DefinitionName(table.name, schema)
    self.createdName = createdName.map(name.sibling) ?? name
    self.schema = schema
    let schemaID: DatabaseSchemaID =
      name.schema ?? (table.options.contains(.temporary) ? .temp : .main)
    let parents = ParentTables(child: name, schemaID: schemaID, schema: schema)
    belongsTo = BelongsToResolver(table: table, parents: parents)
    references = try ReferenceResolver(
      parents: parents, key: belongsTo.selfKey().map(\.destination))
  }

  /// The table first, then its indexes.
  func statements() throws -> [String] {
    if let fault = table.fault ?? (table.items.isEmpty ? "a table needs a column" : nil) {
      throw InvalidRequest(fault, request: "CREATE TABLE \(name.sql)")
    }
    let items = try table.items.map(resolve)
    return try [resolve(items).sql(schema)] + indexes(items).map { try $0.sql(schema) }
  }

  /// An item, with the columns that it stands for.
  private struct ResolvedItem {
    var columns: [ColumnModel] = []
    var rawColumn: DefinitionSQL?
    var foreignKey: (columns: [String], ReferenceModel)?
    var compositeIndex: IndexModel?
  }

  private func resolve(_ item: TableModel.Item) throws -> ResolvedItem {
    switch item {
    case .column(let column):
      return try ResolvedItem(columns: [references.resolve(column)])
    case .rawColumn(let sql):
      return ResolvedItem(rawColumn: sql)
    case .foreignKey(let columns, let reference):
      return try ResolvedItem(foreignKey: (columns, references.resolve(reference)))
    case .belongsTo(let foreignKey):
      return try resolve(foreignKey)
    }
  }

  private func resolve(_ foreignKey: BelongsToModel) throws -> ResolvedItem {
    let (columns, reference) = try belongsTo.resolve(foreignKey)
    guard columns.count > 1 else {
      return try ResolvedItem(columns: columns.map(references.resolve))
    }
    let names = columns.map(\.name)
    var item = try ResolvedItem(
      columns: columns, foreignKey: (names, references.resolve(reference)))
    if foreignKey.isUnique || foreignKey.isIndexed {
      var options = indexOptions
      if foreignKey.isUnique { options.insert(.unique) }
      item.compositeIndex = IndexModel(defaultOf: names, of: name, options: options)
    }
    return item
  }

  private func resolve(_ items: [ResolvedItem]) -> ResolvedTable {
    ResolvedTable(
      createdName: createdName, options: table.options,
      columns: items.flatMap { item in
        item.columns.map { .column($0) } + (item.rawColumn.map { [.raw($0)] } ?? [])
      },
      primaryKey: primaryKey(items), uniqueKeys: table.uniqueKeys,
      foreignKeys: items.compactMap(\.foreignKey), checks: table.checks,
      constraints: table.constraints)
  }

  private func primaryKey(
    _ items: [ResolvedItem]
  ) -> (columns: [String], conflict: ConflictClause)? {
    switch table.primaryKey {
    case nil: nil
    case .columns(let columns, let conflict): (columns, conflict)
    case .items(let range, let conflict):
      (items[range].flatMap(\.columns).map(\.name), conflict)
    }
  }

  /// The indexes of several columns first.
  private func indexes(_ items: [ResolvedItem]) -> [IndexModel] {
    items.compactMap(\.compositeIndex)
      + items.flatMap(\.columns).compactMap { $0.index(of: name, options: indexOptions) }
  }

  private var indexOptions: IndexOptions {
    table.options.contains(.ifNotExists) ? .ifNotExists : []
  }
}
