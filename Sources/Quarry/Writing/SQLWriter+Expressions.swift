// Expressions have a bare form, and a wrapped form for operands. Atoms are the same
// in both forms; operators are wrapped in parentheses.

extension SQLWriter {
  /// Writes an expression in its bare form.
  mutating func write(_ expression: SQLExpression) throws {
    try expression.checkStack()
    switch expression.node {
    case .column, .value, .row, .subquery, .cast, .countAll, .conditional, .qualified,
      .aliasExists, .associated, .rowIdentity, .json, .jsonElement, .invalid:
      try write(atom: expression.node, isWrapped: false)
    case .literal(let sql):
      try write(sql)
    case .function(let call):
      try write(call)
    case .comparison, .binary, .associative, .not, .prefix, .collate, .window, .isZero, .pattern,
      .between, .membership, .exists:
      try write(operator: expression.node)
    }
  }

  /// Writes an expression as an operand.
  mutating func write(operand expression: SQLExpression) throws {
    try expression.checkStack()
    switch expression.node {
    case .column, .value, .row, .subquery, .cast, .countAll, .conditional, .qualified,
      .aliasExists, .associated, .rowIdentity, .json, .jsonElement, .invalid:
      try write(atom: expression.node, isWrapped: true)
    case .function(let call) where call.filter == nil:
      try write(call)
    case .literal, .function, .comparison, .binary, .associative, .not, .prefix, .collate, .window,
      .isZero, .pattern, .between, .membership, .exists:
      buffer.append("(")
      try write(expression)
      buffer.append(")")
    }
  }

  /// Operands, with a separator between them.
  mutating func write(operands: [SQLExpression], separator: StaticString) throws {
    for (index, operand) in operands.enumerated() {
      if index > 0 { buffer.append(separator) }
      try write(operand: operand)
    }
  }

  /// Expressions in their bare forms, with commas between them.
  mutating func write(list expressions: [SQLExpression]) throws {
    for (index, expression) in expressions.enumerated() {
      if index > 0 { buffer.append(", ") }
      try write(expression)
    }
  }

  private mutating func write(atom node: SQLExpression.Node, isWrapped: Bool) throws {
    switch node {
    case .column(let name):
      write(column: name)
    case .value(let value):
      write(value: value)
    case .row(let elements):
      try write(row: elements, isWrapped: isWrapped)
    case .subquery(let query):
      buffer.append("(")
      try write(query)
      buffer.append(")")
    case .cast(let operand, let type):
      buffer.append("CAST(")
      try write(operand)
      buffer.append(" AS ")
      buffer.append(text: type)
      buffer.append(")")
    case .countAll:
      buffer.append("COUNT(*)")
    case .qualified(let inner, let alias):
      let saved = current
      current = try source(of: alias)
      if isWrapped { try write(operand: inner) } else { try write(inner) }
      current = saved
    case .associated(let call, let alias):
      try write(aggregate: call, of: alias)
    case .conditional(let expression):
      try write(expression)
    case .json(let inner):
      if isWrapped { try write(operand: inner) } else { try write(inner) }
    case .jsonElement(let inner):
      buffer.append(sqliteVersion < SQLiteVersion(3, 45) ? "JSON(" : "JSONB(")
      try write(inner)
      buffer.append(")")
    case .invalid(let fault):
      throw fault
    case .rowIdentity, .aliasExists:
      throw InvalidRequest.notPlanned
    case .literal, .function, .comparison, .binary, .associative, .not, .prefix, .collate, .window,
      .isZero, .pattern, .between, .membership, .exists:
      try write(operator: node)
    }
  }

  private mutating func write(row elements: [SQLExpression], isWrapped: Bool) throws {
    if elements.count == 1 {
      if isWrapped { try write(operand: elements[0]) } else { try write(elements[0]) }
      return
    }
    buffer.append("(")
    try write(list: elements)
    buffer.append(")")
  }

  private mutating func write(_ call: SQLExpression.FunctionCall) throws {
    buffer.append(text: call.name)
    buffer.append(call.isDistinct ? "(DISTINCT " : "(")
    try write(list: call.arguments)
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
    if let version = call.since {
      require(version, for: call.feature ?? call.name)
    }
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
