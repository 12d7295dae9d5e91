import CSQLite

/// The statements that accesses execute around their closures.
enum FrequentStatement: Int, CaseIterable {
  case beginDeferred, beginImmediate, commit, mainSchemaVersion

  var sql: String {
    switch self {
    case .beginDeferred: "BEGIN DEFERRED TRANSACTION"
    case .beginImmediate: "BEGIN IMMEDIATE TRANSACTION"
    case .commit: "COMMIT TRANSACTION"
    case .mainSchemaVersion: "PRAGMA main.schema_version"
    }
  }
}

/// Their places in the cache of statements, which would look up the text of each in each access.
struct FrequentStatements {
  private let statements = FrequentStatement.allCases.map { KeptStatement(sql: $0.sql) }

  subscript(_ kind: FrequentStatement) -> KeptStatement { statements[kind.rawValue] }
}

extension Database {
  /// Executes a statement without result.
  func execute(_ kind: FrequentStatement) throws {
    try frequentStatements[kind].idle(self).run()
  }

  /// The number that SQLite increments with each change of the schema of the main database.
  ///
  /// It is read from the file: in a transaction that has not read yet, this also opens the
  /// snapshot.
  func readMainSchemaVersion() throws -> Int32 {
    let statement = try frequentStatements[.mainSchemaVersion].idle(self)
    try statement.prepareExecution()
    defer { statement.reset() }
    guard try statement.start() else { return 0 }
    return unsafe sqlite3_column_int(statement.sqliteStatement, 0)
  }
}
