import CSQLite

extension Statement {
  /// The SQL text, with the values of the arguments as literals.
  ///
  /// See <https://www.sqlite.org/c3ref/expanded_sql.html>.
  var expandedSQL: String {
    guard let text = sqlite3_expanded_sql(sqliteStatement) else { return sql }
    defer { sqlite3_free(text) }
    return String(cString: text).trimmedSQL
  }
}
