import Foundation
import Quarry
import QuarryMigrations

func rehearsal(_ migrator: DatabaseMigrator, _ dbQueue: DatabaseQueue) throws {
  var migrator = migrator
  migrator.refusesNewerDatabases = true
  let _: String = try migrator.dryRun(dbQueue)
  let _: String = try migrator.dryRun(dbQueue, upTo: "v1")
  _ = try migrator.rehearse(dbQueue, upTo: "v1")
  let rehearsal: MigrationRehearsal = try migrator.rehearse(dbQueue)
  let _: (Bool, String, String) = (
    rehearsal.isSuccessful, rehearsal.sql, rehearsal.description
  )
  for migration in rehearsal.migrations {
    let _: RehearsedMigration = migration
    let _: (String, [String], TimeInterval) = (
      migration.identifier, migration.statements, migration.duration
    )
    let _: ([ForeignKeyViolation], [String], (any Error)?) = (
      migration.violations, migration.violationDescriptions, migration.error
    )
  }
  let _: DatabaseMigrationError = .superseded(["v2"])
}

func migrationProgress(_ migrator: DatabaseMigrator, _ dbQueue: DatabaseQueue) throws {
  try migrator.migrate(dbQueue) { progress in
    let _: MigrationProgress = progress
    let _: (String, Int, Int, TimeInterval) = (
      progress.identifier, progress.index, progress.count, progress.duration
    )
    switch progress.phase {
    case .started, .running, .completed: throw CancellationError()
    }
  }
  try migrator.migrate(dbQueue, upTo: "v1", progress: { _ in })
}
