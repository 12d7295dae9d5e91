extension SQLWriter {
  /// `WITH "recent" AS (SELECT …) `. See <https://www.sqlite.org/lang_with.html>.
  mutating func write(_ definitions: [TableExpression]) throws {
    if definitions.isEmpty { return }
    buffer.append(
      definitions.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
    try writeList(definitions) { try $0.write($1) }
    buffer.append(" ")
  }

  /// `"name"("c1", "c2") AS (SELECT …)`
  mutating func write(_ definition: TableExpression) throws {
    guard let body = definition.body else { throw InvalidRequest.notPlanned }
    buffer.append(identifier: definition.name)
    if let columns = definition.columns, !columns.isEmpty {
      writeInParentheses { $0.writeList(columns) { $0.buffer.append(identifier: $1) } }
    }
    switch definition.isMaterialized {
    case nil: buffer.append(" AS (")
    case true?: buffer.append(" AS MATERIALIZED (")
    case false?: buffer.append(" AS NOT MATERIALIZED (")
    }
    try write(body)
    buffer.append(")")
  }
}
