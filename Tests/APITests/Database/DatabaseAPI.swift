import Foundation
import Quarry

func databaseStatements(_ db: Database) throws {
  let _: Statement = try db.makeStatement(sql: "SELECT * FROM player WHERE id = ?")
  let _: Statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id = \(1)")
  let _: Statement = try db.cachedStatement(sql: "SELECT * FROM player WHERE id = ?")
  let _: Statement = try db.cachedStatement(literal: "SELECT * FROM player WHERE id = \(1)")
  let statements: SQLStatementCursor = try db.allStatements(sql: "SELECT 1; SELECT 2")
  let _: Statement? = try statements.next()
  _ = try db.allStatements(sql: "SELECT ?; SELECT ?", arguments: [1, 2])
  _ = try db.allStatements(sql: "SELECT ?; SELECT ?", arguments: nil)
  _ = try db.allStatements(literal: "SELECT \(1); SELECT \(2)")
  try db.execute(sql: "DELETE FROM player")
  try db.execute(sql: "DELETE FROM player WHERE id = ?", arguments: [1])
  try db.execute(sql: "DELETE FROM player WHERE id = :id", arguments: ["id": 1])
  try db.execute(literal: "DELETE FROM player WHERE id = \(1)")
}

func checkpoints(_ db: Database) throws {
  let modes: [Database.CheckpointMode] = [.passive, .full, .restart, .truncate]
  let counts: (walFrameCount: Int, checkpointedFrameCount: Int) = try db.checkpoint()
  try db.checkpoint(modes[0], on: nil)
  _ = counts
  _ = Database.CheckpointMode(rawValue: 0)
}

func databaseConnection(_ db: Database) throws {
  let _: SQLiteConnection? = db.sqliteConnection
  let _: Database.LogErrorFunction? = Database.logError
  let _: Configuration = db.configuration
  let _: (any DatabaseSchemaSource)? = db.schemaSource
  let _: String = db.description
  let _: String = db.debugDescription
  let _: Int64 = db.lastInsertedRowID
  let _: Int = db.changesCount
  let _: Int = db.totalChangesCount
  let _: Bool = db.isInsideTransaction
  let _: ResultCode = db.lastErrorCode
  let _: String? = db.lastErrorMessage
  let _: CInt = Database.sqliteLibVersionNumber
  let _: Date = try db.transactionDate
  let _: Int = db.maximumStatementArgumentCount
  db.add(collation: .french)
  db.remove(collation: .french)
  let _: Int = try db.readOnly { try Player.fetchCount(db) }
  let _: Int = try db.readOnly { 1 }
  db.releaseMemory()
  let busyCallback: Database.BusyCallback = { count in count < 3 }
  _ = busyCallback
}

func databaseErrorLog() {
  Database.logError = { code, message in print(code, message) }
  Database.logError = nil
}

func databaseTrace(_ db: Database) {
  db.trace()
  db.trace { event in print(event) }
  db.trace(options: .profile) { event in
    switch event {
    case .statement(let statement):
      let _: Database.TraceEvent.Statement = statement
      let _: [String] = [statement.sql, statement.expandedSQL, statement.description]
    case .profile(let statement, let duration):
      let _: Database.TraceEvent.Statement = statement
      let _: TimeInterval = duration
    }
    let _: [String] = [event.description, event.expandedDescription]
  }
  db.trace(options: [.statement, .profile], nil)
  let _: CInt = Database.TracingOptions(rawValue: 1).rawValue
}

func databaseTransactions(_ db: Database) throws {
  try db.inTransaction {
    try db.execute(sql: "DELETE FROM player")
    return .commit
  }
  try db.inTransaction(.deferred) { .rollback }
  try db.inTransaction(nil) { .rollback }
  try db.inSavepoint { .commit }
  try db.inSavepoint {
    try db.execute(sql: "DELETE FROM player")
    return .rollback
  }
  try db.beginTransaction()
  try db.beginTransaction(.immediate)
  try db.rollback()
  try db.commit()
}

func databaseBackup(_ db: Database, to copy: Database) throws {
  try db.backup(to: copy)
  try db.backup(to: copy, pagesPerStep: 5)
  try db.backup(to: copy, pagesPerStep: 5) { progress in
    guard progress.isCompleted else { throw CancellationError() }
  }
  try db.backup(to: copy, progress: nil)
}

func afterTransactions(_ db: Database) {
  db.afterNextTransaction { db in print(db.description) }
  db.afterNextTransaction(onCommit: { _ in print("commit") })
  db.afterNextTransaction { _ in
    print("commit")
  } onRollback: { _ in
    print("rollback")
  }
}

func suspensions() {
  NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
  NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
}
