import Foundation
import Quarry

/// Records what migrations do.
final class MigrationRecorder {
  private(set) var migrations: [RehearsedMigration] = []
  private var identifier: String?
  private var start = Date()
  private var statements: [String] = []
  /// The savepoints, with the number of statements before.
  private var savepoints: [(name: String, count: Int)] = []
  private var violations: [ForeignKeyViolation] = []
  private var violationDescriptions: [String] = []

  /// A migration has started and is not yet complete.
  var isRunning: Bool { identifier != nil }

  func start(_ identifier: String, _ db: Database) {
    self.identifier = identifier
    start = Date()
    statements = []
    savepoints = []
    violations = []
    violationDescriptions = []
    db.trace { [weak self, unowned db] event in self?.record(event, db) }
    db.failureFunction = { [weak self, unowned db] sql in
      // The algorithm `FAIL` keeps the rows that the statement has changed. Definitions leave the
      // count of the statement before.
      if db.changesCount == 0 || !sql.changesRows { self?.leaveOut(sql) }
    }
  }

  func recordViolations(_ db: Database) throws {
    stopTracing(db)
    violations = try Row.fetchAll(db, sql: db.mainForeignKeyCheck)
      .map { ForeignKeyViolation(row: $0) }
    violationDescriptions = try violations.map { try $0.failureDescription(db) }
  }

  private func record(_ event: Database.TraceEvent, _ db: Database) {
    guard case .statement(let statement) = event else { return }
    let sql = statement.sql
    // SQLite counts settings as reads, and the transaction of the migration, which takes a lock,
    // not. The checks of foreign keys are switched by the migrator: a migration, which is in a
    // transaction, can't.
    let isSetting =
      sql.hasPrefix("PRAGMA ") && sql.contains("=") && !sql.hasPrefix("PRAGMA foreign_keys ")
    guard isSetting || statement.isChange else { return follow(SQLLexer.tokens(ofSchema: sql)) }
    guard !sql.hasPrefix("BEGIN ") else { return }
    statements.append(db.exactSQL(of: statement))
  }

  /// Leaves out a statement that has failed: what it has done is undone.
  private func leaveOut(_ sql: String) { if statements.last == sql { statements.removeLast() } }

  /// Leaves out what `ROLLBACK TO` undoes: the other statements have the same effect without it.
  private func follow(_ tokens: [SQLToken]) {
    guard let first = tokens.first, first.isOne(of: "SAVEPOINT", "RELEASE", "ROLLBACK"),
      let name = tokens.last(where: { $0.kind != .symbol })?.name
    else { return }
    if first.isOne(of: "SAVEPOINT") { return savepoints.append((name, statements.count)) }
    guard let index = savepoints.lastIndex(where: { $0.name.isSameIdentifier(as: name) }) else {
      return
    }
    if first.isOne(of: "RELEASE") { return savepoints.removeSubrange(index...) }
    statements.removeSubrange(savepoints[index].count...)
    savepoints.removeSubrange((index + 1)...)
  }

  private func stopTracing(_ db: Database) {
    db.trace()
    db.failureFunction = nil
  }

  func end(error: (any Error)?, _ db: Database) {
    stopTracing(db)
    guard let identifier else { return }
    migrations.append(
      RehearsedMigration(
        identifier: identifier, statements: statements,
        duration: Date().timeIntervalSince(start), violations: violations,
        violationDescriptions: violationDescriptions, error: error))
    self.identifier = nil
  }
}

extension String {
  /// Whether the statement inserts, updates or deletes rows.
  fileprivate var changesRows: Bool {
    SQLLexer.tokens(ofSchema: self).first?
      .isOne(of: "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH") == true
  }
}
