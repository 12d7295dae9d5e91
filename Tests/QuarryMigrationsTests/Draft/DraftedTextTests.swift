import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct DraftedTextTests {
  /// The library writes all names in quotes.
  @Test func `names such as left need no quotes`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "tree") { t in
        t.column("left", .integer)
        t.column("right", .integer)
        t.uniqueKey(["left", "right"])
      }
      try db.create(index: "tree_left", on: "tree", columns: ["left"])
    }
    let draft = try MigrationDraft(
      from: queue,
      toSchema: """
        CREATE TABLE tree (left INTEGER, right INTEGER, UNIQUE (left, right));
        CREATE INDEX tree_left ON tree (left);
        """)
    #expect(draft.differences == [])
    #expect(draft.sql == "")
  }

  @Test(arguments: [
    "ON book.place BETWEEN shelf.left AND shelf.\"right\" LEFT JOIN",
    "ON place = \"right\" LEFT JOIN",
    "ON place AND [left] JOIN", "AS \"left\" JOIN",
  ])
  func `a name in quotes before JOIN is an alias after a name only`(join: String) throws {
    func schema(_ join: String) -> String {
      """
      CREATE TABLE book (place); CREATE TABLE shelf (left, right); CREATE TABLE author (id);
      CREATE VIEW placed AS SELECT author.id FROM book JOIN shelf \(join) author;
      """
    }
    let draft = try draft(from: schema(join), schema(join.replacing(#/["\[\]]/#, with: "")))
    #expect(draft.isEmpty)
    #expect(draft.differences == [])
  }

  @Test func `a column is renamed to left`() throws {
    let draft = try draft(
      from: "CREATE TABLE tree (a, b, UNIQUE (a, b), CHECK (a < b))",
      "CREATE TABLE tree (left, b, UNIQUE (left, b), CHECK (left < b))",
      renaming: ["tree.a": "left"])
    #expect(draft.sql == "ALTER TABLE \"tree\" RENAME COLUMN \"a\" TO \"left\";\n")
  }

  @Test func `types in quotes are the same types`() throws {
    let draft = try draft(
      from: """
        CREATE TABLE book (
          weight DOUBLE PRECISION, cover "cover page", title VARCHAR(20), price DECIMAL(10, 2))
        """,
      """
      CREATE TABLE book (
        weight "double precision", cover COVER PAGE, title "varchar(20)", price "DECIMAL(10,2)")
      """)
    #expect(draft.isEmpty)
    #expect(draft.differences == [])
  }

  /// SQLite passes over the other words.
  @Test func `a type that begins with a name in quotes ends with it`() throws {
    let quoted = "CREATE TABLE book (pages \"count\" INT)"
    try #expect(draft(from: quoted, "CREATE TABLE book (pages count)").isEmpty)
    try #expect(
      draft(from: quoted, "CREATE TABLE book (pages count INT)").differences == [
        "column book.pages is pages \"count\" INT, not pages count INT"
      ])
  }

  /// A primary key of the type INTEGER shows the rowid.
  @Test(arguments: ["\"INTEGER \"", "\" INTEGER\"", "\"INTEGER\" serial", "\"INTEGER\"(5)"])
  func `only INTEGER is the type INTEGER`(type: String) throws {
    let draft = try draft(
      from: "CREATE TABLE book (id \(type) PRIMARY KEY, title TEXT)",
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    #expect(
      draft.differences == [
        "column book.id is id \(type) PRIMARY KEY, not id INTEGER PRIMARY KEY"
      ])
  }

  @Test func `a comment at the end of a statement hides no semicolon`() throws {
    let draft = try draft(
      from: "CREATE TABLE a (x)",
      """
      CREATE TABLE a (x);
      CREATE TABLE b (y) -- of 'a'
      ;
      CREATE VIEW v AS SELECT x FROM a -- all /* of them
      ;
      CREATE VIEW w AS SELECT x FROM v /* all */;
      CREATE VIEW u AS SELECT y FROM b /* without end
      """)
    #expect(
      draft.sql.contains(
        """
        CREATE VIEW v AS SELECT x FROM a -- all /* of them
        ;
        CREATE VIEW w AS SELECT x FROM v /* all */;
        CREATE VIEW u AS SELECT y FROM b /* without end
        """))
  }

  @Test(arguments: ["NOT NULL", "UNIQUE", "CHECK (authorId > 0)"])
  func `a clause after SET DEFAULT is one of its own`(clause: String) throws {
    let key = "REFERENCES author(id) ON DELETE SET DEFAULT"
    func schema(_ clauses: String) -> String {
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER DEFAULT 1 \(clauses));

      """
    }
    try #expect(
      MigrationDraft(
        from: makeDatabase(sql: schema("\(clause) \(key)")), toSchema: schema("\(key) \(clause)")
      ).isEmpty)
    let queue = try makeDatabase(sql: schema(key) + "INSERT INTO book VALUES (1, NULL)")
    let differences = [
      "column book.authorId is authorId INTEGER DEFAULT 1 \(key), not authorId INTEGER DEFAULT 1 \(key) \(clause)"
    ]
    guard clause == "NOT NULL" else {
      let draft = try MigrationDraft(from: queue, toSchema: schema("\(key) \(clause)"))
      return #expect(draft.differences == differences)
    }
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: schema("\(key) \(clause)"))
    }
    #expect(error?.description.hasSuffix("- book.authorId: 1 rows without value") == true)
  }
}
