// Rows of the schema are records like others.

extension ColumnInfo: FetchableRecord {}

extension ForeignKeyViolation: FetchableRecord {}

extension Database {
  /// A cursor over the rows of all tables that reference a missing row, those of attached databases
  /// and temporary ones included.
  ///
  /// ```swift
  /// // PRAGMA foreign_key_check
  /// let violations = try db.foreignKeyViolations()
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func foreignKeyViolations() throws -> RecordCursor<ForeignKeyViolation> {
    try ForeignKeyViolation.fetchCursor(self, sql: foreignKeyCheck())
  }

  /// A cursor over the rows of a table that reference a missing row.
  ///
  /// ```swift
  /// // PRAGMA main.foreign_key_check("book")
  /// let violations = try db.foreignKeyViolations(in: "book")
  /// ```
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such table or schema.
  public func foreignKeyViolations(
    in tableName: String, in schemaName: String? = nil
  ) throws -> RecordCursor<ForeignKeyViolation> {
    try ForeignKeyViolation.fetchCursor(self, sql: foreignKeyCheck(tableName, in: schemaName))
  }
}
