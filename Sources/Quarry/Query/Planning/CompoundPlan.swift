/// A compound query. Its columns are those of its first member.
struct CompoundPlan: Sendable {
  var members: [PlannedMember]
  /// Without deferred terms.
  var ordering: OrderingClause
  /// The members are written in a subquery, whose columns the ordering refers to.
  var isWrappedForOrdering = false
  var limit: Limit?
  var tableExpressions: [TableExpression]
  /// The associations to fetch for the rows of the request. Nil for a query inside another one.
  var prefetchPlan: PrefetchPlan?
}

/// A member of a compound query.
struct PlannedMember: Sendable {
  /// The operator that combines the member with those before it. Nil for the first one.
  let op: CompoundOperator?
  let query: QueryPlan
  /// `SELECT * FROM (…)`
  let isWrapped: Bool
}

extension CompoundOperator {
  var keyword: StaticString {
    switch self {
    case .union: " UNION "
    case .unionAll: " UNION ALL "
    case .intersect: " INTERSECT "
    case .except: " EXCEPT "
    }
  }
}

extension CompoundPlan {
  /// The first request, also that of a compound which is the first member, with the definitions
  /// that it may refer to. Nil for SQL written by hand.
  var firstSelect: SelectPlan? {
    var compound = self
    var definitions = tableExpressions
    while case .compound(let inner) = compound.members[0].query {
      compound = inner
      definitions = definitions.merged(with: inner.tableExpressions)
    }
    guard case .select(var first) = compound.members[0].query else { return nil }
    first.tableExpressions = definitions.merged(with: first.tableExpressions)
    return first
  }
}
