extension Database {
  /// The integer that a query selects.
  func fetchInt(_ sql: SQL) throws -> Int {
    try fetchInt(internalStatement(planned { try SQLWriter.write(literal: sql, in: $0) }))
  }

  /// The integer that a request is compiled into: a count, or whether there are rows.
  func fetchInt(_ query: some QueryTree, for purpose: QueryPurpose) throws -> Int {
    try fetchInt(statement(query, for: purpose))
  }

  private func fetchInt(_ statement: Statement) throws -> Int {
    try statement.use { statement in
      guard try statement.start() else { return 0 }
      return unsafe Int(Int64(sqliteStatement: statement.sqliteStatement, index: 0))
    }
  }
}
