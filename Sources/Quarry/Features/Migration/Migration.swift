/// A registered migration.
struct Migration: Sendable {
  let identifier: String
  /// The migrations that this one replaces.
  let mergedIdentifiers: Set<String>
  let foreignKeyChecks: DatabaseMigrator.ForeignKeyChecks
  /// False for deferred checks that don't take place.
  let checksDeferredForeignKeys: Bool
  let migrate: @Sendable (Database, Set<String>) throws -> Void
}
