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
    let pinned = root.filters.flatMap {
      $0.expression?.identifyingColumns(aliases: aliases).map(\.text) ?? []
    }
    let pinsKey = root.filters.contains {
      if case .keys(let keys) = $0 { keys.count == 1 } else { false }
    }
    return try (pinsKey || schema.hasUniqueKey(pinned, in: table, orPartialOne: true))
      && !schema.isView(table)
  }
}
