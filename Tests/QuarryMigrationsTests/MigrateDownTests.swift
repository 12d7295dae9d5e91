import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct MigrateDownTests {
  private static let files = [
    "1-authors.sql": "CREATE TABLE author (id INTEGER PRIMARY KEY);",
    "1-authors.down.sql": "DROP TABLE author;",
    "2-books.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY, authorId REFERENCES author(id));",
    "2-books.down.sql": "DROP TABLE book;",
    "3-index.sql": "CREATE INDEX book_author ON book (authorId);",
    "3-index.down.sql": "DROP INDEX book_author;",
  ]

  private func migrated<T>(
    _ files: [String: String] = Self.files,
    _ body: (DatabaseMigrator, any DatabaseWriter) throws -> T
  ) throws -> T {
    try withFolder(files) { url in
      var migrator = DatabaseMigrator()
      try migrator.registerMigrations(in: url)
      let database = try makeEmptyDatabase()
      try migrator.migrate(database)
      return try body(migrator, database)
    }
  }

  private func objects(_ database: any DatabaseReader) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name")
    }
  }

  @Test func `migrations are undone down to one that stays, and run again`() throws {
    try migrated { migrator, database in
      try #expect(migrator.migrateDown(database, to: "1-authors") == ["3-index", "2-books"])
      try #expect(objects(database) == ["author", "grdb_migration_files", "grdb_migrations"])
      try database.read { db in
        try #expect(migrator.appliedMigrations(db) == ["1-authors"])
        try #expect(
          String.fetchAll(db, sql: "SELECT identifier FROM grdb_migration_files") == ["1-authors"])
      }
      try #expect(migrator.migrateDown(database, to: "1-authors") == [])
      try migrator.migrate(database)
      try database.read { try #expect(migrator.hasCompletedMigrations($0)) }
      try #expect(migrator.migrateDown(database, to: nil) == ["3-index", "2-books", "1-authors"])
      try #expect(objects(database) == ["grdb_migration_files", "grdb_migrations"])
    }
    try #expect(DatabaseMigrator().migrateDown(makeEmptyDatabase(), to: nil) == [])
  }

  @Test func `migrations in Swift are undone too`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Books") { db in
      try db.create(table: "book") { t in t.autoIncrementedPrimaryKey("id") }
    } down: { db in
      try db.drop(table: "book")
    }
    let database = try makeEmptyDatabase()
    try migrator.migrate(database)
    try #expect(migrator.migrateDown(database, to: nil) == ["Books"])
    try #expect(objects(database) == ["grdb_migrations"])
  }

  @Test func `nothing is undone if one of them has no way down`() throws {
    var files = Self.files
    files["2-books.down.sql"] = nil
    try migrated(files) { migrator, database in
      let before = try objects(database)
      let error = try #require(throws: MigrationDownError.self) {
        try migrator.migrateDown(database, to: "1-authors")
      }
      #expect(error == .withoutDown(["2-books"]))
      #expect(
        error.description
          == "no way down for \"2-books\": write a file NAME.down.sql, or register the migration with `down`"
      )
      try #expect(objects(database) == before)
      // Those above it can be undone.
      try #expect(migrator.migrateDown(database, to: "2-books") == ["3-index"])
    }
  }

  @Test func `the target must be registered and have run`() throws {
    try migrated { migrator, database in
      #expect(
        throws: DatabaseMigrationError.undefinedMigration(
          "1-author", registered: ["1-authors", "2-books", "3-index"])
      ) {
        try migrator.migrateDown(database, to: "1-author")
      }
      try migrator.migrateDown(database, to: "1-authors")
      let error = try #require(throws: MigrationDownError.self) {
        try migrator.migrateDown(database, to: "2-books")
      }
      #expect(
        error.description
          == "the database can't go down to migration \"2-books\", which has not run")
    }
  }

  @Test func `a database of a newer version is left alone`() throws {
    try migrated { migrator, database in
      try database.write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('4-loans')")
      }
      #expect(throws: DatabaseMigrationError.superseded(["4-loans"])) {
        try migrator.migrateDown(database, to: nil)
      }
    }
  }

  @Test func `a violated foreign key rolls back, and the ones undone before stay so`() throws {
    try migrated { migrator, database in
      try database.write {
        try $0.execute(sql: "INSERT INTO author VALUES (1); INSERT INTO book VALUES (1, 1)")
      }
      var files = Self.files
      files["2-books.down.sql"] = "DELETE FROM author;"
      try withFolder(files) { url in
        var migrator = DatabaseMigrator()
        try migrator.registerMigrations(in: url)
        let error = try #require(throws: DatabaseError.self) {
          try migrator.migrateDown(database, to: nil)
        }
        #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(error.details == "while undoing migration \"2-books\"")
      }
      try database.read { db in
        try #expect(migrator.appliedMigrations(db) == ["1-authors", "2-books"])
        try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM author") == 1)
        try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      }
    }
  }

  @Test func `a failing statement of a down file is named`() throws {
    var files = Self.files
    files["3-index.down.sql"] = "-- twice\nDROP INDEX book_author;\nDROP INDEX book_author"
    try migrated(files) { migrator, database in
      let error = try #require(throws: DatabaseError.self) {
        try migrator.migrateDown(database, to: nil)
      }
      #expect(error.message == "no such index: book_author")
      #expect(
        error.details?.hasSuffix(
          "\nin 3-index.down.sql, line 3\nwhile undoing migration \"3-index\"") == true)
    }
  }

  @Test func `merged migrations of a database are not undone silently`() throws {
    var old = DatabaseMigrator()
    for name in ["Authors", "Books"] {
      old.registerMigration(name) { try $0.execute(sql: "CREATE TABLE \(name) (id)") }
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Library", merging: ["Authors", "Books"]) { _, _ in }
    migrator.registerMigration("Loans") { _ in
    } down: { _ in
    }
    let database = try makeEmptyDatabase()
    try old.migrate(database)
    let error = try #require(throws: MigrationDownError.self) {
      try migrator.migrateDown(database, to: nil)
    }
    #expect(error == .merged(["Authors", "Books"]))
    #expect(
      error.description == """
        the database can't go down: later migrations have merged "Authors", "Books": \
        call `migrate` first, which replaces them
        """)
    try database.read { db in
      try #expect(migrator.appliedIdentifiers(db) == ["Authors", "Books"])
    }
    // Merged before the one that stays.
    try migrator.migrate(database)
    try #expect(migrator.migrateDown(database, to: "Library") == ["Loans"])
  }

  @Test func `the order is that of the registration, not of the runs`() throws {
    func migrator(_ names: [String]) -> DatabaseMigrator {
      var migrator = DatabaseMigrator()
      for name in names {
        migrator.registerMigration(name) { _ in
        } down: { _ in
        }
      }
      return migrator
    }
    let database = try makeEmptyDatabase()
    try migrator(["1", "3"]).migrate(database)
    try migrator(["1", "2", "3"]).migrate(database)
    try #expect(migrator(["1", "2", "3"]).migrateDown(database, to: "2") == ["3"])
    try #expect(migrator(["1", "2", "3"]).migrateDown(database, to: nil) == ["2", "1"])
  }

  /// Two processes may undo migrations at the same time.
  @Test func `a migration that another connection has undone meanwhile is passed over`() throws {
    try withTemporaryDirectory { directory in
      let queues = try (1...2).map { _ in try DatabaseQueue(path: directory + "/library.sqlite") }
      let undone = Log<String>()
      var older = DatabaseMigrator()
      for name in ["authors", "books"] {
        older.registerMigration(name) { _ in
        } down: { _ in
          undone.append(name)
        }
      }
      var migrator = older
      migrator.registerMigration("index") { _ in
      } down: { [older] db in
        db.afterNextTransaction { _ in
          #expect(throws: Never.self) {
            try older.migrateDown(queues[1], to: "authors")
          }
        }
      }
      try migrator.migrate(queues[0])
      try #expect(migrator.migrateDown(queues[0], to: nil) == ["index", "authors"])
      #expect(undone.elements == ["books", "authors"])
    }
  }

  @Test func `the records of an attached database stay`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Books") { db in
      try db.create(table: "book") { t in t.autoIncrementedPrimaryKey("id") }
    } down: { db in
      try db.drop(table: "book")
    }
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.grdb_migration_files (identifier TEXT, sql TEXT);
          INSERT INTO archive.grdb_migration_files VALUES ('Books', 'SELECT 1')
          """)
    }
    try migrator.migrate(queue)
    try #expect(migrator.migrateDown(queue, to: nil) == ["Books"])
    try queue.read { db in
      try #expect(
        Int.fetchOne(db, sql: "SELECT count(*) FROM archive.grdb_migration_files") == 1)
    }
  }

  /// Files and editors write `é` in one code point or two.
  @Test func `a migration that was saved in another Unicode normalization is undone`() throws {
    func files(_ name: String, _ column: String) -> [String: String] {
      [
        "1-\(name).sql": "CREATE TABLE cafe (\(column));",
        "1-\(name).down.sql": "DROP TABLE cafe;",
      ]
    }
    let (old, new) = ("cafe\u{301}", "caf\u{E9}")
    try migrated(files(old, "id")) { _, database in
      try migrated(files(new, "id, name")) { migrator, _ in
        try #expect(migrator.migrateDown(database, to: nil) == ["1-\(new)"])
        try database.read { db in try #expect(migrator.appliedIdentifiers(db) == []) }
        try migrator.migrate(database)
        try database.read { db in
          try #expect(db.columns(in: "cafe").map(\.name) == ["id", "name"])
          try #expect(
            String.fetchAll(db, sql: "SELECT sql FROM grdb_migration_files")
              == ["CREATE TABLE cafe (id, name);"])
        }
      }
    }
  }
}
