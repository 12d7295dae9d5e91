public import Foundation
public import Quarry

extension DatabaseMigrator {
  /// Adds the migrations of a folder: its SQL files, in the order of their numbers.
  ///
  /// ```
  /// Migrations/1-authors.sql
  /// Migrations/2-books.sql
  /// Migrations/2-books.down.sql
  /// ```
  ///
  /// ```swift
  /// var migrator = DatabaseMigrator()
  /// try migrator.registerMigrations(in: folder)
  /// try migrator.migrate(dbQueue)
  /// ```
  ///
  /// The name of a file begins with a number: `2-books.sql` comes before `10-loans.sql`, and
  /// numbers may be dates, as in `20260131-loans.sql`. The identifier of the migration is the name
  /// without `.sql`. `2-books.down.sql` undoes `2-books.sql`: see
  /// `DatabaseMigrator.migrateDown(_:to:)`. Files without the extension `.sql` are left alone.
  ///
  /// A file has any number of statements in UTF-8. It runs in a transaction, like any migration, so
  /// that statements for transactions, `VACUUM`, `ATTACH` and pragmas other than `user_version` and
  /// `application_id` are errors. The table `grdb_migration_files` keeps the text of the
  /// files that have run, so that an edited one is found: see `DatabaseMigrator.drift(_:)`.
  ///
  /// - parameter folder: The folder, such as one of the resources of the application.
  /// - parameter foreignKeyChecks: When foreign keys are checked.
  /// - throws: A ``MigrationFileError`` for a name or a file that is not valid, and for an
  ///   identifier that is taken. The migrator is as it was.
  public mutating func registerMigrations(
    in folder: URL, foreignKeyChecks: ForeignKeyChecks = .deferred
  ) throws {
    let files = try MigrationFolder(folder)
    try files.checkNumbers()
    let taken = Set(migrations)
    for entry in files.entries where taken.contains(entry.identifier) {
      throw MigrationFileError(
        entry.up.name, "the migration \"\(entry.identifier)\" is already registered")
    }
    for entry in files.entries { register(entry, foreignKeyChecks) }
  }

  private mutating func register(
    _ entry: MigrationFolder.Entry, _ foreignKeyChecks: ForeignKeyChecks
  ) {
    let (identifier, sql) = (entry.identifier, entry.up.sql)
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks) { try entry.up.run($0) }
    let last = registered.count - 1
    registered[last].sql = sql
    registered[last].record = { try MigrationFileRecord(identifier: identifier, sql: sql).save($0) }
    if let down = entry.down { registered[last].down = { try down.run($0) } }
  }

  /// Adds a migration that can be undone.
  ///
  /// ```swift
  /// migrator.registerMigration("Book pages") { db in
  ///   try db.alter(table: "book") { t in t.add(column: "pages", .integer) }
  /// } down: { db in
  ///   try db.alter(table: "book") { t in t.drop(column: "pages") }
  /// }
  /// ```
  ///
  /// - parameter identifier: The identifier of the migration. It stops the program if it is taken.
  /// - parameter foreignKeyChecks: When foreign keys are checked, in both directions.
  /// - parameter migrate: Changes the database. It runs in a transaction.
  /// - parameter down: Undoes what `migrate` does, in a transaction.
  public mutating func registerMigration(
    _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (Database) throws -> Void,
    down: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, migrate: migrate)
    registered[registered.count - 1].down = down
  }
}
