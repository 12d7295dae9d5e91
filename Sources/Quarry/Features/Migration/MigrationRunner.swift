/// Runs migrations on a connection, outside of any transaction.
package struct MigrationRunner {
  let migrator: DatabaseMigrator
  /// Runs each migration that the database lacks, by calling `run`. The place counts these only,
  /// from zero.
  package var around:
    (_ identifier: String, _ place: (index: Int, count: Int), _ run: () throws -> Void) throws ->
      Void = { _, _, run in try run() }
  /// Is called at the end of a migration, in its transaction, before foreign keys are checked.
  package var willEndMigration: ((Database) throws -> Void)?

  /// - parameter target: The last migration to run. Nil for all of them.
  package func run(_ db: Database, upTo target: String?) throws {
    if migrator.refusesNewerDatabases {
      let unknown = try migrator.unknownIdentifiers(db)
      if !unknown.isEmpty { throw DatabaseMigrationError.superseded(unknown) }
    }
    if migrator.eraseDatabaseOnSchemaChange, try needsErasing(db) { try db.erase() }
    // The schema source describes the migrated schema, so it is disabled while migrations run.
    try db.withSchemaSource(nil) {
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS main.grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
          """)
      let applied = try Self.recordedIdentifiers(db)
      let migrations = try migrations(upTo: target, applied: applied)
      let count = migrations.count { !applied.contains($0.identifier) }
      var index = 0
      for migration in migrations {
        if applied.contains(migration.identifier) {
          try Self.forget(migration.mergedIdentifiers.intersection(applied), db)
        } else {
          try around(migration.identifier, (index, count)) { try run(migration, db) }
          index += 1
        }
      }
    }
  }

  static func recordedIdentifiers(_ db: Database) throws -> Set<String> {
    try String.fetchSet(db, sql: "SELECT identifier FROM main.grdb_migrations")
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
    guard let index else {
      throw DatabaseMigrationError.undefinedMigration(
        target, registered: migrator.registered.map(\.identifier))
    }
    guard !migrator.registered[(index + 1)...].contains(where: { applied.contains($0.identifier) })
    else { throw DatabaseMigrationError.migratedBeyond(target) }
    return Array(migrator.registered[...index])
  }

  /// The migrations of the database that are registered no more: one of them may have been renamed,
  /// and so it runs again.
  private func renamingDetails(_ error: DatabaseError, _ db: Database) -> String? {
    guard
      error.message?.contains("already exists") == true
        || error.message?.hasPrefix("duplicate column name") == true,
      let unknown = try? migrator.unknownIdentifiers(db)
    else { return nil }
    return NameSuggestion.list(
      unknown, "was this migration renamed? The database has some that are not registered")
  }

  /// Runs a migration. Its errors name it.
  private func run(_ migration: Migration, _ db: Database) throws {
    do {
      try migration.inTransaction(db) {
        // Another process may have run it since: in this transaction, nobody does.
        let applied = try Self.recordedIdentifiers(db)
        if applied.contains(migration.identifier) {
          return try Self.forget(migration.mergedIdentifiers, db)
        }
        try migration.migrate(db, migration.mergedIdentifiers.intersection(applied))
        try willEndMigration?(db)
        try Self.forget(migration.mergedIdentifiers, db)
        try db.execute(
          sql: "INSERT INTO main.grdb_migrations (identifier) VALUES (?)",
          arguments: [migration.identifier])
        try migration.record?(db)
      }
    } catch let error as DatabaseError {
      throw error.detailed("in migration \"\(migration.identifier)\"")
        .detailed(renamingDetails(error, db))
    }
  }

  /// Deletes what a table has of migrations. An identifier that was saved in another Unicode
  /// normalization is the same one, but not to SQLite.
  package static func forget(
    _ identifiers: Set<String>, in table: String = "grdb_migrations", _ db: Database
  ) throws {
    guard !identifiers.isEmpty else { return }
    let stored = try String.fetchAll(db, sql: "SELECT identifier FROM main.\(table)")
    for identifier in stored where identifiers.contains(identifier) {
      try db.execute(
        sql: "DELETE FROM main.\(table) WHERE identifier = ?", arguments: [identifier])
    }
  }
}
