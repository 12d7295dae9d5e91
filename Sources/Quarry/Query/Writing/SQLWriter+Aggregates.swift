// Aggregates of associations that are computed in subqueries of their own:
// see `Query/Planning/SelectPlan+Aggregates.swift`.

extension SQLWriter {
  /// `SUM("book"."price")`, or `(SELECT SUM("book"."price") FROM "book" WHERE …)`
  mutating func write(aggregate call: SQLExpression, of alias: TableAliasBase) throws {
    guard let plan = scope.aggregates[alias] else { return try write(call) }
    let saved = current
    buffer.append("(SELECT ")
    if !plan.distinctSources.isEmpty {
      try write(call, ofDistinctRowsOf: plan)
    } else {
      if plan.countsRows {
        buffer.append("COUNT(*)")
      } else {
        try write(call)
      }
      try writeSources(of: plan)
    }
    buffer.append(")")
    current = saved
  }

  /// `SUM("grdb_value") FROM (SELECT DISTINCT "book"."id", "book"."price" AS "grdb_value" FROM …)`,
  /// or `COUNT(*) FROM (SELECT DISTINCT "shelf"."room", "shelf"."num" FROM …)`
  private mutating func write(_ call: SQLExpression, ofDistinctRowsOf plan: AggregatePlan) throws {
    guard case .function(let call) = call.node else { return }
    if plan.countsRows {
      buffer.append("COUNT(*)")
    } else {
      buffer.append(text: call.name)
      buffer.append("(\"grdb_value\")")
    }
    buffer.append(" FROM (SELECT DISTINCT ")
    try writeList(zip(plan.distinctSources, plan.identities)) { writer, source in
      writer.begin(source: source.0)
      try writer.write(list: source.1)
    }
    if !plan.countsRows {
      buffer.append(", ")
      try write(list: call.arguments)
      buffer.append(" AS \"grdb_value\"")
    }
    try writeSources(of: plan)
    buffer.append(")")
  }

  /// ` FROM "book" JOIN "review" ON … WHERE …`: the conditions of the first source stand in
  /// `WHERE`.
  private mutating func writeSources(of plan: AggregatePlan) throws {
    var numbers = plan.sources[...]
    let first = numbers.first.flatMap { plan.isRequired($0) ? $0 : nil }
    buffer.append(" FROM ")
    if let first {
      try write(plan.plannedSources, sourceName: first)
      numbers = numbers.dropFirst()
    } else {
      buffer.append("(SELECT 1)")
    }
    for source in numbers {
      let keyword: StaticString = plan.isRequired(source) ? " JOIN " : " LEFT JOIN "
      try write(keyword, join: source, plan.plannedSources)
    }
    var count = conditionCount(plan.filters)
    if let first { count += conditionCount(plan.plannedSources, of: first) }
    if count == 0 { return }
    buffer.append(" WHERE ")
    var conditions = Conjunction(count: count)
    if let first { try write(plan.plannedSources, conditionsOf: first, in: &conditions) }
    begin(source: 0)
    try write(plan.filters, in: &conditions)
  }
}

extension AggregatePlan {
  /// Rows of the path without row of the source don't count.
  fileprivate func isRequired(_ source: Int) -> Bool {
    path.contains(source) || plannedSources[source].kind != .left
  }
}
