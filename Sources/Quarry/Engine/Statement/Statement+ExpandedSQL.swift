import CSQLite

extension Statement {
  /// The SQL text, with the values of the arguments as literals.
  ///
  /// See <https://www.sqlite.org/c3ref/expanded_sql.html>.
  var expandedSQL: String {
    if engineContext != nil, let engine = owner.database?.object.engine {
      let values = bindings.parameters.availableValues(bindings.arguments)
      if let text = engine.expandedSQL(sql, values) { return text }
    }
    guard let text = unsafe sqlite3_expanded_sql(sqliteStatement) else { return sql }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text).trimmedSQL
  }
}
