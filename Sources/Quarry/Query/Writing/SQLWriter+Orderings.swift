extension SQLWriter {
  /// The terms of the root, then those of the joined sources.
  mutating func writeOrdering(_ sources: [PlannedSource]) throws {
    var isFirst = true
    for source in sources.indices {
      let ordering = sources[source].ordering
      if ordering.terms.isEmpty { continue }
      begin(source: source)
      try write(ordering, isFirst: &isFirst)
    }
  }

  mutating func write(_ ordering: OrderingClause, isFirst: inout Bool) throws {
    for case .ordering(let term) in ordering.terms {
      buffer.append(isFirst ? " ORDER BY " : ", ")
      isFirst = false
      try write(term, isReversed: ordering.isReversed)
    }
  }

  /// Terms in their own order, with commas between them.
  mutating func write(terms: [SQLOrdering]) throws {
    try writeList(terms) { try $0.write($1, isReversed: false) }
  }

  mutating func write(_ ordering: SQLOrdering, isReversed: Bool) throws {
    switch ordering.node {
    case .expression(let expression, let direction):
      try write(term: expression)
      buffer.append((isReversed ? direction.reversed : direction).keyword)
    case .columns(let columns, let direction):
      writeList(columns) {
        $0.write(column: $1)
        $0.buffer.append((isReversed ? direction.reversed : direction).keyword)
      }
    case .literal(let sql):
      guard !isReversed else {
        throw InvalidRequest(
          "Ordering literals can't be reversed. To resolve this error, order by expression "
            + "literals instead. For example: order(SQL(\"(score + bonus)\").sqlExpression)")
      }
      try write(sql)
    case .primaryKey: throw InvalidRequest.notPlanned
    }
  }

  /// A term of `ORDER BY` or `GROUP BY`, where an integer in the text would be the number of a
  /// column.
  mutating func write(term expression: SQLExpression) throws {
    let isNumber = mode == .literals && expression.isInteger
    try write(isNumber ? SQLExpression(.cast(expression, type: "INTEGER")) : expression)
  }
}

extension SQLExpression {
  /// Whether the expression is an integer for SQLite, with a minus or a collation perhaps.
  fileprivate var isInteger: Bool {
    guard fitsStack else { return false }
    switch node {
    case .value(let value):
      if case .int64 = value.storage { return true }
      return false
    case .prefix(.minus, let operand), .collate(let operand, _), .json(let operand):
      return operand.isInteger
    case .row(let elements): return elements.count == 1 && elements[0].isInteger
    default: return false
    }
  }
}
