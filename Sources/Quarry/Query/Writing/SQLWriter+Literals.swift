// SQL written by hand, with what is interpolated in it.

extension SQLWriter {
  /// Writes SQL, and the end of a comment that has none: what is written next would be a part of
  /// it.
  mutating func write(_ sql: SQL) throws {
    var sql = sql
    sql.endComment()
    for (index, element) in sql.elements.enumerated() {
      switch element {
      case .raw(let text, let arguments): try write(raw: text, arguments: arguments)
      case .expression(let expression): try write(expression)
      case .selection(let selection): try write(selection)
      case .ordering(let ordering): _ = try write(ordering, isReversed: false)
      case .subquery(let query): try write(query)
      case .identifier(let name): buffer.append(identifier: name)
      case .table(let name, let schema):
        if let schema { writeQualifier(schema) }
        buffer.append(identifier: name)
      case .list(let elements):
        let isOperand = index > 0 && sql.elements[index - 1].endsWithIN
        if isOperand, writeJSON(elementsOf: elements) { continue }
        try write(interpolated: elements)
      case .definition(let expression): try write(expression)
      case .columns(let selection, _, let name):
        // The columns of a record type, qualified by a name of the text.
        let scope = QueryScope(names: [name], isQualified: true)
        try withScope(scope) { try $0.write(list: selection) }
      }
    }
  }

  /// `(?,?)`. SQLite has no empty list on the right of `IN` but `()`, which is no standard SQL.
  private mutating func write(interpolated elements: [SQLExpression]) throws {
    if elements.isEmpty {
      buffer.append("(SELECT NULL WHERE NULL)")
      return
    }
    try writeInParentheses {
      try $0.writeList(elements, separator: ",") { try $0.write(oneOfMany: $1) }
    }
  }
}

extension SQL.Element {
  /// Whether a list after it is the right operand of `IN`.
  fileprivate var endsWithIN: Bool {
    guard case .raw(let text, _) = self else { return false }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || (9...13).contains(byte) }
    let word = text.utf8.reversed().drop(while: isSpace).prefix { !isSpace($0) }
    return String(decoding: word.reversed(), as: UTF8.self).lowercased() == "in"
  }
}
