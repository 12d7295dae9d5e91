extension Database {
  /// The integer that a query selects.
  func fetchInt(_ sql: SQL) throws -> Int {
    try fetchInt(SQLWriter.write(literal: sql, in: PlanningContext(self)))
  }

  /// The integer that a query selects.
  func fetchInt(_ text: SQLText) throws -> Int {
    try internalStatement(text).use { statement in
      guard try statement.start() else { return 0 }
      return unsafe Int(Int64(sqliteStatement: statement.sqliteStatement, index: 0))
    }
  }
}
