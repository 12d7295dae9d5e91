/// Runs migrations on a connection, outside of any transaction.
struct MigrationRunner {
  let migrator: DatabaseMigrator
  let checksDeferredForeignKeys: Bool

  /// - parameter target: The last migration to run. Nil for all of them.
  func run(_ db: Database, upTo target: String?) throws {
    if migrator.eraseDatabaseOnSchemaChange, try needsErasing(db) { try db.erase() }
    // What the schema source says belongs to the current version of the schema.
    try db.withSchemaSource(nil) {
      let sql =
        "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
      try db.execute(sql: sql)
      let migrations = try migrations(upTo: target, applied: Self.recordedIdentifiers(db))
      let applied = try Self.recordedIdentifiers(db)
      for migration in migrations {
        try run(migration, db, applied: applied)
      }
    }
  }

  static func recordedIdentifiers(_ db: Database) throws -> Set<String> {
    try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
  }

  private func needsErasing(_ db: Database) throws -> Bool {
    var needsErasing = false
    try db.inTransaction(.deferred) {
      needsErasing = try migrator.hasSchemaChanges(db)
      return .commit
    }
    return needsErasing
  }

  private func migrations(upTo target: String?, applied: Set<String>) throws -> [Migration] {
    guard let target else { return migrator.registered }
    let index = migrator.registered.firstIndex { $0.identifier == target }
    guard let index else { throw DatabaseMigrationError.undefinedMigration(target) }
    guard !migrator.registered[(index + 1)...].contains(where: { applied.contains($0.identifier) })
    else { throw DatabaseMigrationError.migratedBeyond(target) }
    return Array(migrator.registered[...index])
  }

  private func run(_ migration: Migration, _ db: Database, applied: Set<String>) throws {
    let appliedMerged = migration.mergedIdentifiers.intersection(applied)
    guard applied.contains(migration.identifier) else {
      return try apply(migration, db, appliedMerged: appliedMerged)
    }
    if !appliedMerged.isEmpty { try forgetMerged(migration, db) }
  }

  private func apply(_ migration: Migration, _ db: Database, appliedMerged: Set<String>) throws {
    guard try db.areForeignKeysEnabled(), migration.foreignKeyChecks == .deferred else {
      return try commit(migration, db, appliedMerged: appliedMerged, checksForeignKeys: false)
    }
    try db.withoutForeignKeys {
      try commit(
        migration, db, appliedMerged: appliedMerged,
        checksForeignKeys: checksDeferredForeignKeys)
    }
  }

  private func commit(
    _ migration: Migration, _ db: Database, appliedMerged: Set<String>, checksForeignKeys: Bool
  ) throws {
    try db.inTransaction(.immediate) {
      try migration.migrate(db, appliedMerged)
      try forgetMerged(migration, db)
      try db.execute(
        sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)",
        arguments: [migration.identifier])
      if checksForeignKeys { try db.checkForeignKeys() }
      return .commit
    }
  }

  private func forgetMerged(_ migration: Migration, _ db: Database) throws {
    let identifiers = migration.mergedIdentifiers.sorted()
    guard !identifiers.isEmpty else { return }
    let marks = identifiers.map { _ in "?" }.joined(separator: ",")
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE identifier IN (\(marks))",
      arguments: StatementArguments(identifiers))
  }
}
