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

  /// Checks the foreign keys of all tables, those of attached databases and temporary ones
  /// included.
  ///
  /// - throws: A ``DatabaseError`` with code `SQLITE_CONSTRAINT_FOREIGNKEY` for the first
  ///   violation.
  public func checkForeignKeys() throws { try throwFirstViolation(foreignKeyCheck()) }

  /// Checks the foreign keys of a table.
  ///
  /// - parameter tableName: The name of the table, case-insensitive.
  /// - parameter schemaName: The schema to look in. Nil for all of them.
  /// - throws: A ``DatabaseError`` with code `SQLITE_CONSTRAINT_FOREIGNKEY` for the first
  ///   violation.
  public func checkForeignKeys(in tableName: String, in schemaName: String? = nil) throws {
    try throwFirstViolation(foreignKeyCheck(tableName, in: schemaName))
  }

  private func throwFirstViolation(_ sql: String) throws {
    if let row = try Row.fetchCursor(self, sql: sql).next() {
      throw ForeignKeyViolation(row: row).databaseError(self)
    }
  }

  /// The violations of all schemas, the main one first, which is the only one that the pragma
  /// checks without a schema.
  func foreignKeyCheck() throws -> String {
    let others = try mayHaveOtherSchemas ? readSchemaIDs().filter { $0 != .main } : []
    if others.isEmpty { return "PRAGMA foreign_key_check" }
    return ([.main] + others).map { foreignKeyCheck(of: nil, in: $0) }
      .joined(separator: " UNION ALL ")
  }

  func foreignKeyCheck(_ tableName: String, in schemaName: String?) throws -> String {
    try schema.refresh()
    let id = try schema.resolve(tableName, in: schemaName).id
    if mayHaveOtherSchemas { return foreignKeyCheck(of: id.name, in: id.schemaID) }
    return "PRAGMA \(id.schemaID.sqlName).foreign_key_check(\(id.name.quotedDatabaseIdentifier))"
  }

  /// With the schema, which the pragma does not report.
  private func foreignKeyCheck(of table: String?, in schema: DatabaseSchemaID) -> String {
    let table = table?.quotedDatabaseText ?? "NULL"
    let schema = schema.name.quotedDatabaseText
    return "SELECT *, \(schema) AS \"schema\" FROM pragma_foreign_key_check(\(table), \(schema))"
  }
}

// Migrations answer for the main database: others may have had violations before, and SQLite
// refuses the writes of a transaction in which it has found damage.
extension Database {
  /// - throws: A ``DatabaseError`` for the first violation.
  func checkMainForeignKeys() throws { try throwFirstViolation(mainForeignKeyCheck) }

  package var mainForeignKeyCheck: String {
    mayHaveOtherSchemas ? foreignKeyCheck(of: nil, in: .main) : "PRAGMA foreign_key_check"
  }
}
