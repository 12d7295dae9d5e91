extension SQLWriter {
  /// Writes the query that counts the rows of a request.
  static func write(count relation: Relation, in context: PlanningContext) throws -> SQLText {
    let plan = try Planner.planCount(relation, in: context)
    var writer = SQLWriter(plan)
    do {
      if plan.isWrappedInCount { writer.buffer.append("SELECT COUNT(*) FROM (") }
      try writer.writeSelect()
      if plan.isWrappedInCount { writer.buffer.append(")") }
      return writer.text
    } catch {
      throw plan.root.source.naming(error)
    }
  }

  /// Writes the query that tells if a request has rows.
  static func write(exists relation: Relation, in context: PlanningContext) throws -> SQLText {
    let plan = try Planner.plan(relation, in: context)
    var writer = SQLWriter(plan)
    do {
      writer.buffer.append("SELECT EXISTS (")
      try writer.writeSelect()
      writer.buffer.append(")")
      return writer.text
    } catch {
      throw plan.root.source.naming(error)
    }
  }
}
