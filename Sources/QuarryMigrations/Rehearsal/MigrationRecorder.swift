import Foundation
import Quarry

/// Records what migrations do.
final class MigrationRecorder {
  private(set) var migrations: [RehearsedMigration] = []
  private var identifier: String?
  private var start = Date()
  private var statements: [String] = []
  private var violations: [ForeignKeyViolation] = []
  private var violationDescriptions: [String] = []

  /// A migration has started and is not yet complete.
  var isRunning: Bool { identifier != nil }

  func record(_ progress: MigrationProgress, _ db: Database) {
    switch progress.phase {
    case .started:
      identifier = progress.identifier
      start = Date()
      statements = []
      violations = []
      violationDescriptions = []
      db.trace { [weak self, unowned db] event in self?.record(event, db) }
    case .running:
      break
    case .completed:
      end(error: nil, db)
    }
  }

  func recordViolations(_ db: Database) throws {
    db.trace()
    violations = try db.mainForeignKeyViolations()
    violationDescriptions = try violations.map { try $0.failureDescription(db) }
  }

  func fail(_ error: any Error, _ db: Database) {
    end(error: error, db)
  }

  private func record(_ event: Database.TraceEvent, _ db: Database) {
    guard case .statement(let statement) = event else { return }
    let sql = statement.sql
    // SQLite counts settings as reads, and the transaction of the migration, which takes a lock,
    // not. The checks of foreign keys are switched by the migrator: a migration, which is in a
    // transaction, can't.
    let isSetting =
      sql.hasPrefix("PRAGMA ") && sql.contains("=") && !sql.hasPrefix("PRAGMA foreign_keys ")
    guard isSetting || statement.isChange, !sql.hasPrefix("BEGIN ") else { return }
    statements.append(db.exactSQL(of: statement))
  }

  private func end(error: (any Error)?, _ db: Database) {
    db.trace()
    guard let identifier else { return }
    migrations.append(
      RehearsedMigration(
        identifier: identifier, statements: statements,
        duration: Date().timeIntervalSince(start), violations: violations,
        violationDescriptions: violationDescriptions, error: error))
    self.identifier = nil
  }
}
