/// Brings a database to the latest version of its schema.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("Authors") { db in
///   try db.create(table: "author") { t in
///     t.autoIncrementedPrimaryKey("id")
///     t.column("name", .text).notNull()
///   }
/// }
/// migrator.registerMigration("Books") { db in
///   try db.create(table: "book") { t in
///     t.autoIncrementedPrimaryKey("id")
///     t.column("title", .text).notNull()
///     t.belongsTo("author").notNull()
///   }
/// }
/// try migrator.migrate(dbQueue)
/// ```
///
/// Migrations run in the order of their registration, each once, and each in its own transaction: a
/// migration that fails leaves no changes, and those after it do not run. The table
/// `grdb_migrations` of the database has the identifiers of those that ran. Never change a
/// migration that has been released.
///
/// Foreign keys are not enforced while a migration runs, so that tables can be made anew. They are
/// checked before its transaction is committed. See ``ForeignKeyChecks``.
public struct DatabaseMigrator: Sendable {
  /// When the foreign keys of a migration are checked.
  public enum ForeignKeyChecks: Hashable, Sendable {
    /// Not enforced during the migration. All foreign keys of the database are checked at its end,
    /// but not those of attached databases: a migration that changes these calls
    /// ``Database/checkForeignKeys(in:in:)``.
    case deferred

    /// Enforced by SQLite during the migration. This is faster in a large database, and limits how
    /// tables can be altered: see <https://www.sqlite.org/lang_altertable.html#otheralter>.
    case immediate
  }

  /// True to erase the database and start anew when a migration that ran has changed since.
  ///
  /// Set it during development only: all data is lost. See ``hasSchemaChanges(_:)``.
  public var eraseDatabaseOnSchemaChange = false

  /// True to refuse a database that a newer version of the application has migrated: an unknown
  /// migration is a ``DatabaseMigrationError``, and the database is left alone.
  ///
  /// False by default: unknown migrations are ignored. See ``hasBeenSuperseded(_:)``.
  public var refusesNewerDatabases = false

  package var registered: [Migration] = []
  private var checksDeferredForeignKeys = true

  /// Creates a migrator without any migration.
  public init() {}

  /// A migrator that doesn't check foreign keys at the end of the migrations that are registered
  /// from now on.
  ///
  /// ```swift
  /// var migrator = DatabaseMigrator()
  /// migrator.registerMigration("Books") { db in … } // checked
  /// migrator = migrator.disablingDeferredForeignKeyChecks()
  /// migrator.registerMigration("Loans") { db in … } // not checked
  /// ```
  ///
  /// For a large database where the check takes too long. Call ``Database/checkForeignKeys()`` in
  /// the migrations that need it, or register them with the ``ForeignKeyChecks/immediate`` option.
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
    var migrator = self
    migrator.checksDeferredForeignKeys = false
    return migrator
  }

  /// Adds a migration.
  ///
  /// ```swift
  /// migrator.registerMigration("Book pages") { db in
  ///   try db.alter(table: "book") { t in
  ///     t.add(column: "pages", .integer)
  ///   }
  /// }
  /// ```
  ///
  /// - parameter identifier: The identifier of the migration. It stops the program if it is taken.
  /// - parameter foreignKeyChecks: When foreign keys are checked.
  /// - parameter migrate: Changes the database. It runs in a transaction.
  public mutating func registerMigration(
    _ identifier: String,
    foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, merging: []) { db, _ in
      try migrate(db)
    }
  }

  /// Adds a migration that replaces older ones.
  ///
  /// ```swift
  /// migrator.registerMigration("Library", merging: ["Authors", "Books"]) { db, applied in
  ///   if !applied.contains("Authors") { try createAuthors(db) }
  ///   if !applied.contains("Books") { try createBooks(db) }
  /// }
  /// ```
  ///
  /// - parameter identifier: The identifier of the migration. It stops the program if it is taken.
  /// - parameter foreignKeyChecks: When foreign keys are checked.
  /// - parameter mergedIdentifiers: The identifiers of the migrations that are replaced. They are
  ///   no longer registered themselves.
  /// - parameter migrate: Changes the database. It runs in a transaction, and receives those of the
  ///   replaced identifiers that the database has.
  public mutating func registerMigration(
    _ identifier: String,
    foreignKeyChecks: ForeignKeyChecks = .deferred,
    merging mergedIdentifiers: Set<String> = [],
    migrate:
      @escaping @Sendable (_ db: Database, _ appliedIdentifiers: Set<String>) throws -> Void
  ) {
    precondition(
      !registered.contains { $0.identifier == identifier },
      "already registered migration: \"\(identifier)\"")
    registered.append(
      Migration(
        identifier: identifier,
        mergedIdentifiers: mergedIdentifiers.subtracting([identifier]),
        foreignKeyChecks: foreignKeyChecks,
        checksDeferredForeignKeys: checksDeferredForeignKeys,
        migrate: migrate))
  }

  /// Runs the migrations that the database lacks.
  ///
  /// - parameter writer: A database.
  /// - throws: The error of a migration, after its transaction was rolled back.
  public func migrate(_ writer: any DatabaseWriter) throws {
    try writer.barrierWriteWithoutTransaction { db in try runner.run(db, upTo: nil) }
  }

  /// Runs the migrations that the database lacks, up to the given one.
  ///
  /// - parameter writer: A database.
  /// - parameter targetIdentifier: The last migration to run.
  /// - throws: The error of a migration, or a ``DatabaseMigrationError`` when the migration is not
  ///   registered, or a later one has already run.
  public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) throws {
    try writer.barrierWriteWithoutTransaction { db in try runner.run(db, upTo: targetIdentifier) }
  }

  /// Runs the migrations that the database lacks, without waiting.
  ///
  /// - parameter writer: A database.
  /// - parameter completion: Is called in the access to the database, with the migrated database,
  ///   or the error of a migration.
  public func asyncMigrate(
    _ writer: any DatabaseWriter,
    completion: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    writer.asyncBarrierWriteWithoutTransaction { access in
      completion(
        access.flatMap { db in
          Result {
            try runner.run(db, upTo: nil)
            return db
          }
        })
    }
  }

  package var runner: MigrationRunner { MigrationRunner(migrator: self) }
}
