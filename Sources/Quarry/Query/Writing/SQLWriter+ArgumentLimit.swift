// SQLite limits the number of arguments of a statement. A request that has more is written once
// more, with fewer:
//
// | value | becomes |
// | --- | --- |
// | a list without blobs, at the right of `IN` | one argument, an array in JSON |
// | more than 100 keys without blobs | the same |
// | any other element of a list, any other key, the right operand of a comparison | an SQL literal |
// | all others | an argument |
//
// Results don't depend on that: literals have the affinity of arguments, none, and read as the same
// value.

extension SQLWriter {
  /// The limit of SQLite, where no connection is asked for its own. See
  /// <https://www.sqlite.org/limits.html#max_variable_number>.
  static let defaultArgumentLimit = 32_766

  /// Writes a statement, with few arguments if there are too many.
  static func text(
    in context: PlanningContext, mode: Mode = .arguments,
    _ write: (inout SQLWriter) throws -> Void
  ) throws -> SQLText {
    var writer = SQLWriter(for: context.sqliteVersion, mode: mode)
    try write(&writer)
    let limit = context.connection?.maximumStatementArgumentCount ?? defaultArgumentLimit
    guard writer.arguments.count > limit else { return try writer.finish() }
    writer = SQLWriter(for: context.sqliteVersion, mode: .fewArguments)
    try write(&writer)
    return try writer.finish()
  }

  /// Writes a list that must be one argument, or returns false.
  mutating func writeJSON(elementsOf list: [SQLExpression]) -> Bool {
    guard mode == .fewArguments, sqliteVersion >= JSONKeys.since, let values = list.values,
      let json = JSONList(values)
    else { return false }
    write(json: json.json, element: json.element)
    return true
  }

  /// `(SELECT +"value" FROM json_each(?))`
  mutating func write(json: String, element: String = JSONKeys.element) {
    buffer.append("(SELECT ")
    buffer.append(text: element)
    buffer.append(" FROM json_each(")
    write(value: json.databaseValue)
    buffer.append("))")
  }

  /// Expressions that may be values, with commas between them.
  mutating func write(manyOf expressions: [SQLExpression]) throws {
    try writeList(expressions) { try $0.write(oneOfMany: $1) }
  }

  mutating func write(oneOfMany expression: SQLExpression) throws {
    switch expression.node {
    case .value(let value) where mode == .fewArguments: write(oneOfMany: value)
    case .row(let elements) where mode == .fewArguments && elements.count > 1:
      try writeInParentheses { try $0.write(manyOf: elements) }
    default: try write(expression)
    }
  }

  mutating func write(oneOfMany value: DatabaseValue) {
    if mode == .fewArguments {
      write(literal: value.exactLiteral)
    } else {
      write(value: value)
    }
  }
}

extension [SQLExpression] {
  /// Nil if there are other expressions.
  fileprivate var values: [DatabaseValue]? {
    let values = compactMap { if case .value(let value) = $0.node { value } else { nil } }
    return values.count == count ? values : nil
  }
}
