/// A query that is ready to be written: all that the schema knows is in it, and its queries are plans, too.
enum QueryPlan: Sendable {
  case select(SelectPlan)
  case compound(CompoundPlan)
  /// SQL written by hand.
  case literal(SQL)
}
