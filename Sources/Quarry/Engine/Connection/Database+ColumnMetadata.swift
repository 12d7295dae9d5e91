import CSQLite

extension Database {
  /// The collation that a table declares for a column. Nil for what is no column.
  ///
  /// See <https://www.sqlite.org/c3ref/table_column_metadata.html>.
  package func collation(ofColumn column: String, in table: DatabaseObjectID) throws -> String? {
    var name: UnsafePointer<CChar>?
    let code = unsafe sqlite3_table_column_metadata(
      try requireConnection(), table.schemaID.name, table.name, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name = unsafe name else { return nil }
    return unsafe String(cString: name)
  }

  /// Whether there is a table of a name. False for views, and for what SQLite knows otherwise.
  ///
  /// - parameter schema: empty for any.
  func isTable(_ name: String, in schema: String) -> Bool {
    guard let connection = sqliteConnection else { return false }
    return unsafe sqlite3_table_column_metadata(
      connection, schema.isEmpty ? nil : schema, name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
  }
}
