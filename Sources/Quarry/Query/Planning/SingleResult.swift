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
    let isPinned =
      try pinsPrimaryKey(of: table, aliases, schema)
      || (pins("rowid", aliases) && pinsOnlyRowID(aliases) && schema.hasRowIDNamedRowID(table))
      || schema.indexes(on: table).contains { index in
        index.isUnique && index.columns.allSatisfy { pins($0, aliases) }
      }
    return try isPinned && !schema.isView(table)
  }

  private func pinsPrimaryKey(
    of table: String, _ aliases: [TableAliasBase], _ schema: any SchemaReader
  ) throws -> Bool {
    for case .keys(let keys) in root.filters where keys.count == 1 { return true }
    guard let key = try schema.primaryKeyIfKnown(of: table) else { return false }
    return !key.isHiddenRowID && key.columns.allSatisfy { pins($0, aliases) }
  }

  private func pins(_ column: String, _ aliases: [TableAliasBase]) -> Bool {
    root.filters.contains { $0.expression?.pins(column, aliases: aliases) == true }
  }

  private func pinsOnlyRowID(_ aliases: [TableAliasBase]) -> Bool {
    root.filters.allSatisfy { filter in
      let columns = filter.expression?.identifyingColumns(aliases: aliases) ?? []
      return columns.subtracting(["rowid"]).isEmpty
    }
  }
}
