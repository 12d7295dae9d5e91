extension SQLWriter {
  /// Writes the query that counts the rows of a request.
  static func write(count relation: Relation, in context: PlanningContext) throws -> SQLText {
    try write(count: Planner.planCount(relation, in: context))
  }

  /// Writes the query that counts the rows of a compound request.
  static func write(count compound: Compound, in context: PlanningContext) throws -> SQLText {
    var compound = compound
    compound.ordering = OrderingClause()
    var plan = try Planner.plan(compound, in: context)
    plan.isWrappedInCount = true
    return try write(count: plan)
  }

  private static func write(count plan: QueryPlan) throws -> SQLText {
    var writer = SQLWriter(plan)
    do {
      if plan.isWrappedInCount { writer.buffer.append("SELECT COUNT(*) FROM (") }
      try writer.writeSelect()
      if plan.isWrappedInCount { writer.buffer.append(")") }
      return try writer.finish()
    } catch {
      throw plan.naming(error)
    }
  }

  /// Writes the query that tells if a request has rows.
  static func write(exists relation: Relation, in context: PlanningContext) throws -> SQLText {
    try write(exists: Planner.plan(relation, in: context))
  }

  /// Writes the query that tells if a query has rows.
  static func write(exists plan: QueryPlan) throws -> SQLText {
    var writer = SQLWriter(plan)
    do {
      writer.buffer.append("SELECT EXISTS (")
      try writer.writeSelect()
      writer.buffer.append(")")
      return try writer.finish()
    } catch {
      throw plan.naming(error)
    }
  }
}
