import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private func withTables(_ sql: String, _ body: (Database) throws -> Void) throws {
  try makeDatabase(sql: sql).write(body)
}

/// The names of histories, their indexes and rowids.
struct HistoryNameTests {
  @Test func `another table with the name of a history is none`() throws {
    let sql = """
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      CREATE TABLE book_history (note TEXT); INSERT INTO book_history VALUES ('mine');
      """
    try withTables(sql) { db throws in
      let expected = """
        no history of "book": table "book_history", which has its name, is no history, since it \
        has no column "historyId": rename that table
        """
      #expect(message { try db.createHistory(of: "book") } == expected)
      #expect(message { try db.updateHistory(of: "book") } == expected)
      #expect(message { try db.dropHistory(of: "book") } == expected)
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM book_history") == [["note": "mine"]])
      try db.rename(table: "book_history", to: "note")
      try db.createHistory(of: "book")
      try db.dropHistory(of: "book")
      #expect(try !db.tableExists("book_history"))
    }
  }

  @Test func `the index of a history takes the name of a renamed table`() throws {
    let create = "CREATE TABLE book (id INTEGER PRIMARY KEY)"
    try withTables(create) { db throws in
      try db.createHistory(of: "book")
      try db.rename(table: "book", to: "novel")
      try db.rename(table: "book_history", to: "novel_history")
      for _ in 1...2 { try db.updateHistory(of: "novel") }
      try db.execute(sql: create)
      try db.createHistory(of: "book")
      #expect(
        try String.fetchAll(
          db, sql: "SELECT tbl_name || ' ' || name FROM sqlite_master WHERE type = 'index'"
        ).sorted() == ["book_history book_history_key", "novel_history novel_history_key"])
    }
  }

  @Test func `the name of a type is no constraint of the history`() throws {
    let sql = """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title "TEXT UNIQUE", pages [unsigned-int], code "check", note)
      """
    try withTables(sql) { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma', 9, 'a', 'b')")
      try db.execute(sql: "UPDATE book SET pages = 10")
      #expect(
        try Row.fetchAll(db, sql: "SELECT title, pages FROM book_history ORDER BY historyId") == [
          ["title": "Emma", "pages": 9], ["title": "Emma", "pages": 10],
        ])
      #expect(
        try String.fetchAll(db, sql: "SELECT type FROM pragma_table_info('book_history') LIMIT 5")
          == ["INTEGER", "TEXT UNIQUE", "unsigned-int", "check", ""])
      try db.execute(sql: "ALTER TABLE book ADD COLUMN shelf \"not null\"")
      try db.updateHistory(of: "book")
      try db.execute(sql: "UPDATE book SET pages = 11")
    }
  }

  @Test func `plain types stand in the history as in the table`() throws {
    let sql = """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title VARCHAR(20), price DECIMAL(10, 2), pages UNSIGNED BIG INT,
        shelf "X), (1", code "left", copies "INT ", place "x(٣)")
      """
    try withTables(sql) { db throws in
      try db.createHistory(of: "book")
      let history = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE name = 'book_history'")
      #expect(
        history == """
          CREATE TABLE "book_history" ("id" INTEGER, "title" VARCHAR(20), "price" DECIMAL(10, 2), \
          "pages" UNSIGNED BIG INT, "shelf" "X), (1", "code" "left", "copies" "INT ", "place" "x(٣)", \
          "historyId" INTEGER PRIMARY KEY, "historyOperation" TEXT NOT NULL, "historyDate" TEXT NOT NULL)
          """)
    }
  }

  @Test func `other indexes of a history stay`() throws {
    try withTables("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
      try db.createHistory(of: "book")
      try db.rename(table: "book", to: "novel")
      try db.rename(table: "book_history", to: "novel_history")
      try db.execute(
        sql: """
          CREATE UNIQUE INDEX a_history_key ON novel_history (id, historyId);
          CREATE INDEX b_history_key ON novel_history (id) WHERE title IS NULL;
          CREATE INDEX c_history_key ON novel_history (lower(title));
          CREATE INDEX d_history_key ON novel_history (title);
          """)
      try db.updateHistory(of: "novel")
      try db.execute(sql: "CREATE INDEX e_history_key ON novel_history (id)")
      try db.updateHistory(of: "novel")
      #expect(
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'index'").sorted()
          == ["a", "b", "c", "d", "e", "novel"].map { "\($0)_history_key" })
    }
  }

  @Test func `rows that neither a rowid nor a key finds have no history`() throws {
    let names = "rowid TEXT, oid TEXT, _rowid_ TEXT"
    let sql = """
      CREATE TABLE shelf (room TEXT NOT NULL, number INTEGER, \(names), PRIMARY KEY (room, number));
      CREATE TABLE book (id TEXT PRIMARY KEY NOT NULL, \(names));
      CREATE TABLE loan (id TEXT PRIMARY KEY, \(names)) WITHOUT ROWID;
      CREATE TABLE note (id INTEGER PRIMARY KEY, \(names));
      CREATE TABLE page (id TEXT PRIMARY KEY, rowid TEXT, oid TEXT);
      """
    try withTables(sql) { db throws in
      #expect(
        message { try db.createHistory(of: "shelf") } == """
          no history of "shelf": the column "number" of its primary key may be null, and its rowid \
          has no name, since its columns have all of them: declare the key as NOT NULL, or rename \
          one of the columns rowid, oid and _rowid_
          """)
      #expect(try !db.tableExists("shelf_history"))
      for table in ["book", "loan", "note", "page"] { try db.createHistory(of: table) }
    }
  }
}
