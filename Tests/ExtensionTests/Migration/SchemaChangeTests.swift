import Quarry
import QuarryTestSupport
import Testing

@Suite("Schema changes of migrations", .onQueueAndPool)
struct SchemaChangeTests {
  private func migrator(_ sql: String) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("a") { try $0.execute(sql: sql) }
    return migrator
  }

  @Test
  func `a new database, and a migrated one, have no schema change`() throws {
    let queue = try makeEmptyDatabase()
    #expect(try !queue.read(libraryMigrator().hasSchemaChanges))
    try libraryMigrator().migrate(queue, upTo: "books")
    #expect(try !queue.read(libraryMigrator().hasSchemaChanges))
    try libraryMigrator().migrate(queue)
    #expect(try !queue.read(libraryMigrator().hasSchemaChanges))
  }

  @Test(arguments: [
    "CREATE TABLE other (a)", "CREATE INDEX i ON book(title)", "DROP TABLE author",
    "CREATE VIEW v AS SELECT 1", "INSERT INTO grdb_migrations VALUES ('newer')",
    "ALTER TABLE book ADD COLUMN x", "CREATE TABLE pragma_notes (note)",
  ])
  func `a difference in tables, indexes, views or identifiers is a schema change`(sql: String)
    throws
  {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try makeEmptyDatabase(configuration: configuration)
    try libraryMigrator().migrate(queue)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    #expect(try queue.read(libraryMigrator().hasSchemaChanges))
  }

  @Test
  func `rows are no schema change`() throws {
    let queue = try makeEmptyDatabase()
    try libraryMigrator().migrate(queue)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "INSERT INTO author (name) VALUES ('a')")
    }
    #expect(try !queue.read(libraryMigrator().hasSchemaChanges))
  }

  @Test
  func `a database is erased when a migration has changed, if that is wanted`() throws {
    let queue = try makeEmptyDatabase()
    try migrator("CREATE TABLE t (a)").migrate(queue)
    try queue.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }

    try migrator("CREATE TABLE t (a)").migrate(queue)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 1)

    try migrator("CREATE TABLE t (a, b)").migrate(queue)
    try queue.read { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
      #expect(try db.columns(in: "t").map(\.name) == ["a", "b"])
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test
  func `a database is not erased if that is not wanted`() throws {
    let queue = try makeEmptyDatabase()
    try migrator("CREATE TABLE t (a)").migrate(queue)
    var changed = migrator("CREATE TABLE t (a, b)")
    changed.eraseDatabaseOnSchemaChange = false
    try changed.migrate(queue)
    #expect(try queue.read { try $0.columns(in: "t").map(\.name) } == ["a"])
  }

  @Test
  func `an unknown migration erases a database, if that is wanted`() throws {
    let queue = try makeEmptyDatabase()
    var newer = migrator("CREATE TABLE t (a)")
    newer.registerMigration("newer") { try $0.execute(sql: "CREATE TABLE newer (a)") }
    try newer.migrate(queue)
    try migrator("CREATE TABLE t (a)").migrate(queue)
    try queue.read { db throws in
      #expect(try !db.tableExists("newer"))
      #expect(try db.tableExists("t"))
    }
  }

  @Test
  func `the schema is compared in a transaction`() throws {
    let recorder = SQLRecorder()
    let queue = try makeEmptyDatabase(configuration: recorder.recording())
    try migrator("CREATE TABLE t (a)").migrate(queue)
    _ = recorder.take()
    try migrator("CREATE TABLE t (a)").migrate(queue)
    let statements = recorder.take()
    #expect(statements.first == "BEGIN DEFERRED TRANSACTION")
    let commit = try #require(statements.lastIndex(of: "COMMIT TRANSACTION"))
    #expect(
      statements[(commit + 1)...] == [
        "CREATE TABLE IF NOT EXISTS main.grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
        "SELECT identifier FROM main.grdb_migrations",
      ])
  }

  @Test
  func `a file keeps its migrations`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try libraryMigrator().migrate(DatabaseQueue(path: path), upTo: "books")
      let queue = try DatabaseQueue(path: path)
      try libraryMigrator().migrate(queue)
      #expect(try queue.read(libraryMigrator().hasCompletedMigrations))
      #expect(try !queue.read(libraryMigrator().hasSchemaChanges))
    }
  }
}
