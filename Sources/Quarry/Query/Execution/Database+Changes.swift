extension Database {
  /// Runs a statement of the library's own cache.
  ///
  /// - parameter source: The table or view whose rows the statement changes.
  /// - returns: the number of changed rows. SQLite counts none for a view, whose triggers do the
  ///   changes. What the triggers of a table change does not count.
  package func countChanges(
    of statement: Statement, in source: @autoclosure () -> Source
  ) throws -> Int {
    let totalBefore = totalChangesCount
    try statement.use { try $0.run() }
    let count = changesCount
    if count > 0 { return count }
    // Before the schema, which may be read by statements.
    let changes = changes(since: totalBefore)
    guard changes > 0, case .table(let name) = source(), try schema.isView(name) else { return 0 }
    return changes
  }

  /// A statement that the caller keeps, with its arguments.
  func makeStatement(_ text: SQLText) throws -> Statement {
    let statement = try makeStatement(sql: text.sql)
    try statement.setArguments(text.arguments)
    return statement
  }
}
