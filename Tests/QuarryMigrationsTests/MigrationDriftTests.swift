import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

@Suite(.onQueueAndPool)
struct MigrationDriftTests {
  private struct Book: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var title: String
    var pages: Int?
  }

  private static let files = [
    "1-books.sql": "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);",
    "2-pages.sql": "ALTER TABLE book ADD COLUMN pages INTEGER; -- of the first edition",
    "3-loans.sql": "CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId INTEGER);",
  ]

  private func migrator(_ files: [String: String] = Self.files) throws -> DatabaseMigrator {
    try withFolder(files) { url throws -> DatabaseMigrator in
      var migrator = DatabaseMigrator()
      try migrator.registerMigrations(in: url)
      return migrator
    }
  }

  private func drift(_ migrator: DatabaseMigrator, _ database: some DatabaseReader) throws -> String
  {
    try database.read { try "\(migrator.drift($0))" }
  }

  @Test func `a migrated database has no drift`() throws {
    let database = try makeEmptyDatabase()
    try migrator().migrate(database)
    let drift = try database.read { try migrator().drift($0, records: [Book.self]) }
    #expect(drift.isEmpty)
    #expect(drift.description == "no drift")
    try #expect(self.drift(DatabaseMigrator(), makeEmptyDatabase()) == "no drift")
  }

  @Test func `migrations that lack on one side are named`() throws {
    let database = try makeEmptyDatabase()
    try #expect(
      drift(migrator(), database) == """
        migration "1-books" has not run
        migration "2-pages" has not run
        migration "3-loans" has not run
        """)
    try migrator().migrate(database)
    var files = Self.files
    files["3-loans.sql"] = nil
    files["4-readers.sql"] = "CREATE TABLE reader (id INTEGER PRIMARY KEY);"
    try #expect(
      drift(migrator(files), database) == """
        migration "4-readers" has not run
        migration "3-loans" has run, and is not registered
        """)
  }

  @Test func `a migration that comes too late is out of order`() throws {
    let database = try makeEmptyDatabase()
    var files = Self.files
    files["2-pages.sql"] = nil
    try migrator(files).migrate(database)
    try #expect(
      drift(migrator(), database) == """
        migration "2-pages" has not run
        migration "2-pages" is out of order: one behind it has run before
        """)
    try migrator().migrate(database)
    try #expect(
      drift(migrator(), database)
        == "migration \"2-pages\" is out of order: one behind it has run before")
  }

  @Test func `edited files are found, but comments and white space don't count`() throws {
    let database = try makeEmptyDatabase()
    try migrator().migrate(database)
    var files = Self.files
    files["1-books.sql"] = """
      -- The books
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL /* as printed */
      )
      """
    try #expect(drift(migrator(files), database) == "no drift")
    files["1-books.sql"] =
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);"
    try #expect(
      drift(migrator(files), database) == """
        migration "1-books" has been edited since it ran
        schema: column book.year is missing
        """)
    files["1-books.sql"] = Self.files["1-books.sql"]
    files["2-pages.sql"] = "ALTER TABLE book ADD COLUMN pages INTEGER DEFAULT 'a -- b';"
    try #expect(
      drift(migrator(files), database) == """
        migration "2-pages" has been edited since it ran
        schema: column book.pages is pages INTEGER, not pages INTEGER DEFAULT 'a -- b'
        """)
  }

  @Test func `changes without a migration are found, and edited migrations in Swift`() throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Books") { db in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    }
    let database = try makeEmptyDatabase()
    try migrator.migrate(database)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (text); ALTER TABLE book ADD COLUMN year;
          CREATE INDEX book_year ON book (year);
          """)
    }
    try #expect(
      drift(migrator, database) == """
        schema: column book.year is unexpected
        schema: table note is unexpected
        schema: index book_year is unexpected
        """)
    var edited = DatabaseMigrator()
    edited.registerMigration("Books") { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year, CHECK (year > 0)) STRICT;
          CREATE TABLE note (text); CREATE INDEX book_year ON book (year DESC);
          CREATE VIEW v AS SELECT 1;
          """.replacing(" year,", with: " year INTEGER,"))
    }
    try #expect(
      drift(edited, database)
        == """
        schema: column book.year is "year", not year INTEGER
        schema: index book_year is another one
        schema: view v is missing
        """.replacing("\"year\"", with: "year"))
  }

  @Test func `records are compared with the schema`() throws {
    let database = try makeEmptyDatabase()
    try migrator().migrate(database, upTo: "1-books")
    let drift = try database.read { try migrator().drift($0, records: [Book.self]) }
    #expect(drift.records.map(\.description) == ["Book: table book has no column pages"])
    #expect(drift.description.hasSuffix("record Book: table book has no column pages"))
  }

  @Test func `drift reads, and changes nothing`() throws {
    let database = try makeEmptyDatabase()
    try database.read { db in
      try #expect(migrator().drift(db).pending.count == 3)
      try #expect(db.schemaDescription().tables == [])
    }
  }

  @Test func `schemas are not compared while merged migrations are recorded`() throws {
    var old = DatabaseMigrator()
    old.registerMigration("Books") { try $0.execute(sql: "CREATE TABLE book (id)") }
    old.registerMigration("Loans") { try $0.execute(sql: "CREATE TABLE loan (id)") }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Library", merging: ["Books"]) { db, applied in
      if applied.isEmpty { try db.execute(sql: "CREATE TABLE book (id)") }
    }
    migrator.registerMigration("Loans") { try $0.execute(sql: "CREATE TABLE loan (id)") }
    let database = try makeEmptyDatabase()
    try old.migrate(database)
    try #expect(
      drift(migrator, database) == """
        migration "Library" has not run
        migration "Books" has run, and a pending one has merged it: schemas are not compared
        """)
    // Its parts have run in time.
    try migrator.migrate(database)
    try #expect(drift(migrator, database) == "no drift")
  }

  @Test func `default values that are names are compared as texts`() throws {
    func migrator(_ status: String, _ day: String) -> DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("Loans") { db in
        try db.execute(
          sql: "CREATE TABLE loan (status TEXT DEFAULT \(status), day TEXT DEFAULT \(day))")
      }
      return migrator
    }
    let database = try makeEmptyDatabase()
    try migrator("Open", "current_date").migrate(database)
    for status in ["'Open'", "\"Open\"", "[Open]"] {
      try #expect(drift(migrator(status, "CURRENT_DATE"), database) == "no drift")
    }
    try #expect(
      drift(migrator("open", "\"current_date\""), database) == """
        schema: column loan.status is status TEXT DEFAULT Open, not status TEXT DEFAULT open
        schema: column loan.day is day TEXT DEFAULT current_date, not day TEXT DEFAULT "current_date"
        """)
  }

  /// A name in quotes, and what it would be without them.
  @Test(arguments: [
    ("\"2020\"", "2020"), ("[null]", "null"), ("`true`", "TRUE"),
    ("\"current_date\"", "current_date"), ("\"not\"(title)", "NOT(title)"),
  ])
  func `a name in quotes is neither a literal nor a keyword`(name: String, other: String) throws {
    func migrator(_ value: String) throws -> DatabaseMigrator {
      try self.migrator([
        "1-sales.sql": """
        CREATE TABLE sale (title, "2020", "null", "true", "current_date");
        CREATE VIEW total AS SELECT \(value) AS value FROM sale;
        """
      ])
    }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("not", argumentCount: 1) { $0[0] })
    }
    let database = try DatabaseQueue(configuration: configuration)
    try migrator(name).migrate(database)
    try #expect(drift(migrator(name), database) == "no drift")
    try #expect(
      drift(migrator(other), database) == """
        migration "1-sales" has been edited since it ran
        schema: view total is another one
        """)
  }

  @Test func `quotes and case of names are no edit`() throws {
    func migrator(_ name: String, _ key: String) throws -> DatabaseMigrator {
      try self.migrator([
        "1-settings.sql": """
        CREATE TABLE setting ("Full name", key, "größe", value, UNIQUE (\(key), value));
        CREATE VIEW named AS SELECT \(name), \(key), value FROM setting;
        """
      ])
    }
    let database = try makeEmptyDatabase()
    try migrator("\"Full name\"", "key").migrate(database)
    for (name, key) in [("[full name]", "\"KEY\""), ("`Full Name`", "Key")] {
      try #expect(drift(migrator(name, key), database) == "no drift")
    }
    try #expect(
      drift(migrator("\"full\" name", "key"), database).hasPrefix("migration \"1-settings\" has"))
  }

  /// An alias in quotes, and the join that it would be without them.
  @Test(arguments: [
    ("\"left\" JOIN", "left JOIN"), ("[natural] LEFT JOIN", "NATURAL LEFT JOIN"),
    ("JOIN (SELECT 1) \"left\" JOIN", "JOIN (SELECT 1) left JOIN"),
  ])
  func `an alias in quotes is no join`(alias: String, join: String) throws {
    func migrator(_ join: String) throws -> DatabaseMigrator {
      try self.migrator([
        "1-shelves.sql": """
        CREATE TABLE book (id INTEGER PRIMARY KEY);
        CREATE TABLE shelf (id INTEGER PRIMARY KEY);
        CREATE VIEW place AS SELECT shelf.id FROM book \(join) shelf;
        """
      ])
    }
    let database = try makeEmptyDatabase()
    try migrator(alias).migrate(database)
    try #expect(drift(migrator(alias), database) == "no drift")
    try #expect(
      drift(migrator(join), database) == """
        migration "1-shelves" has been edited since it ran
        schema: view place is another one
        """)
  }
}
