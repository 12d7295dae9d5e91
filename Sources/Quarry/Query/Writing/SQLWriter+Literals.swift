// SQL written by hand, with what is interpolated in it.

extension SQLWriter {
  mutating func write(_ sql: SQL) throws {
    for element in sql.elements {
      switch element {
      case .raw(let text, let arguments): try write(raw: text, arguments: arguments)
      case .expression(let expression): try write(expression)
      case .selection(let selection): try write(selection)
      case .ordering(let ordering): _ = try write(ordering, isReversed: false)
      case .subquery(let query): try write(query)
      case .identifier(let name): buffer.append(identifier: name)
      case .table(let name, let schema):
        if let schema {
          buffer.append(identifier: schema)
          buffer.append(".")
        }
        buffer.append(identifier: name)
      case .list(let elements): try writeList(elements)
      case .definition(let expression): try write(expression)
      case .columns(let selection, _, let name):
        try write(columns: selection, name: name)
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
      try write(oneOfMany: element)
    }
    buffer.append(")")
  }

  /// The columns of a record type, qualified by a name of the text.
  private mutating func write(
    columns selection: [SQLSelection], name: String
  ) throws {
    let scope = QueryScope(names: [name], isQualified: true)
    try withScope(scope) { try $0.write(list: selection) }
  }
}
