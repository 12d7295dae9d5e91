// Conditions joined by `AND`. One condition alone is bare, several are wrapped: they are counted
// first.

extension SQLWriter {
  /// The number of conditions in filters, where those joined by `AND` count one by one.
  func conditionCount(_ filters: [FilterClause]) -> Int {
    filters.reduce(0) { $0 + ($1.expression?.conjunctCount ?? 1) }
  }

  /// Writes a clause of conditions, or nothing when there are none.
  mutating func write(
    _ keyword: StaticString, conditions filters: [FilterClause], keyColumn: String? = nil
  ) throws {
    if filters.isEmpty { return }
    buffer.append(keyword)
    var conditions = Conjunction(count: conditionCount(filters))
    try write(filters, keyColumn: keyColumn, in: &conditions)
  }

  /// - parameter keyColumn: the column of the primary key, if there are filters on it.
  mutating func write(
    _ filters: [FilterClause], keyColumn: String? = nil, in conditions: inout Conjunction
  ) throws {
    for filter in filters {
      switch filter {
      case .expression(let expression): try write(expression, in: &conditions)
      case .keys(let keys):
        try begin(&conditions) { try $0.write(keys: keys, of: keyColumn, isWrapped: $1) }
      case .deferred, .uniqueKeys, .scope: throw InvalidRequest.notPlanned
      }
    }
  }

  mutating func write(_ expression: SQLExpression, in conditions: inout Conjunction) throws {
    if case .associative(.and, let operands) = expression.node {
      for operand in operands { try write(condition: operand, in: &conditions) }
    } else {
      try write(condition: expression, in: &conditions)
    }
  }

  private mutating func write(condition: SQLExpression, in conditions: inout Conjunction) throws {
    try begin(&conditions) { try $0.write(condition, isWrapped: $1) }
  }

  /// Writes the next condition.
  mutating func begin(
    _ conditions: inout Conjunction,
    _ body: (inout SQLWriter, _ isWrapped: Bool) throws -> Void
  ) rethrows {
    if !conditions.isFirst { buffer.append(" AND ") }
    conditions.isFirst = false
    try body(&self, conditions.isWrapped)
  }

  /// The primary key is one of the values.
  private mutating func write(keys: [DatabaseValue], of column: String?, isWrapped: Bool) throws {
    guard !keys.isEmpty else {
      write(value: false.databaseValue)
      return
    }
    guard let column else { throw InvalidRequest.notPlanned }
    writeInParentheses(if: isWrapped) {
      $0.write(column: column)
      $0.writeEquality(to: keys)
    }
  }

  /// ` = ?`, ` IN (?, ?)`, or one argument for many keys.
  private mutating func writeEquality(to keys: [DatabaseValue]) {
    if keys.count > JSONKeys.listLimit, mode != .literals, sqliteVersion >= JSONKeys.since {
      if let json = JSONKeys.array(of: keys) {
        buffer.append(" IN ")
        return write(json: json)
      }
      if mode == .fewArguments, let list = JSONList(keys) {
        buffer.append(" IN ")
        return write(json: list.json, element: list.element)
      }
    }
    buffer.append(keys.count == 1 ? " = " : " IN (")
    writeList(keys) { $0.write(oneOfMany: $1) }
    if keys.count > 1 { buffer.append(")") }
  }
}

/// Conditions that are being written.
struct Conjunction {
  let isWrapped: Bool
  var isFirst = true

  init(count: Int) { isWrapped = count > 1 }
}

extension SQLExpression {
  /// The number of operands of `AND`, or one.
  var conjunctCount: Int {
    if case .associative(.and, let operands) = node { operands.count } else { 1 }
  }
}
