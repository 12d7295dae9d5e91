extension SQLWriter {
  /// The terms of the root, then those of the joined sources: see rule 13 of SQL rendering.
  mutating func writeOrdering() throws {
    var isFirst = true
    for source in 0..<plan.sourceCount {
      let ordering = source == 0 ? plan.root.ordering : plan.joins[source - 1].ordering
      if ordering.terms.isEmpty && !ordering.isStable { continue }
      current = .planned(depth: outerPlans.count, source: source)
      for case .ordering(let term) in ordering.terms {
        buffer.append(isFirst ? " ORDER BY " : ", ")
        isFirst = false
        try write(term, isReversed: ordering.isReversed)
      }
      if ordering.isStable {
        try writeStableTerms(of: source, isReversed: ordering.isReversed, isFirst: &isFirst)
      }
    }
  }

  mutating func write(_ ordering: SQLOrdering, isReversed: Bool) throws {
    switch ordering.node {
    case .expression(let expression, let direction):
      try write(expression)
      buffer.append((isReversed ? direction.reversed : direction).keyword)
    case .primaryKey(let direction):
      let columns = try plan.context.schema.primaryKeyColumns(of: currentSource())
      for (index, column) in columns.enumerated() {
        if index > 0 { buffer.append(", ") }
        write(column: column)
        buffer.append((isReversed ? direction.reversed : direction).keyword)
      }
    case .literal(let sql):
      guard !isReversed else {
        throw InvalidRequest(
          "Ordering literals can't be reversed. To resolve this error, order by expression "
            + "literals instead. For example: order(SQL(\"(score + bonus)\").sqlExpression)")
      }
      try write(sql)
    }
  }

  /// The primary key, or the numbers of the selected columns for a source without key.
  private mutating func writeStableTerms(
    of source: Int, isReversed: Bool, isFirst: inout Bool
  ) throws {
    let direction: SQLOrdering.Direction = isReversed ? .descending : .unspecified
    let key = try plan[source].table.flatMap(plan.context.schema.primaryKeyIfKnown)
    if let key {
      for column in key.columns {
        buffer.append(isFirst ? " ORDER BY " : ", ")
        isFirst = false
        write(column: column)
        buffer.append(direction.keyword)
      }
      return
    }
    let counter = ColumnCounter(plan: plan) { _ in
      throw InvalidRequest(
        "Can't order rows by all their columns: give names to the columns of the common table "
          + "expression")
    }
    let start = try (0..<source).reduce(0) { try $0 + counter.width(of: $1) }
    for column in try (start + 1)..<(start + 1 + counter.width(of: source)) {
      buffer.append(isFirst ? " ORDER BY " : ", ")
      isFirst = false
      buffer.append(column)
      buffer.append(direction.keyword)
    }
  }
}
