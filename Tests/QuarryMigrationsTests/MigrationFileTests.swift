import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct MigrationFileTests {
  private static let files = [
    "1-authors.sql": "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);",
    "2-books.sql": """
    -- Books; with their author
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT ';',
      authorId INTEGER NOT NULL REFERENCES author(id));
    CREATE INDEX book_author ON book (authorId);
    CREATE TRIGGER book_title AFTER INSERT ON book BEGIN
      UPDATE book SET title = CASE title WHEN '' THEN 'Untitled' ELSE title END WHERE id = new.id;
      SELECT 1;
    END;
    /* the first ones; */
    INSERT INTO author VALUES (1, 'Franz Kafka');
    INSERT INTO book VALUES (1, '', 1)
    """,
    "10-pages.sql": "ALTER TABLE book ADD COLUMN pages INTEGER;",
  ]

  private func migrator(_ url: URL) throws -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    try migrator.registerMigrations(in: url)
    return migrator
  }

  @Test func `files run in the order of their numbers`() throws {
    try withFolder(Self.files) { url in
      let migrator = try migrator(url)
      #expect(migrator.migrations == ["1-authors", "2-books", "10-pages"])
      let database = try makeEmptyDatabase()
      try migrator.migrate(database)
      try database.read { db in
        try #expect(migrator.appliedMigrations(db) == ["1-authors", "2-books", "10-pages"])
        try #expect(
          Row.fetchAll(db, sql: "SELECT title, name, pages FROM book JOIN author") == [
            ["title": "Untitled", "name": "Franz Kafka", "pages": nil]
          ])
        try #expect(
          String.fetchAll(db, sql: "SELECT sql FROM grdb_migration_files ORDER BY rowid")
            == ["1-authors.sql", "2-books.sql", "10-pages.sql"].map { Self.files[$0] })
      }
    }
  }

  @Test func `numbers are compared by value, whatever their length`() throws {
    let names = [
      "0-a", "007-b", "8-c", "0000020260101-d", "20260102-e", "99999999999999999999998-f",
      "99999999999999999999999-g",
    ]
    let files = Dictionary(uniqueKeysWithValues: names.map { ("\($0).sql", "SELECT 1;") })
    try withFolder(files) { url in try #expect(migrator(url).migrations == names) }
  }

  @Test func `other files are left alone, and a comment is a migration`() throws {
    let files = [
      "README.md": "", ".1-hidden.sql": "x", "1-nothing.sql": "-- merged into the next one",
      "2-b.sql": "\u{FEFF}SELECT 1;\r\nSELECT 2;\r\n",
    ]
    try withFolder(files) { url in
      let migrator = try migrator(url)
      #expect(migrator.migrations == ["1-nothing", "2-b"])
      try migrator.migrate(makeEmptyDatabase())
    }
    try withFolder([:]) { url in try #expect(migrator(url).migrations == []) }
  }

  @Test(arguments: [
    (
      ["books.sql": "SELECT 1"],
      "books.sql: does not begin with a number, which is its place: such as 12-books.sql"
    ),
    (
      ["1-a.sql": "SELECT 1", "01-b.sql": "SELECT 1"],
      "has the number of"
    ),
    (["1-a.SQL": "SELECT 1"], "1-a.SQL: write the extension in lower case: .sql"),
    (
      ["1-a.up.sql": "SELECT 1"],
      "1-a.up.sql: a migration has no .up: rename the file to 1-a.sql"
    ),
    (["1-a.down.sql": "SELECT 1"], "1-a.down.sql: undoes 1-a.sql, which is not in the folder"),
    (
      ["1-a.sql": " \n\t"],
      "1-a.sql: empty: write the SQL, or a comment if there is nothing to do on purpose"
    ),
    (
      ["1-a.sql": "SELECT 1", "1-a.down.sql": ""],
      "1-a.down.sql: empty: write the SQL, or a comment if there is nothing to do on purpose"
    ),
    (
      ["1-a.sql": "SELECT 1;\nSELECT\0 2"],
      "1-a.sql:2: a NUL, where SQL ends: the file must be text in UTF-8"
    ),
    (["1-a.sql": "SELECT 1;\n\nSELECT 'it''s"], "1-a.sql:3: 'it''s has no end"),
    (["1-a.sql": "SELECT [a\n"], "1-a.sql:1: [a has no end"),
    (
      ["1-a.sql": "SELECT 1; -- one\n/* two\n*/ begin;"],
      "1-a.sql:3: BEGIN in a migration, which is a transaction by itself: leave it out"
    ),
    (
      ["1-a.sql": "COMMIT"],
      "1-a.sql:1: COMMIT in a migration, which is a transaction by itself: leave it out"
    ),
    (
      ["1-a.sql": "CREATE TABLE trigger(a);\nCOMMIT;"],
      "1-a.sql:2: COMMIT in a migration, which is a transaction by itself: leave it out"
    ),
    (
      ["1-a.sql": "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END;\nCOMMIT"],
      "1-a.sql:2: COMMIT in a migration, which is a transaction by itself: leave it out"
    ),
    (
      ["1-a.sql": "\nvacuum"],
      "1-a.sql:2: VACUUM can't run in a transaction, and a migration is one: call db.execute(sql:) outside of migrations"
    ),
    (
      ["1-a.sql": "ATTACH 'x' AS y"],
      "1-a.sql:1: ATTACH outlasts the migration: attach databases in Configuration.prepareDatabase"
    ),
    (
      ["1-a.sql": "PRAGMA foreign_keys = OFF"],
      "1-a.sql:1: PRAGMA foreign_keys outlasts the migration, or has no effect in its transaction: user_version and application_id alone may be set; the others in Configuration.prepareDatabase"
    ),
    (
      ["1-a.sql": "PRAGMA main.user_version = 3; PRAGMA main.journal_mode = WAL"],
      "1-a.sql:1: PRAGMA journal_mode outlasts the migration, or has no effect in its transaction: user_version and application_id alone may be set; the others in Configuration.prepareDatabase"
    ),
    (
      ["1-a.sql": "SELECT 1;\n\u{FEFF}COMMIT"],
      "1-a.sql:2: COMMIT in a migration, which is a transaction by itself: leave it out"
    ),
    (["1-a.sql": ".read other.sql"], "1-a.sql:1: a command of the program sqlite3, and no SQL"),
  ])
  func `files that are no migrations are refused`(
    files: [String: String], message: String
  ) throws {
    try withFolder(files) { url in
      var migrator = DatabaseMigrator()
      let error = try #require(throws: MigrationFileError.self) {
        try migrator.registerMigrations(in: url)
      }
      #expect(error.description.contains(message))
      #expect(migrator.migrations == [])
    }
  }

  /// Files that are joined have one in the middle, which is white space to SQLite.
  @Test func `a byte order mark before a statement is left out`() throws {
    let files = [
      "1-a.sql": """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
      \u{FEFF}CREATE TRIGGER untitled AFTER INSERT ON book BEGIN
        UPDATE book SET title = 'Untitled' WHERE id = new.id; SELECT 1;
      END;
      INSERT INTO book VALUES (1, '');
      """
    ]
    try withFolder(files) { url in
      let database = try makeEmptyDatabase()
      try migrator(url).migrate(database)
      try #expect(
        database.read { try String.fetchAll($0, sql: "SELECT title FROM book") } == ["Untitled"])
    }
  }

  @Test func `a file must be UTF-8`() throws {
    try withFolder(["1-a.sql": "SELECT 1;\nSELECT 2"]) { url in
      let file = url.appendingPathComponent("1-a.sql")
      try Data(Array("SELECT 1;\n\nSELECT '".utf8) + [0xE9] + Array("'".utf8)).write(to: file)
      let error = try #require(throws: MigrationFileError.self) { try migrator(url) }
      #expect(
        error.description == "1-a.sql:3: bytes that are not UTF-8: save the file in it")
    }
  }

  @Test func `a folder must exist, and identifiers be new`() throws {
    var migrator = DatabaseMigrator()
    let missing = URL(fileURLWithPath: "/nowhere/at/all")
    #expect(
      try #require(throws: MigrationFileError.self) {
        try migrator.registerMigrations(in: missing)
      }.description == "/nowhere/at/all: is no folder that can be read")
    migrator.registerMigration("2-books") { _ in }
    try withFolder(Self.files) { url in
      let error = try #require(throws: MigrationFileError.self) {
        try migrator.registerMigrations(in: url)
      }
      #expect(
        error.description == "2-books.sql: the migration \"2-books\" is already registered")
    }
    #expect(migrator.migrations == ["2-books"])
  }

  @Test func `a failing statement is named with its line, and its file is rolled back`() throws {
    let files = [
      "1-a.sql": "CREATE TABLE a (x);", "2-b.sql": "CREATE TABLE b (x);\n\nCREATE TABLE a (y);",
    ]
    try withFolder(files) { url in
      let database = try makeEmptyDatabase()
      let error = try #require(throws: DatabaseError.self) {
        try migrator(url).migrate(database)
      }
      #expect(error.message == "table a already exists")
      #expect(error.details == "in 2-b.sql, line 3\nin migration \"2-b\"")
      try database.read { db in
        try #expect(db.tableExists("a"))
        try #expect(!db.tableExists("b"))
        try #expect(
          String.fetchAll(db, sql: "SELECT identifier FROM grdb_migration_files") == ["1-a"])
      }
    }
  }

  @Test func `foreign keys are checked at the end of a file`() throws {
    var files = Self.files
    files["11-orphan.sql"] = "DELETE FROM author; INSERT INTO author VALUES (2, 'Flann O''Brien')"
    try withFolder(files) { url in
      let database = try makeEmptyDatabase()
      let error = try #require(throws: DatabaseError.self) {
        try migrator(url).migrate(database)
      }
      #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(error.details == "in migration \"11-orphan\"")
      try #expect(
        database.read { try String.fetchAll($0, sql: "SELECT name FROM author") } == ["Franz Kafka"]
      )
    }
  }

  @Test func `the texts of files are no part of the schema, nor of a dry run`() throws {
    try withFolder(Self.files) { url in
      var migrator = try migrator(url)
      migrator.eraseDatabaseOnSchemaChange = true
      let database = try makeEmptyDatabase()
      try migrator.migrate(database)
      try database.write { db in
        try #expect(!migrator.hasSchemaChanges(db))
        try db.execute(sql: "UPDATE book SET title = 'The Trial'")
      }
      try migrator.migrate(database)
      try #expect(
        database.read { try String.fetchAll($0, sql: "SELECT title FROM book") } == ["The Trial"])
      try #expect(
        migrator.dryRun(makeEmptyDatabase(), upTo: "1-authors") == """
          -- 1-authors
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          """)
    }
  }

  @Test func `the pragmas of a file are undone with its transaction`() throws {
    let files = [
      "1-a.sql": "PRAGMA user_version = 7; PRAGMA main . application_id = 12",
      "2-b.sql": "PRAGMA user_version = 8; CREATE TABLE a (x); CREATE TABLE a (x)",
    ]
    try withFolder(files) { url in
      let database = try makeEmptyDatabase()
      #expect(throws: DatabaseError.self) { try migrator(url).migrate(database) }
      try database.read { db in
        try #expect(Int.fetchOne(db, sql: "PRAGMA user_version") == 7)
        try #expect(Int.fetchOne(db, sql: "PRAGMA application_id") == 12)
      }
    }
  }

  @Test func `an observation sees the changes of files`() async throws {
    let migrator = try withFolder(Self.files) { url throws -> DatabaseMigrator in
      try self.migrator(url)
    }
    let database = try makeEmptyDatabase()
    try migrator.migrate(database, upTo: "1-authors")
    let names = ValueObservation.tracking {
      try String.fetchAll($0, sql: "SELECT name FROM author")
    }
    var seen: [[String]] = []
    for try await value in names.values(in: database) {
      seen.append(value)
      if value == ["Franz Kafka"] { break }
      if seen.count == 1 { try migrator.migrate(database) }
    }
    #expect(seen == [[], ["Franz Kafka"]])
  }
}
