extension SQLWriter {
  /// Writes an operator, without parentheses around it.
  mutating func write(operator node: SQLExpression.Node) throws {
    switch node {
    case .comparison(let op, let left, let right):
      try write(left, op.keyword, right)
    case .binary(let op, let left, let right):
      if op == .jsonExtract || op == .jsonExtractSQL {
        require(SQLiteVersion(3, 38), for: op == .jsonExtract ? "Operator ->" : "Operator ->>")
      }
      try write(left, op.keyword, right)
    case .associative(let op, let operands):
      try write(operands: operands.array, separator: op.keyword)
    case .not(let operand):
      buffer.append("NOT ")
      try write(operand: operand)
    case .prefix(let op, let operand):
      buffer.append(op.keyword)
      try write(operand: operand)
    case .collate(let operand, let collation):
      try write(operand)
      buffer.append(" COLLATE ")
      buffer.append(text: collation)
    case .window(let call, let window):
      try write(call, over: window)
    case .isZero(let operand, let isNegated):
      try write(operand: operand)
      buffer.append(isNegated ? " > 0" : " = 0")
    case .pattern, .between, .membership, .exists:
      try write(test: node)
    case .literal(let sql):
      try write(sql)
    case .function, .column, .value, .row, .subquery, .cast, .countAll, .conditional, .qualified,
      .aliasExists, .associated, .rowIdentity, .json, .jsonElement, .invalid:
      try write(SQLExpression(node))
    }
  }

  private mutating func write(
    _ left: SQLExpression, _ keyword: StaticString, _ right: SQLExpression
  ) throws {
    try write(operand: left)
    buffer.append(keyword)
    try write(operand: right)
  }

  private mutating func write(test node: SQLExpression.Node) throws {
    switch node {
    case .pattern(let op, let operand, let pattern, let escape, let isNegated):
      try write(operand, op.keyword(isNegated: isNegated), pattern)
      if let escape {
        buffer.append(" ESCAPE ")
        try write(operand: escape)
      }
    case .between(let operand, let lower, let upper, let isNegated):
      try write(operand, isNegated ? " NOT BETWEEN " : " BETWEEN ", lower)
      buffer.append(" AND ")
      try write(operand: upper)
    case .membership(let operand, let list, let isNegated):
      try write(operand: operand)
      buffer.append(isNegated ? " NOT IN " : " IN ")
      try write(list)
    case .exists(let query, let isNegated):
      buffer.append(isNegated ? "NOT EXISTS (" : "EXISTS (")
      try write(query)
      buffer.append(")")
    case .literal, .function, .column, .value, .row, .subquery, .cast, .countAll, .conditional,
      .qualified, .aliasExists, .associated, .rowIdentity, .json, .jsonElement, .invalid,
      .comparison, .binary, .associative, .not, .prefix, .collate, .window, .isZero:
      try write(operator: node)
    }
  }

  private mutating func write(_ list: SQLExpression.MembershipList) throws {
    switch list {
    case .list(let elements):
      buffer.append("(")
      try write(list: elements)
      buffer.append(")")
    case .rows(let elements):
      // SQLite has no lists of row values.
      buffer.append("(VALUES ")
      try write(list: elements)
      buffer.append(")")
    case .subquery(let query):
      buffer.append("(")
      try write(query)
      buffer.append(")")
    case .table(let name):
      buffer.append(identifier: name)
    }
  }

  /// `"author"."id" IS NOT NULL`: the test that the current source has a row.
  ///
  /// - parameter columns: those of which one at least is not null in a row.
  mutating func writeExistence(_ columns: [String], isNegated: Bool, isWrapped: Bool) {
    if isWrapped { buffer.append("(") }
    for (index, column) in columns.enumerated() {
      if index > 0 { buffer.append(isNegated ? " AND " : " OR ") }
      if columns.count > 1 { buffer.append("(") }
      write(column: column)
      buffer.append(isNegated ? " IS NULL" : " IS NOT NULL")
      if columns.count > 1 { buffer.append(")") }
    }
    if isWrapped { buffer.append(")") }
  }
}
