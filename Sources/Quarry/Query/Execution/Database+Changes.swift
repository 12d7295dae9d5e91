extension Database {
  /// Runs a statement of the library's own cache.
  ///
  /// - returns: the number of changed rows. SQLite counts none for a view, whose triggers do the
  ///   changes.
  func countChanges(of statement: Statement) throws -> Int {
    let totalBefore = totalChangesCount
    try statement.use { try $0.run() }
    let count = changesCount
    return count > 0 ? count : changes(since: totalBefore)
  }

  /// A statement that the caller keeps, with its arguments.
  func makeStatement(_ text: SQLText) throws -> Statement {
    let statement = try makeStatement(sql: text.sql)
    try statement.setArguments(text.arguments)
    return statement
  }
}
