/// A query that is ready to be written: all that the schema knows is in it, and its queries are
/// plans, too.
enum QueryPlan: PlannedQuery {
  case select(SelectPlan)
  case compound(CompoundPlan)
  /// SQL written by hand.
  case literal(SQL)
}

extension PlannedQuery {
  /// The plan that a closed tree has in the place of a query.
  var plan: QueryPlan {
    get throws {
      guard let plan = self as? QueryPlan else { throw InvalidRequest.notPlanned }
      return plan
    }
  }
}
