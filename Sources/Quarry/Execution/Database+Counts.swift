extension Database {
  /// The integer that a query selects.
  func fetchInt(_ sql: SQL) throws -> Int {
    try fetchInt(SQLWriter.write(literal: sql, in: PlanningContext(self)))
  }

  /// The integer that a query selects.
  ///
  /// - parameter relation: the request that the query is about, if it may name its rows.
  func fetchInt(_ text: SQLText, about relation: Relation? = nil) throws -> Int {
    try internalStatement(text).use { statement in
      if let relation, wantsRequestRegions { try statement.attachRegion(of: relation, in: self) }
      guard try statement.start() else { return 0 }
      return unsafe Int(Int64(sqliteStatement: statement.sqliteStatement, index: 0))
    }
  }
}
