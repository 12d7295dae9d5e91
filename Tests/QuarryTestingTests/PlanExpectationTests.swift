import Quarry
import QuarryTestSupport
import QuarryTesting
import Testing

private let year = Column("year")

struct PlanExpectationTests {
  private func planError(_ body: (Database) throws -> some Any) throws -> PlanError? {
    try withBookshop { db throws in
      do {
        _ = try body(db)
        return nil
      } catch let error as PlanError {
        return error
      }
    }
  }

  @Test func `an expected plan is returned`() throws {
    try withBookshop { db throws in
      try db.create(indexOn: "book", columns: ["year"])
      #expect(try Book.filter(key: 1).expectSearch(db).searches == ["book"])
      try Book.filter(year > 1970).expectSearch(db, of: "book", using: "index_book_on_year")
      try Book.filter(year > 1970).expectSearch(db, using: "INDEX_book_on_year")
      try Book.order(year).expectNoTemporaryTree(db)
      // The author is found, whether the books are or not.
      try Book.including(required: Book.author).expectSearch(db, of: "author")
      let b = TableAlias(name: "b")
      try Book.aliased(b).filter(b[Column("year")] == 1).expectSearch(db, of: "book")
      try Book.aliased(b).filter(b[Column("year")] == 1).expectSearch(db, of: "b")
    }
  }

  @Test func `a scan is an error with the index that helps`() throws {
    let error = try planError { try Book.filter(year == 1974).expectSearch($0) }
    #expect(error?.message == "All rows of book are read")
    #expect(error?.index == SuggestedIndex(table: "book", columns: ["year"]))
    #expect(error?.place.hasPrefix("QuarryTestingTests/PlanExpectationTests.swift:") == true)
    #expect(
      error.map { "\($0)".split(separator: "\n").dropFirst().joined(separator: "\n") } == """
        SELECT * FROM "book" WHERE "year" = ?
        QUERY PLAN
        `--SCAN book
        This index helps: try db.create(indexOn: "book", columns: ["year"])
        """)
  }

  @Test func `two columns are tried where one does not help enough`() throws {
    let error = try planError {
      try Book.filter(year == 1974).order(Column("title")).expectNoTemporaryTree($0)
    }
    #expect(error?.message == "ORDER BY needs a temporary tree")
    #expect(error?.index == SuggestedIndex(table: "book", columns: ["year", "title"]))
  }

  @Test func `no index is suggested where none helps`() throws {
    #expect(try planError { try Book.all().expectSearch($0) }?.index == nil)
    let error = try planError { try Book.filter(year % 2 == 0).expectSearch($0) }
    #expect(error != nil)
    #expect(error?.index == nil)
  }

  @Test func `the requests of including(all:) are checked`() throws {
    let books = Author.including(all: Author.books).filter(key: 1)
    let error = try planError { try books.expectSearch($0) }
    #expect(error?.message == "All rows of book are read")
    #expect(error?.plan.scans == ["book"])
    #expect(error?.index == SuggestedIndex(table: "book", columns: ["authorId"]))
    #expect(try planError { try books.expectSearch($0, of: "book") }?.message == error?.message)
    #expect(try planError { try books.expectSearch($0, of: "author") } == nil)
    #expect(
      try planError { try books.expectSearch($0, of: "nope") }?.message
        == "The request does not search nope")
    try withBookshop { db throws in
      try db.create(indexOn: "book", columns: ["authorId"])
      let plan = try books.expectSearch(db)
      #expect(plan.searches == ["author"])
      try books.expectSearch(db, of: "book", using: "index_book_on_authorId")
      try books.expectSearch(db, using: "index_book_on_authorId")
      // One inside another one.
      let deep = Author.filter(key: 1).including(
        all: Author.books.including(required: Book.author.including(all: Author.books)))
      try deep.expectSearch(db)
      try db.execute(sql: "DROP INDEX index_book_on_authorId")
      #expect(throws: PlanError.self) { try deep.expectSearch(db) }
    }
  }

  @Test func `requests of including(all:) with a key of several columns are checked`() throws {
    struct Shelf: TableRecord {
      static let places = hasMany(Place.self)
    }
    struct Place: TableRecord {}
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE shelf (room TEXT, number INTEGER, PRIMARY KEY (room, number)) WITHOUT ROWID;
          CREATE TABLE place (
            id INTEGER PRIMARY KEY, room TEXT, number INTEGER,
            FOREIGN KEY (room, number) REFERENCES shelf (room, number));
          """)
      let shelf = Shelf.filter(Column("room") == "A" && Column("number") == 1)
        .including(all: Shelf.places)
      #expect(throws: PlanError.self) { try shelf.expectSearch(db) }
      try db.create(indexOn: "place", columns: ["room", "number"])
      try shelf.expectSearch(db, of: "place", using: "index_place_on_room_number")
      #expect(throws: PlanError.self) { try Shelf.including(all: Shelf.places).expectSearch(db) }
      try Shelf.including(all: Shelf.places).expectSearch(db, of: "place")
    }
  }

  @Test func `other plans are errors`() throws {
    func message(_ body: (Database) throws -> some Any) throws -> String? {
      try planError(body)?.message
    }
    #expect(
      try message { try Book.all().expectSearch($0, of: "book") } == "All rows of book are read")
    #expect(
      try message { try Book.filter(key: 1).expectSearch($0, of: "author") }
        == "The request does not search author")
    #expect(
      try message { try Book.filter(key: 1).expectSearch($0, of: "nope") }
        == "The request does not search nope")
    #expect(
      try message { try Book.filter(key: 1).expectSearch($0, of: "book", using: "i") }
        == "The index i does not find the rows of book")
    #expect(
      try message { try Book.filter(key: 1).expectSearch($0, using: "i") }
        == "The index i is not used")
    let join: SQLRequest<Row> = "SELECT * FROM note a JOIN note b ON a.text = b.text"
    #expect(try message { try join.expectSearch($0) } == "All rows of note are read")
  }

  @Test(arguments: [
    "SELECT * FROM author a,book b WHERE b.title = 'Emma' AND a.id = b.authorId",
    "SELECT * FROM [book] b WHERE title = 'Emma'",
    "SELECT * FROM `book` AS [b c] WHERE title = 'Emma'",
    "SELECT * FROM main.'book' AS 'b' WHERE title = 'Emma'",
    "SELECT * FROM (book AS b) WHERE title = 'Emma'",
    #"SELECT * FROM "book" AS "x""y" WHERE title = 'Emma'"#,
    "SELECT * FROM namedBook WHERE title = 'Emma'",
    "SELECT * FROM BookOfView AS v WHERE title = 'Emma'",
  ])
  func `a scan is found behind an alias in any quotes, and in views`(sql: String) throws {
    try withBookshop { db throws in
      try db.execute(
        sql: """
          CREATE VIEW namedBook AS SELECT named.title FROM book AS named;
          CREATE VIEW bookOfView AS SELECT title FROM NAMEDBOOK
          """)
      let error = #expect(throws: PlanError.self) {
        try SQLRequest<Row>(sql: sql).expectSearch(db)
      }
      #expect(error?.message == "All rows of book are read")
      #expect(error?.index == SuggestedIndex(table: "book", columns: ["title"]))
    }
  }

  @Test(arguments: [
    "SELECT max(title) FROM book", "SELECT min(b.title) FROM book b WHERE year = 1974",
    "SELECT max(book.title) FROM main.book -- WHERE",
    "SELECT * FROM (SELECT title, count(*) AS n FROM book GROUP BY title) AS book",
    "WITH b AS (SELECT title, count(*) AS n FROM book AS b GROUP BY title) SELECT * FROM b",
  ])
  func `all rows are read for a minimum or maximum, and in a subquery with the name of its table`(
    sql: String
  ) throws {
    try withBookshop { db throws in
      let request = SQLRequest<Row>(sql: sql)
      let error = #expect(throws: PlanError.self) { try request.expectSearch(db) }
      #expect(error?.message == "All rows of book are read")
      #expect(throws: PlanError.self) { try request.expectSearch(db, of: "book") }
    }
  }

  @Test(arguments: [
    "SELECT max(title) FROM book", #"SELECT MIN("id") FROM "book""#,
    "SELECT max(b.rowid) FROM book AS b",
    "SELECT title FROM book WHERE id = (SELECT max(id) FROM book)", "SELECT max((id)) FROM book",
    "SELECT (SELECT max(id) FROM book), (SELECT title FROM book WHERE id = 4)",
    "SELECT max(id), 'max(isbn)' FROM book -- WHERE", "SELECT max(title) FROM numbered",
    // They may be.
    "SELECT max(id) FROM book WHERE title = 'Emma'", "SELECT max(lower(title)) FROM book",
  ])
  func `a minimum or maximum is found by an index or the rowid`(sql: String) throws {
    try withBookshop { db throws in
      try db.create(indexOn: "book", columns: ["title"])
      try db.execute(sql: "CREATE VIEW numbered AS SELECT id AS title FROM book")
      try SQLRequest<Row>(sql: sql).expectSearch(db, of: "book")
    }
  }

  @Test func `the table of an attached database is expected by its name`() throws {
    try DatabaseQueue().writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE TABLE main.book (id INTEGER PRIMARY KEY, title TEXT)
          """)
      let request: SQLRequest<Row> = "SELECT * FROM archive.book AS b WHERE id = 1"
      try request.expectSearch(db, of: "archive.book")
      #expect(throws: PlanError.self) { try request.expectSearch(db, of: "book") }
    }
  }

  @Test func `a scan behind an alias that is not understood has the name of the plan`() throws {
    try withBookshop { db throws in
      let request: SQLRequest<Row> = "SELECT * FROM book/* */b WHERE title = 'Emma'"
      let error = #expect(throws: PlanError.self) { try request.expectSearch(db) }
      #expect(error?.message == "All rows of b are read")
    }
  }

  @Test(arguments: [
    "WITH one AS MATERIALIZED (SELECT * FROM book WHERE id = 1) SELECT * FROM one AS o",
    "SELECT * FROM (SELECT * FROM book WHERE id = 1 LIMIT 1) AS o WHERE title = 'Emma'",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n AS m WHERE i < 5)
    SELECT * FROM n AS k
    """,
    "SELECT name FROM sqlite_master AS m",
  ])
  func `a scan of a subquery with an alias is none of a table`(sql: String) throws {
    try withBookshop { db throws in
      _ = try SQLRequest<Row>(sql: sql).expectSearch(db)
    }
  }

  @Test(.needs(.fullText))
  func `the copy of the schema has full-text tables, views and functions`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("twice", argumentCount: 1, pure: true) { $0[0] })
    }
    try withBookshop(configuration: configuration) { db throws in
      try db.create(virtualTable: "ft", using: FTS4()) { t in t.column("body") }
      let request: SQLRequest<Row> = "SELECT * FROM bestseller WHERE twice(id) > 1 AND title = 'x'"
      let error = #expect(throws: PlanError.self) { try request.expectSearch(db) }
      #expect(error?.index == SuggestedIndex(table: "book", columns: ["title"]))
    }
  }
}
