extension SQLWriter {
  /// The terms of the root, then those of the joined sources.
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

  /// Terms in their own order, with commas between them.
  mutating func write(terms: [SQLOrdering]) throws {
    for (index, term) in terms.enumerated() {
      if index > 0 { buffer.append(", ") }
      try write(term, isReversed: false)
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
    var key: PrimaryKeyInfo?
    if plan.members.isEmpty, case .table(let table) = plan.source(source) {
      key = try plan.context.schema.primaryKeyIfKnown(of: table)
    }
    if let key {
      for column in key.columns {
        buffer.append(isFirst ? " ORDER BY " : ", ")
        isFirst = false
        write(column: column)
        buffer.append(direction.keyword)
      }
      return
    }
    let counts = try (0...source).map { source in
      try plan.columnCount(of: source) { _ in
        throw InvalidRequest(
          "Can't order rows by all their columns: the number of columns is known to SQLite only")
      }
    }
    let end = counts.reduce(0, +)
    for column in (end - counts[source] + 1)..<(end + 1) {
      buffer.append(isFirst ? " ORDER BY " : ", ")
      isFirst = false
      buffer.append(column)
      buffer.append(direction.keyword)
    }
  }
}
