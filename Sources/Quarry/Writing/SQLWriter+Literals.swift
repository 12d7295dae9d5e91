// SQL written by hand, with what is interpolated in it.

extension SQLWriter {
  mutating func write(_ sql: SQL) throws {
    for element in sql.elements {
      switch element {
      case .raw(let text, let arguments): try write(raw: text, arguments: arguments)
      case .expression(let expression): try write(expression)
      case .selection(let selection): try write(selection)
      case .ordering(let ordering): _ = try write(ordering, isReversed: false)
      case .subquery(let query): try write(nested: query)
      case .identifier(let name): buffer.append(identifier: name)
      case .table(let name): try write(table: name)
      case .list(let elements): try writeList(elements)
      case .definition(let expression): try write(expression)
      case .columns(let selection, let table, let name):
        try write(columns: selection, of: table, name: name)
      }
    }
  }

  /// `(?,?)`. SQLite has no empty list on the right of `IN` but `()`, which is no standard SQL.
  private mutating func writeList(_ elements: [SQLExpression]) throws {
    if elements.isEmpty {
      buffer.append("(SELECT NULL WHERE NULL)")
      return
    }
    buffer.append("(")
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(",") }
      try write(element)
    }
    buffer.append(")")
  }

  /// The columns of a record type, qualified by a name of the text.
  private mutating func write(
    columns selection: [SQLSelection], of table: String, name: String
  ) throws {
    var columns = QueryPlan(
      context: plan.context,
      root: PlannedSource(
        source: .table(table), name: name, selection: selection, filters: [],
        ordering: OrderingClause()))
    columns.isQualified = true
    let saved = current
    outerPlans.append(plan)
    plan = columns
    current = .planned(depth: outerPlans.count, source: 0)
    try write(list: selection)
    plan = outerPlans.removeLast()
    current = saved
  }
}
