extension DatabaseMigrator {
  /// The identifiers of the registered migrations, in the order of their registration.
  public var migrations: [String] { registered.map(\.identifier) }

  /// The registered migrations that have run, in the order of their registration.
  ///
  /// - throws: A ``DatabaseError``.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.filter(applied.contains)
  }

  /// The identifiers of all migrations that have run, those that are not registered included.
  ///
  /// - throws: A ``DatabaseError``.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    // Without the schema, an attached database would answer.
    guard try db.tableExists("grdb_migrations", in: "main") else { return [] }
    return try MigrationRunner.recordedIdentifiers(db)
  }

  /// The migrations that have run as well as all those registered before them.
  ///
  /// - throws: A ``DatabaseError``.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(migrations.prefix(while: applied.contains))
  }

  /// True if all registered migrations have run.
  ///
  /// - throws: A ``DatabaseError``.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool {
    try completedMigrations(db).count == migrations.count
  }

  /// True if a migration has run that is unknown to this migrator: a newer version of the
  /// application has opened the database.
  ///
  /// ```swift
  /// if try dbQueue.read(migrator.hasBeenSuperseded) {
  ///   throw AppError.databaseIsTooRecent
  /// }
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !unknownIdentifiers(db).isEmpty
  }

  /// The recorded migrations that are neither registered nor merged in registered ones.
  package func unknownIdentifiers(_ db: Database) throws -> [String] {
    try appliedIdentifiers(db).subtracting(knownIdentifiers).sorted()
  }

  /// True if the database does not have the schema that the migrations make: one has changed since
  /// it ran.
  ///
  /// The schema is compared with the one of a new temporary database, where the migrations run up
  /// to the last one that the database has. A database without any migration has no change.
  /// Databases that ``Configuration/prepareDatabase(_:)`` attaches are copied.
  ///
  /// - throws: A ``DatabaseError``, or the error of a migration.
  public func hasSchemaChanges(_ db: Database) throws -> Bool {
    if try hasBeenSuperseded(db) { return true }
    guard let lastMigration = try appliedMigrations(db).last else { return false }
    return try userSchema(db) != expectedSchema(db, upTo: lastMigration)
  }

  /// The registered migrations, and those that they replace.
  private var knownIdentifiers: Set<String> {
    registered.reduce(into: []) { identifiers, migration in
      identifiers.insert(migration.identifier)
      identifiers.formUnion(migration.mergedIdentifiers)
    }
  }

  private func userSchema(_ db: Database) throws -> Set<SchemaObject> {
    try Set(db.readObjects(of: .main).filter { !$0.isInternal })
  }

  private func expectedSchema(_ db: Database, upTo identifier: String) throws -> Set<SchemaObject> {
    var migrator = self
    migrator.eraseDatabaseOnSchemaChange = false
    migrator.refusesNewerDatabases = false
    return try db.withTemporaryDatabase(attached: .copied) { queue in
      try migrator.migrate(queue, upTo: identifier)
      return try queue.unsafeReentrantRead { try userSchema($0) }
    }
  }
}
