import Quarry

func databaseMigrator(_ writer: any DatabaseWriter, _ dbQueue: DatabaseQueue) throws {
  var migrator = DatabaseMigrator()
  migrator.eraseDatabaseOnSchemaChange = true
  migrator = migrator.disablingDeferredForeignKeyChecks()
  migrator.registerMigration("v1") { db in
    try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
  }
  migrator.registerMigration("v2", foreignKeyChecks: .immediate) { _ in }
  migrator.registerMigration("v3", migrate: createPlayers)
  migrator.registerMigration("v4", merging: ["v1", "v2"]) { db, appliedIdentifiers in
    let _: Set<String> = appliedIdentifiers
    if !appliedIdentifiers.contains("v1") { try db.execute(sql: "SELECT 1") }
  }
  migrator.registerMigration("v5", foreignKeyChecks: .deferred, merging: ["v3"]) { _, _ in }
  try migrator.migrate(writer)
  try migrator.migrate(dbQueue)
  try migrator.migrate(dbQueue, upTo: "v2")
  migrator.asyncMigrate(dbQueue) { result in
    let _: Result<Database, any Error> = result
  }
  migrator.asyncMigrate(dbQueue, completion: { result in _ = try? result.get() })
}

private func createPlayers(_ db: Database) throws {
  try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
}

func migrationStatus(_ migrator: DatabaseMigrator, _ db: Database) throws {
  let _: Bool = try migrator.hasSchemaChanges(db)
  let _: [String] = migrator.migrations
  let _: [String] = try migrator.appliedMigrations(db)
  let _: Set<String> = try migrator.appliedIdentifiers(db)
  let _: [String] = try migrator.completedMigrations(db)
  let _: Bool = try migrator.hasCompletedMigrations(db)
  let _: Bool = try migrator.hasBeenSuperseded(db)
}

func foreignKeyChecks(_ checks: DatabaseMigrator.ForeignKeyChecks) {
  switch checks {
  case .deferred, .immediate: break
  }
  let _: Set<DatabaseMigrator.ForeignKeyChecks> = [checks]
}
