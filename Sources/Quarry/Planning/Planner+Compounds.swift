// Compound queries. A member is written as it is, unless that would not be the same query:
//
// | member | written as |
// | --- | --- |
// | a request | `SELECT …` |
// | an ordered or limited one, one with common table expressions, a compound | `SELECT * FROM (SELECT …)` |
// | SQL written by hand | as it is if its text is one plain SELECT or VALUES, else `SELECT * FROM (…)` |
//
// SQLite wants the ordering of a compound to name its columns. Where it orders by expressions, the compound as a whole is
// a subquery: `SELECT * FROM (SELECT … UNION SELECT …) ORDER BY …`.

/// A query that is ready to be written.
enum PlannedQuery {
  case plan(QueryPlan)
  case literal(SQL)
}

/// A member of a compound query.
struct PlannedMember {
  /// What combines the member with those before it. Nil for the first one.
  let op: CompoundOperator?
  let query: PlannedQuery
  /// `SELECT * FROM (…)`
  let isWrapped: Bool
}

extension Planner {
  /// Plans a query inside another one.
  static func plan(_ query: SQLSubquery, in context: PlanningContext) throws -> PlannedQuery {
    switch query.node {
    case .relation(let relation): .plan(try plan(relation, in: context))
    case .compound(let compound): .plan(try plan(compound, in: context))
    case .literal(let sql): .literal(sql)
    }
  }

  /// Plans a compound query.
  static func plan(
    _ compound: Compound, in context: PlanningContext, forSingleResult: Bool = false
  ) throws -> QueryPlan {
    try context.checkStack()
    var plan = QueryPlan.withoutSource(context)
    plan.members.reserveCapacity(compound.others.count + 1)
    plan.members.append(try member(compound.first, nil, in: context))
    for other in compound.others {
      plan.members.append(try member(other.query, other.op, in: context))
    }
    plan.tableExpressions = compound.tableExpressions
    plan.limit = compound.limit ?? (forSingleResult ? Limit(count: 1) : nil)
    plan.root.ordering = try context.resolve(compound.ordering)
    plan.isWrappedForOrdering = !plan.root.ordering.isByColumns
    plan.prefetchPlan = try prefetchPlan(compound, plan)
    return plan
  }

  /// The associations of the first member are fetched for all rows.
  private static func prefetchPlan(_ compound: Compound, _ plan: QueryPlan) throws -> PrefetchPlan?
  {
    guard case .relation(let relation) = compound.first.node,
      case .plan(let first) = plan.members[0].query,
      var prefetchPlan = try PrefetchPlan(relation, plan: first)
    else { return nil }
    var base = compound
    base.limit = plan.limit
    prefetchPlan.base = Relation(
      source: .subquery(SQLSubquery(.compound(base)), name: "grdb_compound"),
      selection: [.items([SQLSelection(.allColumns)])])
    return prefetchPlan
  }

  private static func member(
    _ query: SQLSubquery, _ op: CompoundOperator?, in context: PlanningContext
  ) throws -> PlannedMember {
    let planned = try plan(query, in: context)
    let isWrapped =
      switch planned {
      case .plan(let plan): plan.isMoreThanOneSelect
      case .literal(let sql): !sql.isOneSelect
      }
    return PlannedMember(op: op, query: planned, isWrapped: isWrapped)
  }
}

extension QueryPlan {
  /// The plan of what stands in no query: columns are written without qualifier.
  static func withoutSource(_ context: PlanningContext) -> QueryPlan {
    QueryPlan(
      context: context,
      root: PlannedSource(
        source: .table(""), name: "", selection: [], filters: [], ordering: OrderingClause()))
  }

  /// Has clauses that no member of a compound can have.
  fileprivate var isMoreThanOneSelect: Bool {
    !members.isEmpty || limit != nil || !tableExpressions.isEmpty || root.ordering.isOrdering
      || joins.contains { $0.ordering.isOrdering }
  }
}

extension OrderingClause {
  fileprivate var isOrdering: Bool { !terms.isEmpty || isStable }

  /// True if all terms name columns. What is written by hand is taken for that.
  fileprivate var isByColumns: Bool {
    terms.allSatisfy { term in
      guard case .ordering(let ordering) = term,
        case .expression(let expression, _) = ordering.node
      else { return true }
      return expression.withoutCollation.isColumn
    }
  }
}

extension SQLExpression {
  fileprivate var withoutCollation: SQLExpression {
    if case .collate(let operand, _) = node { operand } else { self }
  }

  fileprivate var isColumn: Bool {
    if case .column = node { true } else { false }
  }
}
