// Compound queries. A member is written as it is, unless that would not be the same query:
//
// | member | written as |
// | --- | --- |
// | a request | `SELECT …` |
// | an ordered or limited one, one with common table expressions, a compound | `SELECT * FROM (SELECT …)` |
// | SQL written by hand | as it is if its text is one plain SELECT or VALUES, else `SELECT * FROM (…)` |
//
// SQLite wants the ordering of a compound to name its columns. Where it orders by expressions, the
// compound as a whole is a subquery: `SELECT * FROM (SELECT … UNION SELECT …) ORDER BY …`.

extension Planner {
  /// Plans a compound request.
  static func plan(
    _ compound: Compound, in context: PlanningContext, forSingleResult: Bool = false
  ) throws -> CompoundPlan {
    var plan = try plan(compound, in: context, inside: [])
    if forSingleResult, plan.limit == nil { plan.limit = Limit(count: 1) }
    plan.prefetchPlan = try prefetchPlan(compound, plan, in: context)
    return plan
  }

  /// Plans a compound query inside other queries, outermost first.
  static func plan(
    _ compound: Compound, in context: PlanningContext, inside enclosing: [SelectPlan]
  ) throws -> CompoundPlan {
    try context.checkStack()
    let planner = ClausePlanner(context: context, plans: enclosing)
    var members = [try member(compound.first, nil, planner)]
    members.reserveCapacity(compound.others.count + 1)
    for other in compound.others { members.append(try member(other.query, other.op, planner)) }
    let ordering = try context.resolve(compound.ordering)
    var plan = CompoundPlan(
      members: members, ordering: ordering, isWrappedForOrdering: !ordering.isByColumns,
      limit: compound.limit, tableExpressions: compound.tableExpressions)
    do {
      try plan.close(planner)
      return plan
    } catch {
      throw plan.naming(error)
    }
  }

  /// The associations of the first request are fetched for all rows.
  private static func prefetchPlan(
    _ compound: Compound, _ plan: CompoundPlan, in context: PlanningContext
  ) throws -> PrefetchPlan? {
    guard let relation = compound.firstRelation, var first = plan.firstSelect else { return nil }
    // Those of the plan are planned: no other values can be filled in.
    first.tableExpressions = relation.tableExpressions
    guard var prefetchPlan = try PrefetchPlan(relation, plan: first, in: context) else {
      return nil
    }
    var base = compound
    base.limit = plan.limit
    prefetchPlan.base = Shared(
      Relation(
        source: .subquery(SQLSubquery(.compound(base)), name: "grdb_compound"),
        selection: [.items([SQLSelection(.allColumns)])]))
    return prefetchPlan
  }

  private static func member(
    _ query: SQLSubquery, _ op: CompoundOperator?, _ planner: ClausePlanner
  ) throws -> PlannedMember {
    let plan = try planner.plan(query)
    return PlannedMember(op: op, query: plan, isWrapped: !plan.isOneSelect)
  }
}

extension Compound {
  /// See `CompoundPlan.firstSelect`.
  fileprivate var firstRelation: Relation? {
    var query = first
    var definitions = tableExpressions
    while case .compound(let inner) = query.node {
      query = inner.first
      definitions = definitions.merged(with: inner.tableExpressions)
    }
    guard case .relation(var relation) = query.node else { return nil }
    relation.tableExpressions = definitions.merged(with: relation.allTableExpressions)
    return relation
  }
}

extension Relation {
  /// The definitions of the request, and of those that are joined to it.
  var allTableExpressions: [TableExpression] {
    joins.reduce(tableExpressions) { $0.merged(with: $1.relation.allTableExpressions) }
  }
}

extension CompoundPlan {
  fileprivate mutating func close(_ planner: ClausePlanner) throws {
    tableExpressions = try tableExpressions.map(planner.map)
    try planner.close(&ordering)
    guard ordering.isStable else { return }
    ordering.isStable = false
    let counter = ColumnCounting(
      context: planner.context, compiles: false, tableExpressions: tableExpressions)
    let count = try counter.known { try $0.count(of: members[0].query) }
    ordering.appendNumbers(1..<(count + 1))
  }
}

extension QueryPlan {
  /// False for clauses that no member of a compound can have.
  fileprivate var isOneSelect: Bool {
    switch self {
    case .select(let plan): plan.isOneSelect
    case .compound: false
    case .literal(let sql): sql.isOneSelect
    }
  }
}

extension SelectPlan {
  fileprivate var isOneSelect: Bool {
    limit == nil && tableExpressions.isEmpty && !sources.contains { $0.ordering.isOrdering }
  }
}

extension OrderingClause {
  fileprivate var isOrdering: Bool { !terms.isEmpty || isStable }

  /// True if all terms name columns. SQL written by hand is taken for that.
  fileprivate var isByColumns: Bool {
    terms.allSatisfy { term in
      guard case .ordering(let ordering) = term,
        case .expression(var expression, _) = ordering.node
      else { return true }
      if case .collate(let operand, _) = expression.node { expression = operand }
      return if case .column = expression.node { true } else { false }
    }
  }
}
