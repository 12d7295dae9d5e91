// How many rows does a request have? Where it is certain that the rows of the
// table can be counted in place of those of the request, they are.

/// The query that counts the rows of a request.
struct CountPlan {
  let query: QueryPlan
  /// The query is written in `SELECT COUNT(*) FROM (…)`.
  let isWrapped: Bool
}

extension Planner {
  /// Plans the count of the rows of a request.
  static func planCount(_ relation: Relation, in context: PlanningContext) throws -> CountPlan {
    var relation = relation
    relation.removeOrdering()
    relation.prefetches = []
    let count = try countSelection(relation, in: context)
    if let count {
      relation.selection = [.items([SQLSelection(.expression(count))])]
      relation.isDistinct = false
      relation.windows = []
    }
    return CountPlan(
      query: .select(try plan(relation, in: context)), isWrapped: count == nil)
  }

  /// Plans the count of the rows of a compound request.
  static func planCount(_ compound: Compound, in context: PlanningContext) throws -> CountPlan {
    var compound = compound
    compound.ordering = OrderingClause()
    return CountPlan(query: .compound(try plan(compound, in: context)), isWrapped: true)
  }

  /// The aggregate that counts the rows when it replaces the selection of the request, if there is
  /// one.
  private static func countSelection(
    _ relation: Relation, in context: PlanningContext
  ) throws -> SQLExpression? {
    guard relation.grouping == nil, relation.havings.isEmpty, relation.limit == nil,
      relation.tableExpressions.isEmpty, relation.joins.isEmpty
    else { return nil }
    let items = try context.resolve(relation.selection)
    guard !items.isEmpty, try !relation.isFilteredBySelectedValue(in: context) else { return nil }
    if relation.isDistinct {
      // COUNT(DISTINCT X) leaves out nulls, which are a row of the request.
      guard items.count == 1, case .column(let column)? = items[0].expression?.node,
        try context.schema.hasNoNulls(in: column, of: relation.source)
      else { return nil }
      return SQLExpression.aggregate("COUNT", [SQLExpression(.column(column))], isDistinct: true)
    }
    guard items.allSatisfy({ $0.isPlain(isAlone: items.count == 1) }),
      try !items.haveAggregate(in: context)
    else { return nil }
    return .aggregate("COUNT", [])
  }
}

extension [SQLSelection] {
  /// Whether the rows may be one, in which an aggregate is computed: that of a subquery may belong
  /// to the request.
  fileprivate func haveAggregate(in context: PlanningContext) throws -> Bool {
    var calls = RawCalls(context.connection)
    for item in self { try calls.visit(item) }
    return try calls.hasAggregate || References(context) { try $0.visit(self) }.hasSubqueries
  }
}

extension SQLSelection {
  /// Whether the selection has no effect on the number of rows, aggregates aside.
  fileprivate func isPlain(isAlone: Bool) -> Bool {
    switch node {
    case .allColumns, .allColumnsExcluding, .columns, .expression, .primaryKey: true
    case .aliased: isAlone
    case .literal, .qualified, .invalid: false
    }
  }
}

extension SchemaReader {
  /// Whether a column is null in no row. False where that is not certain: declarations don't bind
  /// views and virtual tables.
  fileprivate func hasNoNulls(in column: String, of source: Source) throws -> Bool {
    guard case .table(let table) = source, try exists(table), try !isView(table),
      try !isVirtual(table)
    else { return false }
    let key = try primaryKeyIfKnown(of: table)
    if key?.rowIDColumn?.isSameIdentifier(as: column) == true { return true }
    guard let info = try columns(of: table).first(where: { $0.name.isSameIdentifier(as: column) })
    else { return key?.rowIDName?.isSameIdentifier(as: column) == true }
    return info.isNotNull
  }
}
