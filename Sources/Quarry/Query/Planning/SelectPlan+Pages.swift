// A limit cuts the rows when all of them have been joined and grouped: 50 authors with the numbers
// of their books take as long as all authors. In subqueries, aggregates are computed for the rows
// that are left:
//
//     SELECT a.*, (SELECT COUNT(*) FROM b WHERE b.a = a.id) FROM a ORDER BY a.name LIMIT 50
//
// So are those of a request with a limit, where this yields the same rows, and where indexes find
// the aggregated ones.

extension SelectPlan {
  /// The plan with all aggregates in subqueries, for a request whose limit makes this faster. Nil
  /// for others.
  func isolatingAggregatesOfPage(
    of relation: Relation, in context: PlanningContext
  ) throws -> SelectPlan? {
    guard relation.limit != nil, !relation.isolatesAggregates, !isDistinct, havings.isEmpty,
      windows.isEmpty, case .primaryKey? = relation.grouping,
      !root.selection.contains(where: \.hasWindow), try !isOrderedByAggregate(in: context)
    else { return nil }
    var relation = relation
    relation.isolatesAggregates = true
    var page = self
    do {
      try page.isolateAggregates(of: relation, in: context)
    } catch is InvalidRequest {
      return nil
    }
    let dropsOrder = joins.indices.contains {
      page.sources[$0].isDropped && !sources[$0].ordering.terms.isEmpty
    }
    guard page.grouping.isEmpty, !dropsOrder,
      try page.scope.aggregates.values.allSatisfy({ try page.findsRows(of: $0, in: context) })
    else { return nil }
    return page
  }

  /// True if the order depends on an aggregate, perhaps by the name of its column.
  private func isOrderedByAggregate(in context: PlanningContext) throws -> Bool {
    var orderings = References(context)
    for source in sources { try orderings.visit(source.ordering) }
    if orderings.hasText || !orderings.aggregates.isEmpty { return true }
    return root.selection.contains { selection in
      guard case .aliased(_, let name) = selection.node else { return false }
      return orderings.contains(table: name)
    }
  }

  /// True if an index finds the rows of each source of an aggregate.
  private func findsRows(of aggregate: AggregatePlan, in context: PlanningContext) throws -> Bool {
    try aggregate.sources.allSatisfy { source in
      let join = sources[source]
      guard let table = join.table,
        case .foreignKey(let mapping, let parentIsOrigin, _) = join.condition
      else { return false }
      return try context.schema.hasIndex(
        beginningWith: mapping.map { parentIsOrigin ? $0.destination : $0.origin }, on: table)
    }
  }
}

extension SQLSelection {
  package var hasWindow: Bool {
    switch node {
    case .expression(let expression), .aliased(let expression, _): expression.hasWindow
    case .qualified(let inner, _): inner.hasWindow
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .literal, .invalid: false
    }
  }
}
