// When does a request for one row need `LIMIT 1`?

extension SelectPlan {
  /// Whether `LIMIT 1` must be added: there is no limit yet, and several rows are possible.
  func needsLimit(_ relation: Relation, in context: PlanningContext) throws -> Bool {
    if limit != nil { return false }
    if !joins.isEmpty { return true }
    if try pinsUniqueKey(relation.aliases, context.schema) { return false }
    return !(grouping.isEmpty && selectsAggregate)
  }

  private var selectsAggregate: Bool {
    root.selection.contains { $0.expression?.isAggregate == true }
  }

  private func pinsUniqueKey(
    _ aliases: [TableAliasBase], _ schema: any SchemaReader
  ) throws -> Bool {
    guard let table = root.table, !root.filters.isEmpty else { return false }
    let pinned = root.filters.reduce(into: Set<BinaryText>()) { columns, filter in
      columns.formUnion(filter.expression?.identifyingColumns(aliases: aliases) ?? [])
    }
    let isPinned =
      try pinsPrimaryKey(of: table, pinned, schema)
      || (pinned == ["rowid"] && schema.hasRowIDNamedRowID(table))
      || schema.indexes(on: table).contains { $0.isUnique && pinned.contains(all: $0.columns) }
    return try isPinned && !schema.isView(table)
  }

  private func pinsPrimaryKey(
    of table: String, _ pinned: Set<BinaryText>, _ schema: any SchemaReader
  ) throws -> Bool {
    for case .keys(let keys) in root.filters where keys.count == 1 { return true }
    guard let key = try schema.primaryKeyIfKnown(of: table) else { return false }
    return !key.isHiddenRowID && pinned.contains(all: key.columns)
  }
}

extension Set<BinaryText> {
  fileprivate func contains(all columns: [String]) -> Bool {
    isSuperset(of: columns.map(\.identifierKey))
  }
}
