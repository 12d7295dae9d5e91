extension TableRecord {
  /// The number of columns that ``databaseSelection`` selects.
  ///
  /// ```swift
  /// // For joins written by hand: the columns of the team come after those of the player.
  /// let adapter = try ScopeAdapter(["team": SuffixRowAdapter(
  ///   fromIndex: Player.numberOfSelectedColumns(db))])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` when the table does not exist, or when the selection is not valid.
  public static func numberOfSelectedColumns(_ db: Database) throws -> Int {
    try all().makePreparedRequest(db, forSingleResult: false).statement.use(\.columnCount)
  }
}
