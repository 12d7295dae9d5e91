extension SQLWriter {
  /// `WITH "recent" AS (SELECT …) `. See <https://www.sqlite.org/lang_with.html>.
  mutating func writeTableExpressions() throws {
    let definitions = plan.tableExpressions
    if definitions.isEmpty { return }
    buffer.append(
      definitions.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
    for (index, definition) in definitions.enumerated() {
      if index > 0 { buffer.append(", ") }
      try write(definition)
    }
    buffer.append(" ")
  }

  /// `"name"("c1", "c2") AS (SELECT …)`
  mutating func write(_ definition: TableExpression) throws {
    buffer.append(identifier: definition.name)
    if let columns = definition.columns, !columns.isEmpty {
      buffer.append("(")
      for (index, column) in columns.enumerated() {
        if index > 0 { buffer.append(", ") }
        buffer.append(identifier: column)
      }
      buffer.append(")")
    }
    buffer.append(" AS (")
    try write(nested: definition.body)
    buffer.append(")")
  }
}
