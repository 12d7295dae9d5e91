/// Makes the statements that create a table and its indexes.
struct TableGenerator {
  private let table: TableModel
  private let name: DefinitionName
  /// The name of the table in its own statement, where it gets its name later.
  private let createdName: DefinitionName
  private let schema: any SchemaReader
  private let resolver: BelongsToResolver
  private let columns: ColumnGenerator

  init(
    _ table: TableModel, schema: any SchemaReader, createdAs createdName: String? = nil
  ) throws {
    self.table = table
    name = try DefinitionName(table.name, schema)
    self.createdName = createdName.map(name.sibling) ?? name
    self.schema = schema
    resolver = BelongsToResolver(table: table, name: name, schema: schema)
    columns = try ColumnGenerator(
      table: name, key: resolver.selfKey().map(\.destination), schema: schema)
  }

  /// The table first, then its indexes.
  func statements() throws -> [String] {
    if let fault = table.fault ?? (table.items.isEmpty ? "a table needs a column" : nil) {
      throw InvalidRequest(fault, request: "CREATE TABLE \(name.sql)")
    }
    let items = try table.items.map(resolve)
    return try [tableSQL(items)] + items.compactMap(\.compositeIndex) + columnIndexes(items)
  }

  /// An item, with the columns that it stands for.
  private struct ResolvedItem {
    var columns: [ColumnModel] = []
    var rawColumn: String?
    var foreignKey: String?
    var compositeIndex: String?
  }

  private func resolve(_ item: TableModel.Item) throws -> ResolvedItem {
    switch item {
    case .column(let column):
      return ResolvedItem(columns: [column])
    case .rawColumn(let sql):
      return try ResolvedItem(rawColumn: sql.sql(schema))
    case .foreignKey(let columns, let reference):
      return try ResolvedItem(foreignKey: foreignKeySQL(columns, reference))
    case .belongsTo(let foreignKey):
      return try resolve(foreignKey)
    }
  }

  private func resolve(_ foreignKey: BelongsToModel) throws -> ResolvedItem {
    let (columns, reference) = try resolver.resolve(foreignKey)
    guard columns.count > 1 else { return ResolvedItem(columns: columns) }
    let names = columns.map(\.name)
    var item = try ResolvedItem(columns: columns, foreignKey: foreignKeySQL(names, reference))
    if foreignKey.isUnique || foreignKey.isIndexed {
      var options = indexOptions
      if foreignKey.isUnique { options.insert(.unique) }
      let index = IndexGenerator(
        defaultName: IndexGenerator.defaultName(table: name.name, columns: names), table: name,
        options: options)
      item.compositeIndex = index.sql(columns: names)
    }
    return item
  }

  private func tableSQL(_ items: [ResolvedItem]) throws -> String {
    var parts = try items.flatMap { item in
      try item.columns.map(columns.sql) + (item.rawColumn.map { [$0] } ?? [])
    }
    if let primaryKey = primaryKeySQL(items) { parts.append(primaryKey) }
    parts += table.uniqueKeys.map { key, conflict in
      "UNIQUE (\(key.quotedDatabaseIdentifiers))\(conflict.sqlUnlessDefault)"
    }
    parts += items.compactMap(\.foreignKey)
    parts += try table.checks.map { try "CHECK (\($0.sql(schema)))" }
    parts += try table.constraints.map { try $0.sql(schema) }
    return "\(header) (\(parts.joined(separator: ", ")))\(footer)"
  }

  private var header: String {
    var sql = "CREATE "
    if table.options.contains(.temporary) { sql += "TEMPORARY " }
    sql += "TABLE "
    if table.options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
    return sql + createdName.sql
  }

  private var footer: String {
    var options: [String] = []
    if table.options.contains(.strict) { options.append("STRICT") }
    if table.options.contains(.withoutRowID) { options.append("WITHOUT ROWID") }
    return options.isEmpty ? "" : " " + options.joined(separator: ", ")
  }

  private func primaryKeySQL(_ items: [ResolvedItem]) -> String? {
    switch table.primaryKey {
    case nil:
      nil
    case .columns(let columns, let conflict):
      "PRIMARY KEY (\(columns.quotedDatabaseIdentifiers))\(conflict.sql)"
    case .items(let range, let conflict):
      "PRIMARY KEY (\(items[range].flatMap(\.columns).map(\.name).quotedDatabaseIdentifiers))"
        + conflict.sql
    }
  }

  private func foreignKeySQL(_ names: [String], _ reference: ReferenceModel) throws -> String {
    try "FOREIGN KEY (\(names.quotedDatabaseIdentifiers)) \(columns.sql(reference))"
  }

  private func columnIndexes(_ items: [ResolvedItem]) -> [String] {
    items.flatMap(\.columns).compactMap { columns.indexSQL($0, options: indexOptions) }
  }

  private var indexOptions: IndexOptions {
    table.options.contains(.ifNotExists) ? .ifNotExists : []
  }
}
