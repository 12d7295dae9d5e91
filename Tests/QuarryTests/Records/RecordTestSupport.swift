import QuarryTestSupport

@testable import Quarry

/// Runs `body` in a bookshop database, with the statements that it executes.
func inBookshop(_ body: (Database, SQLRecorder) throws -> Void) throws {
  let recorder = SQLRecorder()
  let database = try makeBookshopDatabase(configuration: recorder.recording())
  try database.write { db in
    _ = recorder.take()
    try body(db, recorder)
  }
}

/// Runs `body` in an empty database.
func inEmptyDatabase(_ body: (Database) throws -> Void) throws {
  try DatabaseQueue().write(body)
}

extension SQLRecorder {
  /// The statements recorded since the last call, but those that read the schema.
  func takeStatements() -> [String] {
    take().filter { !$0.contains("PRAGMA") && !$0.contains("sqlite_master") }
  }
}

extension Row {
  /// The only row of a query.
  static func only(_ db: Database, _ sql: String) throws -> Row {
    try Row.fetchOne(db, sql: sql) ?? Row()
  }
}
