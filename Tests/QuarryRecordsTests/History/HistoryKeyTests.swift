import Foundation
import Quarry
import QuarryPlans
import QuarryRecords
import QuarryTestSupport
import Testing

struct HistoryKeyTests {
  @Test func `a key of several columns, without rowid, with generated columns`() throws {
    let sql = """
      CREATE TABLE shelf (
        room TEXT, number INTEGER, name TEXT NOT NULL DEFAULT 'new',
        label TEXT GENERATED ALWAYS AS (room || number) VIRTUAL,
        stored INTEGER AS (number * 2) STORED,
        PRIMARY KEY (room, number)) WITHOUT ROWID
      """
    try withBookTable(sql) { db throws in
      try db.createHistory(of: "shelf")
      try RecordedShelf(room: "A", number: 7, name: "Novels").insert(db)
      try RecordedShelf(room: "A", number: 8, name: "Poems").insert(db)
      try RecordedShelf(room: "A", number: 7, name: "Plays").update(db)
      #expect(
        try entries(db, "room, number, name, label, stored", of: "shelf") == [
          "insert A 7 Novels A7 14", "insert A 8 Poems A8 16", "update A 7 Plays A7 14",
        ])
      let history = try RecordedShelf.history(key: ["room": "A", "number": 7]).fetchAll(db)
      #expect(history.map(\.record.name) == ["Novels", "Plays"])
      #expect(
        message { _ = try RecordedShelf.history(key: 7).fetchAll(db) } == """
          no history of "shelf": of one key, since its primary key has 2 columns: give a dictionary
          """)
    }
  }

  @Test(arguments: [
    (
      "AFTER UPDATE OF title ON book BEGIN UPDATE book SET year = 1816 WHERE id = NEW.id; END",
      ["insert 1 Emma 1815", "update 1 Ruth 1816", "update 1 Ruth 1816", "delete 1 Ruth 1816"]
    ),
    (
      "AFTER INSERT ON book BEGIN UPDATE book SET year = 1816 WHERE id = NEW.id; END",
      ["update 1 Emma 1816", "insert 1 Emma 1816", "update 1 Ruth 1816", "delete 1 Ruth 1816"]
    ),
    (
      "AFTER INSERT ON book BEGIN DELETE FROM book WHERE id = NEW.id; END",
      ["delete 1 Emma 1815"]
    ),
    (
      "AFTER UPDATE ON book BEGIN DELETE FROM book WHERE id = NEW.id; END",
      ["insert 1 Emma 1815", "delete 1 Ruth 1815"]
    ),
    (
      """
      AFTER DELETE ON book BEGIN
        INSERT INTO book (id, title, year) VALUES (OLD.id, OLD.title, 0);
      END
      """,
      ["insert 1 Emma 1815", "update 1 Ruth 1815", "insert 1 Ruth 0"]
    ),
  ])
  func `the last entry is the row, or its deletion, also where a newer trigger changes it at once`(
    trigger: String, expected: [String]
  ) throws {
    let tables = [
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER)",
      """
      CREATE TABLE book (
        id INTEGER, title TEXT, year INTEGER, shelf TEXT DEFAULT 'A',
        label TEXT GENERATED ALWAYS AS (shelf || id) VIRTUAL, PRIMARY KEY (shelf, id)) WITHOUT ROWID
      """,
    ]
    for table in tables {
      try withBookTable(table) { db throws in
        try db.createHistory(of: "book")
        try db.execute(
          sql: """
            CREATE TRIGGER later \(trigger);
            INSERT INTO book (id, title, year) VALUES (1, 'Emma', 1815);
            UPDATE book SET title = 'Ruth';
            DELETE FROM book;
            """)
        #expect(try entries(db, "id, title, year") == expected)
      }
    }
  }

  @Test func `a row that comes again under its former key has no deletion after it`() throws {
    try withBookTable("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          CREATE TRIGGER kept AFTER UPDATE OF id ON book WHEN OLD.id = 1 BEGIN
            INSERT INTO book VALUES (OLD.id, 'Ruth');
          END;
          INSERT INTO book VALUES (1, 'Emma');
          UPDATE book SET id = 2;
          """)
      #expect(try entries(db) == ["insert 1 Emma", "insert 1 Ruth", "update 2 Emma"])
    }
  }

  @Test(arguments: ["", ", rowid TEXT"])
  func `rows with a null in their key are recorded one by one`(column: String) throws {
    try withBookTable("CREATE TABLE book (id TEXT PRIMARY KEY, title TEXT\(column))") { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          INSERT INTO book (title) VALUES ('Emma'), ('Ruth'), ('Cranford');
          UPDATE book SET title = 'Persuasion' WHERE title = 'Ruth';
          DELETE FROM book WHERE title = 'Persuasion';
          """)
      #expect(
        try entries(db) == [
          "insert - Emma", "insert - Ruth", "insert - Cranford", "update - Persuasion",
          "delete - Persuasion",
        ])
    }
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `keys are equal in entries if their index takes them for equal`(options: String) throws {
    let exact = """
      CREATE TABLE book (
        id TEXT COLLATE NOCASE, title TEXT, PRIMARY KEY (id COLLATE BINARY))\(options)
      """
    try withBookTable(exact) { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          INSERT INTO book VALUES ('a', 'Emma'), ('A', 'Ruth');
          DELETE FROM book WHERE title = 'Emma';
          UPDATE book SET id = 'a';
          """)
      #expect(
        try entries(db) == [
          "insert a Emma", "insert A Ruth", "delete a Emma", "delete A Ruth", "update a Ruth",
        ])
    }
    let caseless =
      "CREATE TABLE book (id TEXT, title TEXT, PRIMARY KEY (id COLLATE NOCASE))\(options)"
    try withBookTable(caseless) { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          INSERT INTO book VALUES ('a', 'Emma'), ('b', 'Ruth');
          UPDATE book SET id = 'A' WHERE id = 'a';
          DELETE FROM book WHERE id = 'A';
          """)
      #expect(
        try entries(db) == ["insert a Emma", "insert b Ruth", "update A Emma", "delete A Emma"])
      // SQLite finds the row by the index.
      let trigger = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_master WHERE name = 'book_history_delete'")
      #expect(trigger?.contains(#"saved."id" = OLD."id" COLLATE "NOCASE""#) == true)
    }
  }

  @Test func `keys are compared by the collation of the table`() throws {
    struct Country: Codable, FetchableRecord, PersistableRecord {
      var code: String
      var name: String
    }
    let sql = "CREATE TABLE country (code TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, name TEXT)"
    try withBookTable(sql) { db throws in
      try db.createHistory(of: "country")
      try Country(code: "FR", name: "France").insert(db)
      #expect(try Country.history(key: "fr").fetchAll(db).map(\.record.name) == ["France"])
      let plan = try Country.history(key: "fr").explain(db)
      #expect(plan.description.contains("country_history_key"))
      #expect(try Country.history(key: ["code": "fr"]).fetchCount(db) == 1)
      #expect(try Country.history().filter(Column("code") == "fr").fetchCount(db) == 1)
      // A history without the collation.
      try db.execute(
        sql: """
          CREATE TABLE old AS SELECT * FROM country_history;
          DROP TABLE country_history;
          CREATE TABLE country_history AS SELECT * FROM old;
          """)
      #expect(try Country.history(key: "fr").fetchCount(db) == 1)
    }
  }

  @Test func `keys are encoded as the record does`() throws {
    struct Loan: Codable, FetchableRecord, PersistableRecord {
      var id: UUID
      var title: String

      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        column == "id" ? .uppercaseString : .deferredToUUID
      }
    }
    struct Day: Codable, FetchableRecord, PersistableRecord {
      var date: Date
      var code: Data
      var sales: Int

      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .secondsSince1970
      }
      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .text
      }
    }
    let sql = """
      CREATE TABLE loan (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL);
      CREATE TABLE day (date INTEGER PRIMARY KEY, code TEXT NOT NULL, sales INTEGER NOT NULL);
      """
    try withBookTable(sql) { db throws in
      for table in ["loan", "day"] { try db.createHistory(of: table) }
      let id = UUID(uuid: (0xAB, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      try Loan(id: id, title: "Emma").insert(db)
      try Loan(id: id, title: "Ruth").update(db)
      #expect(
        try entries(db, of: "loan") == [
          "insert AB020304-0506-0708-090A-0B0C0D0E0F10 Emma",
          "update AB020304-0506-0708-090A-0B0C0D0E0F10 Ruth",
        ])
      #expect(try Loan.history(key: id).fetchAll(db).map(\.record.title) == ["Emma", "Ruth"])
      #expect(try Loan.history(key: ["ID": id]).fetchCount(db) == 2)
      #expect(try Loan.history(key: id.uuidString).fetchCount(db) == 2)

      let date = Date(timeIntervalSince1970: 86_400)
      try Day(date: date, code: Data("a".utf8), sales: 3).insert(db)
      #expect(try Day.history(key: date).fetchAll(db).map(\.record.sales) == [3])
      #expect(try Day.history(key: ["code": Data("a".utf8), "date": date]).fetchCount(db) == 1)
      #expect(try Day.history(key: ["code": Data("b".utf8)]).fetchCount(db) == 0)
    }
  }
}
