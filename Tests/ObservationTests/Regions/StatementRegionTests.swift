import Quarry
import QuarryTestSupport
import Testing

@Suite struct StatementRegionTests {
  /// The tables that SQLite 3.40 reports in addition to a table-valued function; 3.46 does not.
  private static let moduleRegion = SQLiteBuild.version < 3_046_000 ? ",sqlite_master(ROWID)" : ""

  static let reads: [(String, String)] = [
    ("SELECT * FROM book", "book(authorId,id,price,title,year)"),
    ("select TITLE from BOOK", "book(title)"),
    ("SELECT Count(*) FROM Book", "Book(*)"),
    ("SELECT id FROM book", "book(*)"),
    ("SELECT MAX(id) FROM book", "book(*)"),
    ("SELECT COUNT(id) FROM book", "book(*)"),
    ("SELECT rowid FROM book", "book(*)"),
    ("SELECT oid FROM book", "book(*)"),
    ("SELECT 1 FROM book", "book(*)"),
    ("SELECT id, title FROM book", "book(id,title)"),
    ("SELECT rowid, text FROM note", "note(ROWID,text)"),
    ("SELECT code FROM country", "country(code)"),
    ("SELECT COUNT(*) FROM book WHERE year = 1", "book(year)"),
    ("SELECT title FROM book WHERE year > 1 ORDER BY price", "book(price,title,year)"),
    ("SELECT title FROM book GROUP BY year HAVING MAX(price) > 1", "book(price,title,year)"),
    ("SELECT title, ROW_NUMBER() OVER (ORDER BY year) FROM book", "book(title,year)"),
    (
      "SELECT b.title FROM book b JOIN author a ON a.id = b.authorId",
      "author(*),book(authorId,title)"
    ),
    (
      "SELECT b.title FROM book b LEFT JOIN author a ON a.id = b.authorId",
      "author(*),book(authorId,title)"
    ),
    (
      "SELECT title FROM book WHERE EXISTS (SELECT * FROM author WHERE author.id = book.authorId)",
      "author(country,id,name),book(authorId,title)"
    ),
    (
      "SELECT title FROM book WHERE EXISTS (SELECT 1 FROM author)",
      "author(*),book(title)"
    ),
    (
      "SELECT title FROM book WHERE authorId IN (SELECT id FROM author WHERE country = 'FR')",
      "author(country,id),book(authorId,title)"
    ),
    ("SELECT title FROM book UNION SELECT name FROM author", "author(name),book(title)"),
    ("WITH c AS (SELECT title AS t FROM book) SELECT t FROM c", "book(title)"),
    ("WITH c AS (SELECT title AS t FROM book) SELECT 1", "empty"),
    ("SELECT title FROM v", "book(title,year),v(title)"),
    ("SELECT title FROM w", "book(title,year),v(title),w(title)"),
    ("SELECT COUNT(*) FROM v", "book(title,year)"),
    ("SELECT label FROM shelf", "shelf(label)"),
    ("SELECT * FROM ft WHERE ft MATCH 'a'", "ft(body,ft)"),
    ("SELECT COUNT(*) FROM ft", "ft(*)"),
    ("SELECT rowid FROM ft", "ft(*)"),
    ("SELECT * FROM sqlite_master", "sqlite_master(name,rootpage,sql,tbl_name,type)"),
    (
      "SELECT name FROM pragma_table_info('book')",
      "pragma_table_info(name)\(moduleRegion)"
    ),
    ("SELECT value FROM json_each('[1]')", "json_each(value)\(moduleRegion)"),
    ("SELECT title FROM book LIMIT 0", "book(title)"),
    ("SELECT title FROM book WHERE 0", "book(title)"),
    ("EXPLAIN SELECT title FROM book", "book(title)"),
    ("SELECT 1", "empty"),
    ("VALUES (1)", "empty"),
    ("PRAGMA user_version", "empty"),
    ("BEGIN", "empty"),
    ("UPDATE book SET year = year + 1", "book(year)"),
    ("INSERT INTO book(title) VALUES ('x')", "author(id)"),
    ("DELETE FROM author WHERE id = 1", "author(id),book(authorId,id),review(bookId)"),
  ]

  @Test(.needs(.fullText), arguments: reads) func `the region of a statement`(
    sql: String, region: String
  ) throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIEW v AS SELECT title, year FROM book WHERE year > 1;
          CREATE VIEW w AS SELECT title FROM v;
          CREATE VIRTUAL TABLE ft USING fts5(body);
          """)
      #expect(try db.makeStatement(sql: sql).databaseRegion.description == region)
    }
  }

  /// SQLite does not report the columns, nor the tables, that such joins read.
  @Test func `joins by name`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE rack (code TEXT, room TEXT); CREATE TABLE copy (code TEXT, title TEXT);
          CREATE TABLE "odd ""rack" (code TEXT);
          CREATE VIEW shelved AS SELECT title FROM copy JOIN rack USING (code);
          CREATE VIEW number AS SELECT COUNT(*) AS n FROM copy NATURAL JOIN rack;
          CREATE VIEW numbers AS SELECT n + 1 AS n FROM number;
          CREATE VIEW room AS SELECT code FROM rack;
          CREATE VIEW one AS SELECT 1 AS n FROM copy JOIN rack USING (code);
          CREATE VIEW table_expression AS WITH q AS (SELECT code, title FROM copy)
            SELECT q.title FROM q JOIN rack USING (code);
          """)
      func region(_ sql: String) throws -> String {
        try db.makeStatement(sql: sql).databaseRegion.description
      }
      let both = "copy(*),rack(*)"
      #expect(try region("SELECT title FROM copy JOIN rack USING (code)") == both)
      #expect(try region("SELECT title FROM copy NATURAL LEFT JOIN main.[rack]") == both)
      #expect(try region("SELECT COUNT(*) FROM copy join \"rack\" using(code)") == both)
      #expect(try region("SELECT title FROM shelved") == "copy(*),rack(*),shelved(*)")
      #expect(try region("SELECT n FROM number") == "copy(*),number(*),rack(*)")
      #expect(try region("SELECT 1 FROM shelved") == "copy(*),rack(*),shelved(*)")
      #expect(try region("SELECT 1 FROM number") == "copy(*),number(*),rack(*)")
      #expect(try region("SELECT 1 FROM numbers") == "copy(*),number(*),rack(*)")
      #expect(try region("SELECT n FROM numbers") == "copy(*),number(*),numbers(n),rack(*)")
      #expect(
        try region("SELECT title FROM copy JOIN room USING (code)") == "copy(*),rack(*),room(*)")
      #expect(
        try region(#"SELECT title FROM copy JOIN "odd ""rack" USING (code)"#)
          == #"copy(*),odd "rack(*)"#)
      #expect(try region("SELECT [c].title FROM [copy][c] JOIN [rack] USING (code)") == both)
      #expect(try region(#"SELECT c.title FROM "copy"[c] JOIN "rack" USING (code)"#) == both)
      #expect(try region("SELECT COUNT(*) FROM one") == "copy(*),one(*),rack(*)")
      #expect(
        try region("SELECT text FROM note WHERE EXISTS (SELECT 1 FROM one)")
          == "copy(*),note(text),one(*),rack(*)")
      #expect(
        try region("SELECT COUNT(*) FROM table_expression")
          == "copy(*),rack(*),table_expression(*)")
      #expect(
        try region("SELECT 'USING', title AS \"natural\" FROM copy -- USING") == "copy(title)")
      #expect(try region("SELECT code FROM room") == "rack(code),room(code)")
    }
  }

  @Test func `the region of a statement outside of an access`() throws {
    let queue = try DatabaseQueue()
    let statements = try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE rack (code TEXT); CREATE TABLE copy (code TEXT, title TEXT);
          CREATE VIEW room AS SELECT code FROM rack;
          """)
      return try [
        "SELECT code FROM rack", "SELECT title FROM copy NATURAL JOIN rack",
        "SELECT code FROM room",
      ].map { try db.makeStatement(sql: $0) }
    }
    // Nobody knows the views.
    for statement in statements { #expect(statement.databaseRegion == .fullDatabase) }
  }

  @Test func `an observation of a join by name`() throws {
    try withShop { db throws in
      try db.execute(
        sql: "CREATE TABLE rack (code TEXT); CREATE TABLE copy (code TEXT, title TEXT)")
      let notified = try notifications(
        SQLRequest<Int>(sql: "SELECT COUNT(*) FROM copy JOIN rack USING (code)"), in: db,
        [
          "INSERT INTO copy VALUES ('a', 'Voyage')", "INSERT INTO rack VALUES ('a')",
          "UPDATE copy SET code = 'b'", "INSERT INTO note VALUES ('c')",
        ])
      #expect(notified == [1, 1, 1, 0])
    }
  }

  @Test func `cursors have the region of their statement`() throws {
    try withShop { db throws in
      let rows = try Row.fetchCursor(db, sql: "SELECT title FROM book")
      #expect(rows.databaseRegion.description == "book(title)")
      let values = try String.fetchCursor(db, sql: "SELECT title FROM book")
      #expect(values.databaseRegion.description == "book(title)")
      #expect(
        try Book.fetchCursor(db).databaseRegion.description == "book(authorId,id,price,title,year)")
    }
  }

  @Test func `tables of several schemas are one`() throws {
    try withShop { db throws in
      try db.execute(
        sql: "ATTACH ':memory:' AS att; CREATE TABLE att.book (id INTEGER PRIMARY KEY, isbn TEXT)")
      let statement = try db.makeStatement(
        sql: "SELECT isbn FROM att.book UNION ALL SELECT title FROM main.book")
      #expect(statement.databaseRegion.description == "book(isbn,title)")
    }
  }
}
