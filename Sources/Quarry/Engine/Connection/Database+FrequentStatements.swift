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

/// The prepared ones, by number: the cache of statements would look for the text of each, in each
/// access.
struct FrequentStatements {
  private var statements = [Statement?](repeating: nil, count: FrequentStatement.allCases.count)

  subscript(_ kind: FrequentStatement) -> Statement? {
    get { statements[kind.rawValue] }
    set { statements[kind.rawValue] = newValue }
  }
}

extension Database {
  /// Executes a statement without result.
  func execute(_ kind: FrequentStatement) throws {
    try statement(kind).run()
  }

  /// The number that SQLite increments with each change of the schema of the main database.
  ///
  /// It is read from the file: in a transaction that has not read yet, this also opens the
  /// snapshot.
  func readMainSchemaVersion() throws -> Int32 {
    let statement = try statement(.mainSchemaVersion)
    try statement.prepareExecution()
    defer { statement.reset() }
    guard try statement.start() else { return 0 }
    return unsafe sqlite3_column_int(statement.sqliteStatement, 0)
  }

  /// A statement that nobody uses: what SQLite calls while it executes one may need another one.
  private func statement(_ kind: FrequentStatement) throws -> Statement {
    if let statement = frequentStatements[kind], statement.execution.activity == .none {
      return statement
    }
    let statement = try makeInternalStatement(sql: kind.sql)
    frequentStatements[kind] = statement
    return statement
  }
}
