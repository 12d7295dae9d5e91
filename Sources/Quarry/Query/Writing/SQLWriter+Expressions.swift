// Expressions have a bare form, and a wrapped form for operands. Atoms are the same
// in both forms; operators are wrapped in parentheses.

extension SQLWriter {
  /// Writes an expression in its bare form.
  mutating func write(_ expression: SQLExpression) throws {
    try expression.checkStack()
    try write(expression.node, isWrapped: false)
  }

  /// Writes an expression as an operand.
  mutating func write(operand expression: SQLExpression) throws {
    try expression.checkStack()
    if expression.node.traits.contains(.isAtom) {
      return try write(expression.node, isWrapped: true)
    }
    buffer.append("(")
    try write(expression.node, isWrapped: false)
    buffer.append(")")
  }

  mutating func write(_ expression: SQLExpression, isWrapped: Bool) throws {
    if isWrapped { try write(operand: expression) } else { try write(expression) }
  }

  /// Operands, with a separator between them.
  mutating func write(operands: [SQLExpression], separator: StaticString) throws {
    try writeList(operands, separator: separator) { try $0.write(operand: $1) }
  }

  /// Expressions in their bare forms, with commas between them.
  mutating func write(list expressions: [SQLExpression]) throws {
    try writeList(expressions) { try $0.write($1) }
  }

  /// - parameter isWrapped: true for atoms that may contain what is to be wrapped.
  private mutating func write(_ node: SQLExpression.Node, isWrapped: Bool) throws {
    switch node {
    case .column(let name): write(column: name)
    case .value(let value): write(value: value)
    case .row(let elements): try write(row: elements, isWrapped: isWrapped)
    case .subquery(let query): try write("(", query)
    case .literal(let sql): try write(sql)
    case .cast(let operand, let type): try write(castOf: operand, to: type)
    case .function(let call): try write(call)
    case .window(let call, let window): try write(call, over: window)
    case .conditional(let expression): try write(expression)
    case .json(let inner): try write(inner, isWrapped: isWrapped)
    case .jsonElement(let inner):
      buffer.append(sqliteVersion < SQLiteVersion(3, 45) ? "JSON(" : "JSONB(")
      try write(inner)
      buffer.append(")")
    case .comparison(let op, let left, let right): try write(comparison: op.keyword, left, right)
    case .binary(let op, let left, let right): try write(op, left, right)
    case .associative(let op, let operands):
      try write(operands: operands.array, separator: op.keyword)
    case .pattern(let op, let operand, let pattern, let escape, let isNegated):
      try write(operand, op.keyword(isNegated: isNegated), pattern)
      if let escape { try write(" ESCAPE ", operand: escape) }
    case .between(let operand, let lower, let upper, let isNegated):
      try write(operand, isNegated ? " NOT BETWEEN " : " BETWEEN ", lower)
      try write(" AND ", operand: upper)
    case .membership(let operand, let list, let isNegated):
      try write(operand: operand)
      try write(isNegated ? " NOT IN " : " IN ", list)
    case .exists(let query, let isNegated):
      try write(isNegated ? "NOT EXISTS (" : "EXISTS (", query)
    case .not(let operand): try write("NOT ", operand: operand)
    case .prefix(let op, let operand): try write(op.keyword, operand: operand)
    case .collate(let operand, let collation):
      try write(operand)
      buffer.append(" COLLATE ")
      buffer.append(text: collation.plainUnlessKeyword)
    case .isZero(let operand, let isNegated):
      try write(operand: operand)
      buffer.append(isNegated ? " > 0" : " = 0")
    case .qualified(let inner, let alias):
      let saved = current
      current = try source(of: alias)
      try write(inner, isWrapped: isWrapped)
      current = saved
    case .associated(let call, let alias): try write(aggregate: call, of: alias)
    case .fullText(let term): try write(term)
    case .rowIdentity, .aliasExists: throw InvalidRequest.notPlanned
    case .invalid(let fault): throw fault
    }
  }

  private mutating func write(castOf operand: SQLExpression, to type: String) throws {
    buffer.append("CAST(")
    try write(operand)
    buffer.append(" AS ")
    buffer.append(text: type)
    buffer.append(")")
  }

  private mutating func write(row elements: [SQLExpression], isWrapped: Bool) throws {
    if elements.count == 1 { return try write(elements[0], isWrapped: isWrapped) }
    try writeInParentheses { try $0.write(list: elements) }
  }

  private mutating func write(_ call: SQLExpression.FunctionCall) throws {
    buffer.append(text: call.name)
    buffer.append(call.isDistinct ? "(DISTINCT " : "(")
    if call.isOfAllRows { buffer.append("*") } else { try write(list: call.arguments) }
    if !call.orderings.isEmpty {
      require(SQLiteVersion(3, 44), for: "ORDER BY in \(call.name)")
      buffer.append(" ORDER BY ")
      try write(terms: call.orderings)
    }
    buffer.append(")")
    if let filter = call.filter {
      buffer.append(" FILTER (WHERE ")
      try write(filter)
      buffer.append(")")
    }
    if let version = call.since { require(version, for: call.feature ?? call.name) }
  }

  /// `CASE WHEN "score" > ? THEN ? ELSE ? END`
  private mutating func write(_ expression: SQLExpression.CaseExpression) throws {
    buffer.append("CASE")
    if let operand = expression.operand {
      buffer.append(" ")
      try write(operand)
    }
    for (condition, result) in expression.branches {
      buffer.append(" WHEN ")
      try write(condition)
      buffer.append(" THEN ")
      try write(result)
    }
    if let otherwise = expression.otherwise {
      buffer.append(" ELSE ")
      try write(otherwise)
    }
    buffer.append(" END")
  }
}
