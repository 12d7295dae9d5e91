import CSQLite

extension Statement {
  /// The SQL text, with the values of the arguments as literals.
  ///
  /// SQLite writes doubles with 15 digits, infinities as names, and texts up to a NUL character:
  /// where an argument would become another one, the library writes all of them.
  ///
  /// See <https://www.sqlite.org/c3ref/expanded_sql.html>.
  var expandedSQL: String {
    let values = bindings.parameters.availableValues(bindings.arguments)
    // The statement of an engine has another text.
    if engineContext != nil || values.contains(where: \.isChangedInExpandedSQL) {
      return bindings.parameters.expandedSQL(values)
    }
    guard let text = unsafe sqlite3_expanded_sql(sqliteStatement) else { return sql }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text).trimmedSQL
  }
}

extension StatementParameters {
  /// The SQL text, with literals in the places of the parameters.
  fileprivate func expandedSQL(_ values: [DatabaseValue]) -> String {
    let bytes = Array(sql.utf8)
    var expanded: [UInt8] = []
    var (copied, next) = (0, 0)
    for parameter in SQLTokens.parameters(sql) {
      let index: Int? =
        switch parameter.name {
        case .next: next
        case .number(let number): number - 1
        case .name: self.index(of: String(decoding: bytes[parameter.bytes], as: UTF8.self))
        }
      guard let index, values.indices.contains(index) else { continue }
      next = Swift.max(next, index + 1)
      expanded += bytes[copied..<parameter.bytes.lowerBound]
      copied = parameter.bytes.upperBound
      let literal = values[index].sqlLiteral.utf8
      // Two of them begin a comment.
      let minus = UInt8(ascii: "-")
      if expanded.last == minus, literal.first == minus { expanded.append(UInt8(ascii: " ")) }
      expanded += literal
    }
    expanded += bytes[copied...]
    return String(decoding: expanded, as: UTF8.self)
  }
}
