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

  /// Whether SQLite knows a table, no view: in the schema that it has compiled statements for,
  /// without a look at the file. The message of an earlier error is lost.
  func knowsTable(_ name: String, inSchema schema: String) -> Bool {
    guard let sqliteConnection else { return false }
    return unsafe sqlite3_table_column_metadata(
      sqliteConnection, schema, name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
  }
}
