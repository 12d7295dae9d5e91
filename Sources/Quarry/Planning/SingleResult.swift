// When does a request for one row need `LIMIT 1`? See rule 15 of SQL rendering.

extension QueryPlan {
  /// False if the request has a limit, or at most one row.
  func needsLimit(_ relation: Relation) throws -> Bool {
    if limit != nil { return false }
    if !joins.isEmpty { return true }
    if try pinsUniqueKey(relation) { return false }
    return !(grouping.isEmpty && selectsAggregate)
  }

  private var selectsAggregate: Bool {
    root.selection.contains { selection in
      switch selection.node {
      case .expression(let expression), .aliased(let expression, _): expression.isAggregate
      default: false
      }
    }
  }

  private func pinsUniqueKey(_ relation: Relation) throws -> Bool {
    guard let table = root.table, !root.filters.isEmpty else { return false }
    var columns: Set<String> = []
    for filter in root.filters {
      switch filter {
      case .keys(let keys):
        if keys.count == 1, try !context.schema.isView(table) { return true }
      case .expression(let expression):
        columns.formUnion(expression.identifyingColumns(aliases: relation.aliases))
      case .deferred, .uniqueKeys:
        break
      }
    }
    if columns.isEmpty { return false }
    return try !context.schema.isView(table) && context.schema.hasUniqueKey(columns, in: table)
  }
}
