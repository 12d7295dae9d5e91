extension SQLWriter {
  /// Writes a compound query. See
  /// <https://www.sqlite.org/lang_select.html#compound_select_statements>.
  mutating func write(_ plan: CompoundPlan) throws {
    do {
      try write(plan.tableExpressions)
      try writeMembers(of: plan)
      var isFirst = true
      try write(plan.ordering, isFirst: &isFirst)
      write(plan.limit)
    } catch {
      throw plan.naming(error)
    }
  }

  private mutating func writeMembers(of plan: CompoundPlan) throws {
    if plan.isWrappedForOrdering { buffer.append("SELECT * FROM (") }
    for member in plan.members {
      if let op = member.op { buffer.append(op.keyword) }
      if member.isWrapped { buffer.append("SELECT * FROM (") }
      try write(nested: member.query)
      if member.isWrapped { buffer.append(")") }
    }
    if plan.isWrappedForOrdering { buffer.append(")") }
  }
}
