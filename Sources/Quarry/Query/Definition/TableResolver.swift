/// Finds out what the items of a table stand for, and writes its statements.
struct TableResolver {
  let table: TableModel
  let name: DefinitionName
  /// The name of the table in its own statement, where it gets its name later.
  private let createdName: DefinitionName
  let schema: any SchemaReader
  private(set) var parents: ParentTables

  init(_ table: TableModel, schema: any SchemaReader, createdAs createdName: String?) throws {
    self.table = table
    name = try DefinitionName(table.name, schema)
    self.createdName = createdName.map(name.sibling) ?? name
    self.schema = schema
    let schemaID: DatabaseSchemaID =
      name.schema ?? (table.options.contains(.temporary) ? .temp : .main)
    parents = ParentTables(child: name, schemaID: schemaID, schema: schema)
    parents.key = try selfKey().map(\.destination)
  }

  /// The table first, then its indexes.
  func statements() throws -> [String] {
    if let fault = table.fault ?? (table.items.isEmpty ? "a table needs a column" : nil) {
      throw InvalidRequest(fault, request: "CREATE TABLE \(name.sql)")
    }
    let items = try table.items.map(resolve)
    return try [sql(items)] + indexes(items).map { try $0.sql(schema) }
  }

  /// An item, with the columns that it stands for.
  private struct ResolvedItem {
    var columns: [ColumnModel] = []
    var rawColumn: SQL?
    var foreignKey: (columns: [String], ReferenceModel)?
    var compositeIndex: IndexModel?
  }

  private func resolve(_ item: TableModel.Item) throws -> ResolvedItem {
    switch item {
    case .column(let column): try ResolvedItem(columns: [parents.resolve(column.model)])
    case .rawColumn(let sql): ResolvedItem(rawColumn: sql)
    case .foreignKey(let columns, let reference):
      try ResolvedItem(foreignKey: (columns, parents.resolve(reference)))
    case .belongsTo(let foreignKey): try resolve(foreignKey.model)
    }
  }

  private func resolve(_ foreignKey: BelongsToModel) throws -> ResolvedItem {
    let (columns, reference) = try self.columns(of: foreignKey)
    guard columns.count > 1 else { return try ResolvedItem(columns: columns.map(parents.resolve)) }
    let names = columns.map(\.name)
    var item = try ResolvedItem(
      columns: columns, foreignKey: (names, parents.resolve(reference)))
    if foreignKey.isUnique || foreignKey.isIndexed {
      var options = indexOptions
      if foreignKey.isUnique { options.insert(.unique) }
      item.compositeIndex = IndexModel(defaultOf: names, of: name, options: options)
    }
    return item
  }

  /// `CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "title" TEXT) STRICT`
  private func sql(_ items: [ResolvedItem]) throws -> String {
    var parts: [String] = []
    for item in items {
      parts += try item.columns.map { try $0.sql(schema) }
      if let sql = item.rawColumn { parts.append(try sql.text(schema)) }
    }
    if let (columns, conflict) = primaryKey(items) {
      parts.append("PRIMARY KEY (\(columns.quotedDatabaseIdentifiers))\(conflict.sql)")
    }
    for (columns, conflict) in table.uniqueKeys {
      parts.append("UNIQUE (\(columns.quotedDatabaseIdentifiers))\(conflict.sqlUnlessDefault)")
    }
    for (columns, reference) in items.compactMap(\.foreignKey) {
      parts.append("FOREIGN KEY (\(columns.quotedDatabaseIdentifiers)) \(reference.sql)")
    }
    parts += try table.checks.map { try "CHECK (\($0.text(schema)))" }
    parts += try table.constraints.map { try $0.text(schema) }
    let creation = createdName.creation(
      of: "TABLE", isTemporary: table.options.contains(.temporary),
      ifNotExists: table.options.contains(.ifNotExists))
    return "\(creation) (\(parts.joined(separator: ", ")))\(table.options.sql)"
  }

  private func primaryKey(
    _ items: [ResolvedItem]
  ) -> (columns: [String], conflict: ConflictClause)? {
    switch table.primaryKey {
    case nil: nil
    case .columns(let columns, let conflict): (columns, conflict)
    case .items(let range, let conflict): (items[range].flatMap(\.columns).map(\.name), conflict)
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

extension TableOptions {
  /// ` STRICT, WITHOUT ROWID`, or nothing.
  fileprivate var sql: String {
    switch (contains(.strict), contains(.withoutRowID)) {
    case (true, true): " STRICT, WITHOUT ROWID"
    case (true, false): " STRICT"
    case (false, true): " WITHOUT ROWID"
    case (false, false): ""
    }
  }
}
