import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct MigrationRehearsalTests {
  private struct Failure: Error {}

  /// The bookshop, and migrations that it lacks.
  private static func makeMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("pages") { db in
      try db.alter(table: "book") { t in
        t.add(column: "pages", .integer).notNull().defaults(to: 100)
      }
    }
    migrator.registerMigration("titles") { db in
      try db.execute(sql: "UPDATE book SET title = ? WHERE id = ?", arguments: ["O'Hara", 1])
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM book")
    }
    return migrator
  }

  @Test
  func `a dry run reports the SQL of the migrations, and changes nothing`() throws {
    let queue = try makeBookshopDatabase()
    let before = try queue.read { try $0.schemaDescription() }
    try #expect(
      Self.makeMigrator().dryRun(queue) == """
        -- pages
        ALTER TABLE "book" ADD COLUMN "pages" INTEGER NOT NULL DEFAULT 100;

        -- titles
        UPDATE book SET title = 'O''Hara' WHERE id = 1;
        """)
    try #expect(
      Self.makeMigrator().dryRun(queue, upTo: "pages") == """
        -- pages
        ALTER TABLE "book" ADD COLUMN "pages" INTEGER NOT NULL DEFAULT 100;
        """)
    try queue.read { db in
      try #expect(db.schemaDescription() == before)
      try #expect(!db.tableExists("grdb_migrations"))
    }
    try Self.makeMigrator().migrate(queue)
    try #expect(Self.makeMigrator().dryRun(queue) == "")
  }

  @Test
  func `arguments are written to their last digit and character`() throws {
    let sum = 0.1 + 0.2
    var migrator = DatabaseMigrator()
    migrator.registerMigration("values") { db in
      let arguments: StatementArguments = [sum] + ["title": "a\0b"]
      try db.execute(
        sql: "UPDATE book SET price = ?, title = :title WHERE id = 1", arguments: arguments)
      try Book.filter(id: 2).updateAll(db, Column("price").set(to: Double.infinity))
    }
    let literal = sum.databaseValue.sqlLiteral
    try #expect(
      migrator.dryRun(makeBookshopDatabase()) == """
        -- values
        UPDATE book SET price = \(literal), title = ('a' || char(0) || 'b') WHERE id = 1;
        UPDATE "book" SET "price" = 9.0e+999 WHERE "id" = 2;
        """)
  }

  @Test
  func `a comment at the end of a statement does not hide what follows`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("shelves") { db in
      try db.execute(sql: "CREATE TABLE shelf2 (id INTEGER) -- the shelves")
      try db.execute(sql: "CREATE TABLE room (id INTEGER) /* the rooms")
      try db.execute(sql: "CREATE TABLE floor (id INTEGER)")
    }
    let sql = try migrator.dryRun(DatabaseQueue())
    #expect(
      sql == """
        -- shelves
        CREATE TABLE shelf2 (id INTEGER) -- the shelves
        ;
        CREATE TABLE room (id INTEGER) /* the rooms*/;
        CREATE TABLE floor (id INTEGER);
        """)
    let rehearsal = try migrator.rehearse(DatabaseQueue())
    #expect(rehearsal.description.hasSuffix("/* the rooms*/;\nCREATE TABLE floor (id INTEGER);"))
    try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      try #expect(db.tableExists("floor"))
    }
  }

  @Test
  func `the SQL of a rebuilt table is complete`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("countries") { db in
      try db.rebuild(table: "country") { t in
        t.primaryKey("code", .text)
        t.column("name", .text).notNull()
      }
    }
    try #expect(
      migrator.dryRun(makeBookshopDatabase()) == """
        -- countries
        CREATE TABLE "quarry_new_country" \
        ("code" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL);
        INSERT OR ABORT INTO "quarry_new_country" (rowid, "code", "name") \
        SELECT rowid, "code", "name" FROM "country";
        DROP TABLE "country";
        PRAGMA legacy_alter_table = ON;
        ALTER TABLE "quarry_new_country" RENAME TO "country";
        PRAGMA legacy_alter_table = OFF;
        """)
  }

  @Test
  func `a rehearsal reports all violated foreign keys, by table, row and key`() throws {
    var migrator = Self.makeMigrator()
    migrator.registerMigration("orphans") { db in
      try db.execute(sql: "DELETE FROM author WHERE id <> 3; DELETE FROM publisher WHERE id = 2")
    }
    migrator.registerMigration("never") { _ in }
    let queue = try makeBookshopDatabase()
    let rehearsal = try migrator.rehearse(queue)
    #expect(!rehearsal.isSuccessful)
    #expect(rehearsal.migrations.map(\.identifier) == ["pages", "titles", "orphans"])
    let orphans = rehearsal.migrations[2]
    #expect(orphans.violations.count == 4)
    #expect(Set(orphans.violations.map(\.originTable)) == ["book"])
    #expect(
      orphans.violationDescriptions.contains(
        """
        FOREIGN KEY constraint violation - from book(publisherId) to publisher(id), \
        in [id:2 title:"Left Hand" year:1969 price:9.0 authorId:1 publisherId:2 pages:100]
        """))
    let error = orphans.error as? DatabaseError
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(rehearsal.migrations.allSatisfy { $0.duration >= 0 })
    #expect(rehearsal.description.contains("-- failed: SQLite error 19: FOREIGN KEY"))
    #expect(rehearsal.description.contains(#"ALTER TABLE "book" ADD COLUMN"#))
    let rest = migrator
    #expect(throws: DatabaseError.self) { _ = try rest.dryRun(queue) }
    try queue.read { db in
      try #expect(Author.fetchCount(db) == 3)
      try #expect(!db.tableExists("grdb_migrations"))
    }
  }

  @Test
  func `a rehearsal reports the rows whose table of reference is dropped`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("loans") { db in
      try db.execute(
        sql: """
          CREATE TABLE reader (id INTEGER PRIMARY KEY);
          CREATE TABLE loan (id INTEGER PRIMARY KEY, readerId INTEGER REFERENCES reader);
          INSERT INTO loan VALUES (1, 7);
          DROP TABLE reader;
          """)
    }
    let rehearsal = try migrator.rehearse(makeBookshopDatabase())
    #expect(
      rehearsal.migrations[0].violationDescriptions == [
        "FOREIGN KEY constraint violation - from loan(readerId) to reader, in [id:1 readerId:7]"
      ])
    let error = rehearsal.migrations[0].error as? DatabaseError
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
  }

  @Test
  func `a failing migration is the last one, with its error`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("fails") { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      throw Failure()
    }
    let rehearsal = try migrator.rehearse(makeBookshopDatabase())
    #expect(rehearsal.migrations.count == 1)
    #expect(rehearsal.migrations[0].statements == ["CREATE TABLE t (a)"])
    #expect(rehearsal.migrations[0].error is Failure)
    #expect(rehearsal.migrations[0].violations.isEmpty)
  }

  @Test
  func `an unknown target is an error`() throws {
    let error = #expect(throws: DatabaseMigrationError.self) {
      _ = try Self.makeMigrator().rehearse(makeBookshopDatabase(), upTo: "nope")
    }
    guard case .undefinedMigration("nope", let registered)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!registered.isEmpty)
  }

  @Test
  func `a database of a newer application is refused, if that is wanted`() throws {
    let queue = try makeBookshopDatabase()
    var newer = Self.makeMigrator()
    newer.registerMigration("newer") { _ in }
    newer.registerMigration("newest") { _ in }
    try newer.migrate(queue)
    var migrator = Self.makeMigrator()
    try migrator.migrate(queue)
    migrator.registerMigration("branch") { db in try db.execute(sql: "CREATE TABLE branch (a)") }
    migrator.refusesNewerDatabases = true
    let final = migrator
    let error = #expect(throws: DatabaseMigrationError.self) { try final.migrate(queue) }
    #expect(error == .superseded(["newer", "newest"]))
    #expect(
      error?.description
        == #"database has migrations of a newer version: "newer", "newest""#)
    try queue.read { db in
      try #expect(!db.tableExists("branch"))
      try #expect(newer.hasCompletedMigrations(db))
    }
  }

  @Test
  func `a dry run leaves out what failed or was undone`() throws {
    struct Undone: Error {}
    var migrator = DatabaseMigrator()
    migrator.registerMigration("savepoints") { db in
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO country VALUES ('FR', 'Twice')")
      }
      try db.execute(sql: "UPDATE book SET year = 1900 WHERE id = 1")
      try db.inSavepoint {
        try db.execute(sql: "DELETE FROM book")
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM author")
          return .commit
        }
        return .rollback
      }
      try db.inSavepoint {
        try db.execute(sql: "UPDATE book SET year = 1901 WHERE id = 2")
        return .commit
      }
      #expect(throws: Undone.self) {
        try db.inSavepoint {
          try db.execute(sql: "DELETE FROM publisher")
          throw Undone()
        }
      }
    }
    try #expect(
      migrator.dryRun(makeBookshopDatabase()) == """
        -- savepoints
        UPDATE book SET year = 1900 WHERE id = 1;
        UPDATE book SET year = 1901 WHERE id = 2;
        """)
  }

  @Test
  func `a dry run leaves out definitions that failed, and keeps the rows of FAIL`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("shelves") { db in
      try db.execute(sql: "CREATE TABLE room (name TEXT UNIQUE)")
      try db.execute(sql: "CREATE TABLE shelf2 (room); INSERT INTO shelf2 VALUES ('A'), ('A')")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "CREATE UNIQUE INDEX shelf2_room ON shelf2 (room)")
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR FAIL INTO room SELECT room FROM shelf2")
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "CREATE UNIQUE INDEX shelf2_room ON shelf2 (room)")
      }
    }
    try #expect(
      migrator.dryRun(DatabaseQueue()) == """
        -- shelves
        CREATE TABLE room (name TEXT UNIQUE);
        CREATE TABLE shelf2 (room);
        INSERT INTO shelf2 VALUES ('A'), ('A');
        INSERT OR FAIL INTO room SELECT room FROM shelf2;
        """)
  }
}
