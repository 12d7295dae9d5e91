/// A registered migration.
package struct Migration: Sendable {
  package let identifier: String
  /// The migrations that this one replaces.
  package let mergedIdentifiers: Set<String>
  let foreignKeyChecks: DatabaseMigrator.ForeignKeyChecks
  /// False for deferred checks that don't take place.
  let checksDeferredForeignKeys: Bool
  let migrate: @Sendable (Database, Set<String>) throws -> Void
  /// The SQL of a migration that is a file.
  package var sql: String?
  /// Notes that the migration has run, beside its identifier.
  package var record: (@Sendable (Database) throws -> Void)?
  /// Undoes the migration.
  package var down: (@Sendable (Database) throws -> Void)?

  /// Runs `body` in a transaction with the foreign key checks of the migration.
  package func inTransaction(_ db: Database, _ body: () throws -> Void) throws {
    let isDeferred = try db.areForeignKeysEnabled() && foreignKeyChecks == .deferred
    func commit() throws {
      try db.inTransaction(.immediate) {
        try body()
        if isDeferred, checksDeferredForeignKeys { try db.checkMainForeignKeys() }
        return .commit
      }
    }
    if isDeferred { try db.withoutForeignKeys { try commit() } } else { try commit() }
  }
}
