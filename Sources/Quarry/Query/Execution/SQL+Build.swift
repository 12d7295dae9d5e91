extension SQL {
  /// The text and the arguments.
  ///
  /// ```swift
  /// let query: SQL = "UPDATE player SET name = \(name) WHERE id = \(id)"
  /// let (sql, arguments) = try query.build(db)
  /// // sql is "UPDATE player SET name = ? WHERE id = ?"
  /// ```
  ///
  /// - throws: ``InvalidRequest``, ``DatabaseError``, for interpolated requests.
  public func build(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    let text = try db.planned { try SQLWriter.write(literal: self, in: $0) }
    return (sql: text.sql, arguments: text.arguments)
  }
}
