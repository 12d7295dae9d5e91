extension SQLWriter {
  mutating func write(
    _ left: SQLExpression, _ keyword: StaticString, _ right: SQLExpression
  ) throws {
    try write(operand: left)
    try write(keyword, operand: right)
  }

  /// Conditions on keys may be many, each with values of its own.
  mutating func write(
    comparison keyword: StaticString, _ left: SQLExpression, _ right: SQLExpression
  ) throws {
    guard mode == .fewArguments, case .value(let value) = right.node else {
      return try write(left, keyword, right)
    }
    try write(operand: left)
    buffer.append(keyword)
    write(oneOfMany: value)
  }

  mutating func write(_ keyword: StaticString, operand: SQLExpression) throws {
    buffer.append(keyword)
    try write(operand: operand)
  }

  /// - parameter keyword: ends with a parenthesis.
  mutating func write(_ keyword: StaticString, _ query: SQLSubquery) throws {
    buffer.append(keyword)
    try write(query)
    buffer.append(")")
  }

  mutating func write(
    _ op: SQLExpression.BinaryOperator, _ left: SQLExpression, _ right: SQLExpression
  ) throws {
    if op == .jsonExtract || op == .jsonExtractSQL {
      require(SQLiteVersion(3, 38), for: op == .jsonExtract ? "Operator ->" : "Operator ->>")
    }
    try write(left, op.keyword, right)
  }

  /// The right operand of `IN`.
  mutating func write(_ keyword: StaticString, _ list: SQLExpression.MembershipList) throws {
    buffer.append(keyword)
    switch list {
    case .list(let elements):
      if writeJSON(elementsOf: elements) { return }
      try writeInParentheses { try $0.write(manyOf: elements) }
    case .rows(let elements):
      // SQLite has no lists of row values.
      buffer.append("(VALUES ")
      try write(manyOf: elements)
      buffer.append(")")
    case .subquery(let query): try write("(", query)
    case .table(let name): buffer.append(identifier: name)
    }
  }

  /// `"author"."id" IS NOT NULL`: the test that the current source has a row.
  ///
  /// - parameter columns: those of which one at least is not null in a row.
  mutating func writeExistence(_ columns: [String], isNegated: Bool, isWrapped: Bool) {
    writeInParentheses(if: isWrapped) {
      $0.writeList(columns, separator: isNegated ? " AND " : " OR ") { writer, column in
        writer.writeInParentheses(if: columns.count > 1) {
          $0.write(column: column)
          $0.buffer.append(isNegated ? " IS NULL" : " IS NOT NULL")
        }
      }
    }
  }
}
