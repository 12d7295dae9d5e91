import CSQLite

/// The statements that accesses execute around their closures, with their places in the cache of
/// statements, which would look up the text of each in each access.
struct FrequentStatements {
  let beginDeferred = KeptStatement(sql: "BEGIN DEFERRED TRANSACTION")
  let beginImmediate = KeptStatement(sql: "BEGIN IMMEDIATE TRANSACTION")
  let commit = KeptStatement(sql: "COMMIT TRANSACTION")
  let mainSchemaVersion = KeptStatement(sql: "PRAGMA main.schema_version")
}

extension Database {
  /// Executes a statement without result.
  func execute(_ statement: KeptStatement) throws { try statement.idle(self).run() }

  /// The number that SQLite increments with each change of the schema of the main database.
  ///
  /// It is read from the file: in a transaction that has not read yet, this also opens the
  /// snapshot.
  package func readMainSchemaVersion() throws -> Int32 {
    let statement = try frequentStatements.mainSchemaVersion.idle(self)
    try statement.prepareExecution()
    defer { statement.reset() }
    guard try statement.start() else { return 0 }
    return unsafe sqlite3_column_int(statement.sqliteStatement, 0)
  }
}
