// Aggregates of associations that are computed in subqueries of their own: see `Planning/QueryPlan+Aggregates.swift`.

extension SQLWriter {
  /// `SUM("book"."price")`, or `(SELECT SUM("book"."price") FROM "book" WHERE …)`
  mutating func write(aggregate call: SQLExpression, of alias: TableAliasBase) throws {
    guard let aggregate = plan.isolatedAggregates[alias] else { return try write(call) }
    let saved = current
    buffer.append("(SELECT ")
    if aggregate.selectsDistinctRows {
      try write(call, ofDistinctRowsOf: aggregate)
    } else {
      if aggregate.sources.count == 1, call.isRowCount {
        buffer.append("COUNT(*)")
      } else {
        try write(call)
      }
      try writeSources(of: aggregate)
    }
    buffer.append(")")
    current = saved
  }

  /// `SUM("grdb_value") FROM (SELECT DISTINCT "book"."id", "book"."price" AS "grdb_value" FROM …)`
  private mutating func write(
    _ call: SQLExpression, ofDistinctRowsOf aggregate: IsolatedAggregate
  ) throws {
    guard case .function(let call) = call.node else { return }
    buffer.append(text: call.name)
    buffer.append("(\"grdb_value\") FROM (SELECT DISTINCT ")
    for source in aggregate.path {
      current = .planned(depth: outerPlans.count, source: source)
      write(columns: try plan.context.schema.groupingColumns(of: plan.source(source)))
      buffer.append(", ")
    }
    try write(list: call.arguments)
    buffer.append(" AS \"grdb_value\"")
    try writeSources(of: aggregate)
    buffer.append(")")
  }

  /// ` FROM "book" JOIN "review" ON … WHERE …`: the conditions of the first source stand in `WHERE`.
  private mutating func writeSources(of aggregate: IsolatedAggregate) throws {
    var sources = aggregate.sources[...]
    let first = sources.first.flatMap { aggregate.isRequired($0, in: plan) ? $0 : nil }
    buffer.append(" FROM ")
    if let first {
      try write(sourceName: first)
      sources = sources.dropFirst()
    } else {
      buffer.append("(SELECT 1)")
    }
    for source in sources {
      buffer.append(aggregate.isRequired(source, in: plan) ? " JOIN " : " LEFT JOIN ")
      try write(sourceName: source)
      try write(" ON ", conditionsOf: source)
    }
    var count = conditionCount(aggregate.filters)
    if let first { count += conditionCount(of: first) }
    if count == 0 { return }
    buffer.append(" WHERE ")
    var conditions = Conjunction(count: count)
    if let first { try write(conditionsOf: first, in: &conditions) }
    current = .planned(depth: outerPlans.count, source: 0)
    try write(aggregate.filters, in: &conditions)
  }
}

extension IsolatedAggregate {
  /// Rows of the path without row of the source don't count.
  fileprivate func isRequired(_ source: Int, in plan: QueryPlan) -> Bool {
    path.contains(source) || plan.joins[source - 1].kind != .left
  }
}

extension SQLExpression {
  /// `COUNT(DISTINCT "id")`, where `id` identifies a row.
  fileprivate var isRowCount: Bool {
    guard case .function(let call) = node, call.isDistinct,
      case .qualified(let inner, _)? = call.arguments.first?.node
    else { return false }
    guard case .rowIdentity = inner.node else { return false }
    return true
  }
}
