public import Quarry

/// Runs `body` in a bookshop database, with the statements that it executes.
public func inBookshop(_ body: (Database, SQLRecorder) throws -> Void) throws {
  let recorder = SQLRecorder()
  let database = try makeBookshopDatabase(configuration: recorder.recording())
  try database.write { db throws in
    _ = recorder.take()
    try body(db, recorder)
  }
}

/// Runs `body` in a bookshop database, outside of any transaction.
public func withBookshop<T>(
  configuration: Configuration = Configuration(), _ body: (Database) throws -> T
) throws -> T {
  try makeBookshopDatabase(configuration: configuration).writeWithoutTransaction(body)
}

/// Runs `body` in an empty database.
public func inEmptyDatabase(_ body: (Database) throws -> Void) throws {
  try makeEmptyDatabase().write(body)
}

extension SQLRecorder {
  /// The statements recorded since the last call, but those that read the schema.
  public func takeStatements() -> [String] {
    take().filter { !$0.contains("PRAGMA") && !$0.contains("sqlite_master") }
  }
}

extension Database {
  /// The statements that `body` executes.
  public func statements(during body: () throws -> Void) rethrows -> [String] {
    var statements: [String] = []
    trace { event in
      if case .statement(let statement) = event { statements.append(statement.sql) }
    }
    defer { trace() }
    try body()
    return statements
  }
}

extension Row {
  /// The only row of a query.
  public static func only(_ db: Database, _ sql: String) throws -> Row {
    try Row.fetchOne(db, sql: sql) ?? Row()
  }
}
