// Clauses, in the order of the SQL. See <https://www.sqlite.org/lang_select.html>.

extension SQLWriter {
  /// Writes a query that stands in no other one.
  mutating func write(root query: QueryPlan) throws {
    switch query {
    case .select(let plan): try write(root: plan)
    case .compound(let plan): try write(plan)
    case .literal(let sql): try write(sql)
    }
  }

  /// Writes a query that stands in no other one.
  mutating func write(root plan: SelectPlan) throws {
    scope = plan.scope
    try write(plan)
  }

  /// Writes a query whose scope is the current one.
  mutating func write(_ plan: SelectPlan) throws {
    do {
      try write(plan.tableExpressions)
      try writeSelection(of: plan)
      buffer.append(" FROM ")
      try write(plan.sources, sourceName: 0)
      try writeJoins(plan.sources)
      try writeFilters(plan.sources)
      try write(grouping: plan.grouping)
      try write(" HAVING ", conditions: plan.havings)
      try write(plan.windows)
      try writeOrdering(plan.sources)
      write(plan.limit)
    } catch {
      throw plan.root.source.naming(error)
    }
  }

  /// Begins a clause of a source.
  mutating func begin(source: Int) { current = .planned(depth: outerScopes.count, source: source) }

  private mutating func writeSelection(of plan: SelectPlan) throws {
    buffer.append(plan.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    let sources = plan.sources.indices.filter { !plan.sources[$0].selection.isEmpty }
    if sources.isEmpty { throw InvalidRequest("Can't generate SQL with an empty selection") }
    try writeList(sources) {
      $0.begin(source: $1)
      try $0.write(list: plan.sources[$1].selection)
    }
  }

  private mutating func write(grouping: [SQLExpression]) throws {
    for (index, term) in grouping.enumerated() {
      buffer.append(index == 0 ? " GROUP BY " : ", ")
      try write(term: term)
    }
  }

  mutating func write(_ limit: Limit?) {
    guard let limit else { return }
    buffer.append(" LIMIT ")
    buffer.append(limit.count)
    if let offset = limit.offset {
      buffer.append(" OFFSET ")
      buffer.append(offset)
    }
  }
}
