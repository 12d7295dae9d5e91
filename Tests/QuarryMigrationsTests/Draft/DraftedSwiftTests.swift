import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// The functions of `DraftedMigrations.swift` are drafts: the text is compared, compiled and run.
struct DraftedSwiftTests {
  private static let first = #"""
    CREATE TABLE author (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL COLLATE NOCASE,
      country VARCHAR(2) DEFAULT 'IE' CHECK (length(country) = 2));
    CREATE TABLE "book's" (
      isbn TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT 'it''s "new" \', year INTEGER DEFAULT -1,
      price DOUBLE PRECISION DEFAULT 0.5 CHECK (price >= 0  AND price <> 7), added DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
      authorId INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE ON UPDATE SET NULL,
      editorId INTEGER CONSTRAINT editor REFERENCES author DEFERRABLE INITIALLY DEFERRED,
      initial TEXT AS (substr(title, 1, 1)) STORED, any);
    CREATE TABLE link (a INTEGER, b INTEGER, PRIMARY KEY (a, b), UNIQUE (b), CHECK (a < b))
      STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX book_title ON "book's" (title, year);
    CREATE INDEX book_recent ON "book's" (year DESC) WHERE year > 2000;
    CREATE VIEW recent AS
      SELECT title, '"""" \' AS quotes
      FROM "book's";
    CREATE TRIGGER link_insert AFTER INSERT ON link BEGIN
      UPDATE author SET name = 'a\b' WHERE id = new.a;
    END;
    """#

  private static let second = """
    CREATE TABLE writer (
      id INTEGER PRIMARY KEY, fullName TEXT NOT NULL COLLATE NOCASE, born INTEGER, died DATE);
    CREATE TABLE "book's" (
      isbn TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, year INTEGER NOT NULL,
      authorId INTEGER NOT NULL REFERENCES writer ON DELETE CASCADE);
    CREATE TABLE link (a INTEGER, b INTEGER, PRIMARY KEY (a, b), UNIQUE (b), CHECK (a < b))
      STRICT, WITHOUT ROWID;
    """

  private func check(
    _ draft: MigrationDraft, _ identifier: String, on queue: DatabaseQueue, _ schema: String,
    _ register: (inout DatabaseMigrator) -> Void
  ) throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("DraftedMigrations.swift")
    let source = try String(contentsOf: url, encoding: .utf8)
    let text = draft.swift(identifier: identifier)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    #expect(source.contains(lines), "\(lines)")
    var migrator = DatabaseMigrator()
    register(&migrator)
    try migrator.migrate(queue)
    try #expect(MigrationDraft(from: queue, toSchema: schema).isEmpty)
  }

  @Test func `a schema is created`() throws {
    let queue = try DatabaseQueue()
    let draft = try MigrationDraft(from: queue, toSchema: Self.first)
    try check(draft, "Library \"1\"", on: queue, Self.first, registerLibrary)
  }

  @Test func `a schema is changed`() throws {
    let queue = try makeDatabase(sql: Self.first)
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO author VALUES (1, 'Franz Kafka', 'CZ');
          INSERT INTO "book's" (isbn, title, year, authorId) VALUES ('1', 'The Trial', NULL, 1);
          """)
    }
    let draft = try MigrationDraft(
      from: queue, toSchema: Self.second,
      renaming: ["author": "writer", "author.name": "fullName"],
      values: ["book's.year": "coalesce(year, 1900)"], allowing: .dataLoss)
    #expect(
      draft.losses.map(\.description) == [
        "column author.country: 1 values", "column book's.price: 1 values",
        "column book's.added: 1 values", "column book's.editorId: 0 values",
        "column book's.any: 0 values",
      ])
    try check(draft, "Writers", on: queue, Self.second, registerWriters)
    try queue.read { db in
      try #expect(
        Row.fetchAll(
          db,
          sql:
            "SELECT isbn, title, year, fullName FROM \"book's\" JOIN writer ON writer.id = authorId"
        ) == [
          ["isbn": "1", "title": "The Trial", "year": 1900, "fullName": "Franz Kafka"]
        ])
    }
  }

  private static let numbered = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, code TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id));

    """
  private static let numberedRows = """
    INSERT INTO author VALUES (1, 'kafka'), (2, 'mann');
    INSERT INTO book VALUES (1, 2), (2, 1);
    """

  /// Between the tables, the foreign key of books refers to a column that is no key.
  @Test func `a foreign key gets another column on both sides`() throws {
    let coded = """
      CREATE TABLE author (code TEXT NOT NULL PRIMARY KEY, id INTEGER NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorCode TEXT NOT NULL REFERENCES author(code));
      """
    let queue = try makeDatabase(sql: Self.numbered + Self.numberedRows)
    let draft = try MigrationDraft(
      from: queue, toSchema: coded,
      values: ["book.authorCode": "(SELECT code FROM author WHERE author.id = authorId)"],
      allowing: .dataLoss)
    try #expect(draft.rehearse(queue).isSuccessful)
    try check(draft, "Codes", on: queue, coded, registerCodes)
    try queue.read { db in
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book")
          == [["id": 1, "authorCode": "mann"], ["id": 2, "authorCode": "kafka"]])
    }
  }

  /// Between the tables, books refer to missing authors.
  @Test func `a foreign key gets other values on both sides`() throws {
    let queue = try makeDatabase(sql: Self.numbered + Self.numberedRows)
    let draft = try MigrationDraft(
      from: queue, toSchema: Self.numbered,
      values: ["author.id": "id + 100", "book.authorId": "authorId + 100"])
    try #expect(draft.rehearse(queue).isSuccessful)
    try check(draft, "Numbers", on: queue, Self.numbered, registerNumbers)
    try queue.read { db in
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book")
          == [["id": 1, "authorId": 102], ["id": 2, "authorId": 101]])
    }
  }

  @Test func `lines that end with CR and LF are lines of Swift`() throws {
    let schema = "CREATE TABLE t (a);\r\nCREATE VIEW v AS\r\n  SELECT a\r\n  FROM t;"
    #expect(
      try MigrationDraft(from: DatabaseQueue(), toSchema: schema).swift(identifier: "T") == #"""
        migrator.registerMigration("T") { db in
          try db.create(table: "t") { t in
            t.column("a")
          }
          try db.execute(
            sql: """
              CREATE VIEW v AS\r
                SELECT a\r
                FROM t
              """)
        }

        """#)
  }

  @Test func `indexes and keys of more than columns are SQL`() throws {
    let schema = """
      CREATE TABLE t (
        a TEXT, b TEXT, active INTEGER, UNIQUE (a COLLATE NOCASE, b DESC) ON CONFLICT IGNORE,
        UNIQUE (b, "active"));
      CREATE INDEX i ON t(a COLLATE NOCASE) WHERE active;
      CREATE INDEX j ON t(a, [b]);
      """
    #expect(
      try MigrationDraft(from: DatabaseQueue(), toSchema: schema).swift(identifier: "T") == #"""
        migrator.registerMigration("T") { db in
          try db.create(table: "t") { t in
            t.column("a", .text)
            t.column("b", .text)
            t.column("active", .integer)
            t.constraint(sql: "UNIQUE (a COLLATE NOCASE, b DESC) ON CONFLICT IGNORE")
            t.uniqueKey(["b", "active"])
          }
          try db.execute(sql: "CREATE INDEX i ON t(a COLLATE NOCASE) WHERE active")
          try db.create(index: "j", on: "t", columns: ["a", "b"])
        }

        """#)
  }

  @Test func `names with a dot are those of no schema`() throws {
    let old = """
      CREATE TABLE "main.shelf" (id INTEGER PRIMARY KEY, room TEXT);
      CREATE TABLE "temp.loan" (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      CREATE INDEX "main.rooms" ON "main.shelf" (room);
      """
    let new = """
      CREATE TABLE "main.shelf" (id INTEGER PRIMARY KEY, floor INTEGER);
      CREATE TABLE "temp.reader" (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, shelfId INTEGER REFERENCES "main.shelf"(id));
      CREATE INDEX "main.floors" ON "main.shelf" (floor);
      """
    let draft = try MigrationDraft(from: makeDatabase(sql: old), toSchema: new, allowing: .dataLoss)
    #expect(
      draft.swift(identifier: "Shelves") == #"""
        migrator.registerMigration("Shelves") { db in
          try db.execute(sql: "DROP INDEX \"main.rooms\"")
          try db.execute(sql: "CREATE TABLE \"temp.reader\" (id INTEGER PRIMARY KEY)")
          try db.execute(sql: "ALTER TABLE \"main.shelf\" DROP COLUMN \"room\"")
          try db.execute(sql: "ALTER TABLE \"main.shelf\" ADD COLUMN floor INTEGER")
          try db.alter(table: "book") { t in
            t.addColumn(sql: "shelfId INTEGER REFERENCES \"main.shelf\"(id)")
          }
          try db.execute(sql: "DROP TABLE \"temp.loan\"")
          try db.execute(sql: "CREATE INDEX \"main.floors\" ON \"main.shelf\" (floor)")
        }

        """#)
    let renaming = try MigrationDraft(
      from: makeDatabase(sql: "CREATE TABLE loan (id, day)"),
      toSchema: "CREATE TABLE \"temp.loan\" (id, due)",
      renaming: ["loan": "temp.loan", "loan.day": "due"])
    #expect(
      renaming.swift(identifier: "Loans") == #"""
        migrator.registerMigration("Loans") { db in
          try db.execute(sql: "ALTER TABLE \"loan\" RENAME TO \"temp.loan\"")
          try db.execute(sql: "ALTER TABLE \"temp.loan\" RENAME COLUMN \"day\" TO \"due\"")
        }

        """#)
  }

  @Test func `numbers keep their digits and signs as default values`() throws {
    let schema = "CREATE TABLE book (a DEFAULT +1, b DEFAULT 007, c DEFAULT -7, d DEFAULT -0)"
    #expect(
      try MigrationDraft(from: DatabaseQueue(), toSchema: schema).swift(identifier: "B") == #"""
        migrator.registerMigration("B") { db in
          try db.create(table: "book") { t in
            t.column("a").defaults(sql: "+1")
            t.column("b").defaults(sql: "007")
            t.column("c").defaults(to: -7)
            t.column("d").defaults(sql: "-0")
          }
        }

        """#)
  }

  @Test func `names of columns that may be keywords are names`() throws {
    let schema = """
      CREATE TABLE tree (key, left, right, UNIQUE (left, right), UNIQUE ("key", "left"));
      CREATE INDEX tree_left ON tree (left);
      CREATE INDEX tree_key ON tree (key);
      """
    #expect(
      try MigrationDraft(from: DatabaseQueue(), toSchema: schema).swift(identifier: "T") == #"""
        migrator.registerMigration("T") { db in
          try db.create(table: "tree") { t in
            t.column("key")
            t.column("left")
            t.column("right")
            t.uniqueKey(["left", "right"])
            t.uniqueKey(["key", "left"])
          }
          try db.create(index: "tree_left", on: "tree", columns: ["left"])
          try db.create(index: "tree_key", on: "tree", columns: ["key"])
        }

        """#)
  }
}
