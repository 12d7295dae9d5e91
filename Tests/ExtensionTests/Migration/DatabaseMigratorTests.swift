import Quarry
import QuarryTestSupport
import Testing

@Suite("Migrations", .onQueueAndPool)
struct DatabaseMigratorTests {
  private struct Failure: Error {}

  /// The statements that `migrator` executes in a new database.
  private func statements(
    of migrator: DatabaseMigrator, configuration: Configuration = Configuration()
  ) throws -> [String] {
    let recorder = SQLRecorder()
    let queue = try makeEmptyDatabase(configuration: recorder.recording(configuration))
    _ = recorder.take()
    try migrator.migrate(queue)
    return recorder.take()
  }

  @Test
  func `migrations run once, in the order of their registration`() throws {
    let queue = try makeEmptyDatabase()
    try libraryMigrator().migrate(queue)
    try libraryMigrator().migrate(queue)
    try queue.read { db throws in
      #expect(try db.columns(in: "book").map(\.name) == ["id", "title", "authorId", "pages"])
      #expect(
        try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
          == ["authors", "books", "pages"])
    }
  }

  @Test
  func `a migrated database is only read`() throws {
    let recorder = SQLRecorder()
    let queue = try makeEmptyDatabase(configuration: recorder.recording())
    try libraryMigrator().migrate(queue)
    _ = recorder.take()
    try libraryMigrator().migrate(queue)
    #expect(
      recorder.take() == [
        "CREATE TABLE IF NOT EXISTS main.grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        "SELECT identifier FROM main.grdb_migrations",
      ])
  }

  @Test
  func `foreign keys are off during a migration, and checked at its end`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { try $0.execute(sql: "CREATE TABLE t (a)") }
    #expect(
      try statements(of: migrator).dropFirst(2) == [
        "PRAGMA foreign_keys",
        "PRAGMA foreign_keys = OFF",
        "BEGIN IMMEDIATE TRANSACTION",
        "SELECT identifier FROM main.grdb_migrations",
        "CREATE TABLE t (a)",
        "INSERT INTO main.grdb_migrations (identifier) VALUES (?)",
        "PRAGMA foreign_key_check",
        "COMMIT TRANSACTION",
        "PRAGMA foreign_keys = ON",
      ])
  }

  @Test
  func `foreign keys are not checked when they are enforced, off, or when the check is disabled`()
    throws
  {
    let immediate = [
      "PRAGMA foreign_keys", "BEGIN IMMEDIATE TRANSACTION",
      "SELECT identifier FROM main.grdb_migrations", "CREATE TABLE t (a)",
      "INSERT INTO main.grdb_migrations (identifier) VALUES (?)", "COMMIT TRANSACTION",
    ]
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a", foreignKeyChecks: .immediate) {
      try $0.execute(sql: "CREATE TABLE t (a)")
    }
    #expect(try statements(of: migrator).dropFirst(2) == immediate[...])

    migrator = DatabaseMigrator()
    migrator.registerMigration("a") { try $0.execute(sql: "CREATE TABLE t (a)") }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    #expect(
      try statements(of: migrator, configuration: configuration).dropFirst(2) == immediate[...])

    migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("a") { try $0.execute(sql: "CREATE TABLE t (a)") }
    let unchecked = try statements(of: migrator)
    #expect(unchecked.contains("PRAGMA foreign_keys = OFF"))
    #expect(!unchecked.contains("PRAGMA foreign_key_check"))
    #expect(unchecked.last == "PRAGMA foreign_keys = ON")
  }

  @Test
  func `the check is disabled for the migrations that are registered afterwards`() throws {
    func orphan(_ id: Int) -> @Sendable (Database) throws -> Void {
      { db in try db.execute(sql: "INSERT INTO book (id, title, authorId) VALUES (\(id), 'x', 77)")
      }
    }
    var checked = libraryMigrator()
    checked.registerMigration("checked", migrate: orphan(1))
    var migrator = checked.disablingDeferredForeignKeyChecks()
    migrator.registerMigration("unchecked", migrate: orphan(2))
    let queue = try makeEmptyDatabase()
    let error = databaseError { try migrator.migrate(queue) }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(try queue.read(migrator.appliedMigrations) == ["authors", "books", "pages"])

    migrator = libraryMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("unchecked", migrate: orphan(2))
    try migrator.migrate(queue)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT authorId FROM book") } == 77)
    // The other migrator still checks.
    checked.registerMigration("orphans", migrate: orphan(3))
    #expect(databaseError { try checked.migrate(queue) }?.resultCode == .SQLITE_CONSTRAINT)
  }

  @Test(.enabled(if: !isOnCluster, "a cluster has no attached databases"))
  func `a migration answers for the foreign keys of the main database`() throws {
    let queue = try makeEmptyDatabase()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA foreign_keys = OFF;
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.author (id INTEGER PRIMARY KEY);
          CREATE TABLE archive.book (id INTEGER PRIMARY KEY, authorId REFERENCES author(id));
          INSERT INTO archive.book VALUES (1, 77);
          ATTACH ':memory:' AS mismatched;
          CREATE TABLE mismatched.author (name TEXT);
          CREATE TABLE mismatched.book (author TEXT REFERENCES author(name));
          CREATE TABLE temp.draft (authorId INTEGER REFERENCES author(id));
          INSERT INTO temp.draft VALUES (77);
          PRAGMA foreign_keys = ON;
          """)
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("others") { db in
      try db.execute(sql: "INSERT INTO archive.book VALUES (2, 77)")
    }
    try migrator.migrate(queue)
    migrator.registerMigration("checked") { db in
      try db.checkForeignKeys(in: "book", in: "archive")
    }
    let final = migrator
    let error = databaseError { try final.migrate(queue) }
    #expect(
      error?.message == """
        FOREIGN KEY constraint violation - from archive.book(authorId) to author(id), \
        in [id:1 authorId:77]
        """)
  }

  @Test
  func `a violated foreign key undoes the migration, and reports the row`() throws {
    let queue = try makeEmptyDatabase()
    var migrator = libraryMigrator()
    migrator.registerMigration("orphan") { db in
      try db.execute(sql: "INSERT INTO book (id, title, authorId) VALUES (1, 'x', 77)")
    }
    migrator.registerMigration("later") { try $0.execute(sql: "CREATE TABLE later (a)") }
    let error = #expect(throws: DatabaseError.self) { try migrator.migrate(queue) }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(
      error?.message == """
        FOREIGN KEY constraint violation - from book(authorId) to author(id), \
        in [id:1 title:"x" authorId:77 pages:NULL]
        """)
    try queue.writeWithoutTransaction { db throws in
      #expect(try migrator.appliedMigrations(db) == ["authors", "books", "pages"])
      #expect(try !db.tableExists("later"))
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") == 0)
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test
  func `a migration that fails leaves nothing behind, and those after it don't run`() throws {
    let queue = try makeEmptyDatabase()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { try $0.execute(sql: "CREATE TABLE a (x)") }
    migrator.registerMigration("b") { db in
      try db.execute(sql: "CREATE TABLE b (x)")
      throw Failure()
    }
    migrator.registerMigration("c") { try $0.execute(sql: "CREATE TABLE c (x)") }
    #expect(throws: Failure.self) { try migrator.migrate(queue) }
    try queue.writeWithoutTransaction { db throws in
      #expect(try migrator.appliedMigrations(db) == ["a"])
      #expect(try db.tableExists("a") && !db.tableExists("b") && !db.tableExists("c"))
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      #expect(!db.isInsideTransaction)
    }
  }

  @Test
  func `tables can be made anew, since foreign keys are off`() throws {
    let queue = try makeEmptyDatabase()
    var migrator = libraryMigrator()
    migrator.registerMigration("rows") { db in
      try db.execute(
        sql: "INSERT INTO author VALUES (1, 'a'); INSERT INTO book VALUES (1, 'b', 1, NULL)")
    }
    migrator.registerMigration("rebuild") { db in
      try db.create(table: "newAuthor") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().collate(.nocase)
      }
      try db.execute(sql: "INSERT INTO newAuthor SELECT * FROM author")
      try db.drop(table: "author")
      try db.rename(table: "newAuthor", to: "author")
    }
    try migrator.migrate(queue)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM author") } == 1)
  }

  @Test
  func `migrations run up to a given one`() throws {
    let queue = try makeEmptyDatabase()
    let migrator = libraryMigrator()
    try migrator.migrate(queue, upTo: "books")
    try queue.read { db throws in
      #expect(try migrator.completedMigrations(db) == ["authors", "books"])
      #expect(try !migrator.hasCompletedMigrations(db))
    }
    try migrator.migrate(queue, upTo: "books")
    let beyond = #expect(throws: DatabaseMigrationError.self) {
      try migrator.migrate(queue, upTo: "authors")
    }
    #expect(beyond?.description == #"database is already migrated beyond migration "authors""#)
    let undefined = #expect(throws: DatabaseMigrationError.self) {
      try migrator.migrate(queue, upTo: "nope")
    }
    #expect(
      undefined?.description == """
        undefined migration: "nope"
        the registered migrations are: "authors", "books", "pages"
        """)
    let misspelt = #expect(throws: DatabaseMigrationError.self) {
      try migrator.migrate(queue, upTo: "authros")
    }
    #expect(
      misspelt?.description == """
        undefined migration: "authros"
        did you mean "authors"?
        """)
  }

  @Test
  func `two migrations can't have the same identifier`() async {
    await #expect(processExitsWith: .failure) {
      var migrator = libraryMigrator()
      migrator.registerMigration("books") { _ in }
    }
  }

  @Test
  func `a migrator reports what has run`() throws {
    let queue = try makeEmptyDatabase()
    let migrator = libraryMigrator()
    #expect(migrator.migrations == ["authors", "books", "pages"])
    try queue.writeWithoutTransaction { db throws in
      #expect(try migrator.appliedMigrations(db) == [])
      #expect(try migrator.appliedIdentifiers(db) == [])
      #expect(try !migrator.hasCompletedMigrations(db))
      #expect(try DatabaseMigrator().hasCompletedMigrations(db))
    }
    try migrator.migrate(queue)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          DELETE FROM grdb_migrations WHERE identifier = 'books';
          INSERT INTO grdb_migrations VALUES ('newer')
          """)
      #expect(try migrator.appliedMigrations(db) == ["authors", "pages"])
      #expect(try migrator.completedMigrations(db) == ["authors"])
      #expect(try migrator.appliedIdentifiers(db) == ["authors", "pages", "newer"])
      #expect(try migrator.hasBeenSuperseded(db))
    }
  }

  @Test
  func `unknown migrations of a newer application are left alone`() throws {
    let queue = try makeEmptyDatabase()
    var newer = libraryMigrator()
    newer.registerMigration("newer") { try $0.execute(sql: "CREATE TABLE newer (a)") }
    try newer.migrate(queue)
    try libraryMigrator().migrate(queue)
    #expect(try queue.read { try $0.tableExists("newer") })
  }

  @Test
  func `the schema source is off during migrations`() throws {
    struct Source: DatabaseSchemaSource {
      func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) -> [String]? {
        ["a"]
      }
    }
    var configuration = Configuration()
    configuration.schemaSource = Source()
    let queue = try makeEmptyDatabase(configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("view") { db in
      try db.execute(sql: "CREATE VIEW v AS SELECT 1 AS a")
      #expect(db.schemaSource == nil)
      #expect(throws: DatabaseError.self) { try db.primaryKey("v") }
    }
    try migrator.migrate(queue)
    #expect(try queue.read { try $0.primaryKey("v").columns } == ["a"])
  }

  @Test
  func `migrations run without waiting`() async throws {
    let queue = try makeEmptyDatabase()
    let applied = try await withCheckedThrowingContinuation { continuation in
      let migrator = libraryMigrator()
      migrator.asyncMigrate(queue) { result in
        continuation.resume(with: Result { try migrator.appliedMigrations(result.get()) })
      }
    }
    #expect(applied == ["authors", "books", "pages"])
  }

  @Test
  func `an error of a migration is reported when migrations run without waiting`() async throws {
    let queue = try makeEmptyDatabase()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { _ in throw Failure() }
    let failing = migrator
    await #expect(throws: Failure.self) {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        failing.asyncMigrate(queue) { result in
          continuation.resume(with: result.map { _ in })
        }
      }
    }
  }

  @Test func `an identifier that is taken stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var migrator = libraryMigrator()
      migrator.registerMigration("books") { _ in }
    }
    expectPrecondition("already registered migration: \"books\"", in: result)
  }

  @Test func `a foreign key that a migration leaves violated names the migration`() throws {
    let queue = try makeEmptyDatabase()
    var migrator = libraryMigrator()
    migrator.registerMigration("orphans") { db in
      try db.execute(sql: "INSERT INTO book (id, title, authorId) VALUES (3, 'Maps', 9)")
    }
    let error = #expect(throws: DatabaseError.self) { try migrator.migrate(queue) }
    #expect(error?.details == #"in migration "orphans""#)
    #expect(error?.message?.contains("from book(authorId) to author(id)") == true)
    try queue.read { db throws in
      #expect(try migrator.appliedMigrations(db) == ["authors", "books", "pages"])
    }
  }

  @Test func `a temporary table does not hide the one of migrations`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "CREATE TEMPORARY TABLE grdb_migrations (identifier TEXT)")
    }
    let migrator = libraryMigrator()
    try migrator.migrate(queue)
    try migrator.migrate(queue)
    try queue.read { db throws in
      try #expect(migrator.appliedMigrations(db) == ["authors", "books", "pages"])
      try #expect(
        String.fetchAll(db, sql: "SELECT identifier FROM main.grdb_migrations ORDER BY rowid")
          == ["authors", "books", "pages"])
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM temp.grdb_migrations") == 0)
    }
  }

  @Test func `an attached database has its own migrations`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.grdb_migrations (identifier TEXT);
          INSERT INTO archive.grdb_migrations VALUES ('authors'), ('later')
          """)
      let migrator = libraryMigrator()
      try #expect(migrator.appliedMigrations(db) == [])
      try #expect(migrator.appliedIdentifiers(db) == [])
      try #expect(!migrator.hasBeenSuperseded(db))
    }
  }
}
