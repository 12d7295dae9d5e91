extension Database {
  /// The foreign keys declared in a table.
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` when there is no such table or schema.
  public func foreignKeys(
    on tableName: String, in schemaName: String? = nil
  ) throws -> [ForeignKeyInfo] {
    try schema.refresh()
    return try schema.foreignKeys(from: schema.resolve(tableName, in: schemaName))
  }

  /// A cursor over the rows of all tables that reference a missing row.
  ///
  /// ```swift
  /// // PRAGMA foreign_key_check
  /// let violations = try db.foreignKeyViolations()
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func foreignKeyViolations() throws -> RecordCursor<ForeignKeyViolation> {
    try ForeignKeyViolation.fetchCursor(self, sql: "PRAGMA foreign_key_check")
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
    try schema.refresh()
    let id = try schema.resolve(tableName, in: schemaName).id
    let table = id.name.quotedDatabaseIdentifier
    let sql = "PRAGMA \(id.schemaID.sqlName).foreign_key_check(\(table))"
    return try ForeignKeyViolation.fetchCursor(self, sql: sql)
  }

  /// Checks the foreign keys of all tables.
  ///
  /// - throws: A ``DatabaseError`` with code `SQLITE_CONSTRAINT_FOREIGNKEY` for the first
  ///   violation.
  public func checkForeignKeys() throws {
    try throwFirstViolation(of: foreignKeyViolations())
  }

  /// Checks the foreign keys of a table.
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` with code `SQLITE_CONSTRAINT_FOREIGNKEY` for the first
  ///   violation.
  public func checkForeignKeys(in tableName: String, in schemaName: String? = nil) throws {
    try throwFirstViolation(of: foreignKeyViolations(in: tableName, in: schemaName))
  }

  private func throwFirstViolation(of violations: RecordCursor<ForeignKeyViolation>) throws {
    if let violation = try violations.next() { throw violation.databaseError(self) }
  }
}
