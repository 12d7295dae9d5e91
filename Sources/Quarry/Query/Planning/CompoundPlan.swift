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
