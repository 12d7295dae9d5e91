import Foundation
import Quarry
import QuarryMigrations
import QuarryPlans
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Volume: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  var id: Int64
  var title: String
}

private struct Shelf: Codable, Equatable, FetchableRecord, PersistableRecord {
  var room: String
  var number: Int
  var name: String
}

private func withBooks<T>(
  _ sql: String = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE)",
  _ body: (Database) throws -> T
) throws -> T {
  try makeDatabase(sql: sql).write(body)
}

/// Books with a history, in tables that can be rebuilt: foreign keys are not enforced.
private func withHistory(_ sql: String, _ body: (Database) throws -> Void) throws {
  var configuration = Configuration()
  configuration.foreignKeysEnabled = false
  try DatabaseQueue(configuration: configuration).write { db in
    try db.execute(sql: sql)
    try db.createHistory(of: "book")
    try body(db)
  }
}

/// `insert 1 Emma`
private func entries(_ db: Database, _ columns: String = "id, title", of table: String = "book")
  throws -> [String]
{
  try Row.fetchAll(
    db, sql: "SELECT historyOperation, \(columns) FROM \"\(table)_history\" ORDER BY historyId"
  ).map { row in
    row.databaseValues.map { $0.storage.value.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }
}

private func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.message
  }
}

struct HistoryTests {
  @Test func `all changes of a table are recorded, whatever writes them`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      var book = Volume(id: 1, title: "Emma")
      try book.insert(db)
      book.title = "Persuasion"
      try book.update(db)
      try db.execute(sql: "UPDATE book SET id = 2")
      try db.execute(sql: "INSERT INTO book VALUES (3, 'Emma') ON CONFLICT DO NOTHING")
      try db.execute(
        sql: "INSERT INTO book VALUES (3, 'Ruth') ON CONFLICT DO UPDATE SET title = 'Cranford'")
      #expect(try Volume.deleteAll(db) == 2)
      #expect(
        try entries(db) == [
          "insert 1 Emma", "update 1 Persuasion", "delete 1 Persuasion", "update 2 Persuasion",
          "insert 3 Emma", "update 3 Cranford", "delete 2 Persuasion", "delete 3 Cranford",
        ])
    }
  }

  @Test func `the rows that are there are recorded first, if they are asked for`() throws {
    try withBooks { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (2, 'Ruth'), (1, 'Emma')")
      try db.createHistory(of: "book")
      #expect(try entries(db) == ["snapshot 1 Emma", "snapshot 2 Ruth"])
      try db.dropHistory(of: "book")
      try db.createHistory(of: "book", snapshot: false)
      #expect(try entries(db) == [])
    }
  }

  @Test func `the history of a record is decoded`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      let begin = Date()
      try Volume(id: 1, title: "Emma").insert(db)
      try Volume(id: 2, title: "Ruth").insert(db)
      try Volume(id: 1, title: "Persuasion").update(db)
      try Volume(id: 1, title: "Persuasion").delete(db)
      let entries = try Volume.history(key: 1).fetchAll(db)
      #expect(entries.map(\.operation) == [.insert, .update, .delete])
      #expect(entries.map(\.record.title) == ["Emma", "Persuasion", "Persuasion"])
      #expect(entries.map(\.id) == [1, 3, 4])
      #expect(entries.allSatisfy { abs($0.date.timeIntervalSince(begin)) < 60 })
      #expect(try Volume.history().fetchCount(db) == 4)
      #expect(try Volume.history().reversed().fetchOne(db)?.operation == .delete)
      #expect(
        try QuarryTestSupport.sql(of: Volume.history(key: 1), in: db).sql
          == #"SELECT * FROM "book_history" WHERE "id" = ? ORDER BY "historyId""#)
      let plan = try Volume.history(key: 1).explain(db)
      #expect(plan.description.contains("book_history_key"))
    }
  }

  @Test func `a key of several columns, without rowid, with generated columns`() throws {
    let sql = """
      CREATE TABLE shelf (
        room TEXT, number INTEGER, name TEXT NOT NULL DEFAULT 'new',
        label TEXT GENERATED ALWAYS AS (room || number) VIRTUAL,
        stored INTEGER AS (number * 2) STORED,
        PRIMARY KEY (room, number)) WITHOUT ROWID
      """
    try withBooks(sql) { db throws in
      try db.createHistory(of: "shelf")
      try Shelf(room: "A", number: 7, name: "Novels").insert(db)
      try Shelf(room: "A", number: 8, name: "Poems").insert(db)
      try Shelf(room: "A", number: 7, name: "Plays").update(db)
      #expect(
        try entries(db, "room, number, name, label, stored", of: "shelf") == [
          "insert A 7 Novels A7 14", "insert A 8 Poems A8 16", "update A 7 Plays A7 14",
        ])
      let history = try Shelf.history(key: ["room": "A", "number": 7]).fetchAll(db)
      #expect(history.map(\.record.name) == ["Novels", "Plays"])
      #expect(
        message { _ = try Shelf.history(key: 7).fetchAll(db) } == """
          no history of "shelf": of one key, since its primary key has 2 columns: give a dictionary
          """)
    }
  }

  @Test func `names are quoted, and keep their case`() throws {
    let sql = """
      CREATE TABLE "the ""book's"" list" ("the id" INTEGER PRIMARY KEY, "order" , "a""b'" VARCHAR(3))
      """
    try withBooks(sql) { db throws in
      let name = "the \"book's\" list"
      try db.createHistory(of: name.uppercased())
      try db.execute(sql: "INSERT INTO \(name.quotedDatabaseIdentifier) VALUES (1, 2, 3)")
      #expect(
        try Row.fetchAll(
          db, sql: "SELECT * FROM \((name + "_history").quotedDatabaseIdentifier)"
        ).map { Array($0.databaseValues.prefix(5)) }
          == [
            [
              1.databaseValue, 2.databaseValue, "3".databaseValue, 1.databaseValue,
              "insert".databaseValue,
            ]
          ])
      try db.updateHistory(of: name)
      try db.dropHistory(of: name)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 1)
    }
  }

  @Test func `new columns are recorded after an update of the history`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      try db.alter(table: "book") { t in t.add(column: "year", .integer) }
      #expect(
        message { _ = try Volume.history(key: 1).fetchAll(db) } == """
          no history of "book": it does not record column "year": call `updateHistory(of:)` in the \
          migration that adds it
          """)
      try db.updateHistory(of: "book")
      try db.execute(sql: "UPDATE book SET year = 1815")
      #expect(try entries(db, "id, title, year") == ["insert 1 Emma -", "update 1 Emma 1815"])
      #expect(try Volume.history(key: 1).fetchCount(db) == 2)
    }
  }

  @Test func `columns are dropped and renamed while the history is updated`() throws {
    let sql = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER)"
    try withBooks(sql) { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma', 1815)")
      try db.updateHistory(of: "book") {
        try db.alter(table: "book") { t in t.drop(column: "year") }
        for table in ["book", "book_history"] {
          try db.alter(table: table) { t in t.rename(column: "title", to: "name") }
        }
      }
      try db.execute(sql: "INSERT INTO book VALUES (2, 'Ruth')")
      #expect(try entries(db, "id, name, year") == ["insert 1 Emma 1815", "insert 2 Ruth -"])
    }
  }

  @Test func `a column that is renamed in the table alone is an error`() throws {
    let sql = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, copies INTEGER)"
    try withBooks(sql) { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma', 3)")
      let advice = """
        the history of "book" records column "copies", which is gone, and column "stock" is new: if \
        it is renamed, rename it in "book_history" too, in the closure of `updateHistory(of:)`; \
        otherwise drop and add columns in two calls
        """
      let rename = "ALTER TABLE book RENAME COLUMN copies TO stock"
      #expect(
        message { try db.updateHistory(of: "book") { try db.execute(sql: rename) } } == advice)
      // Nothing has changed.
      try db.execute(sql: "UPDATE book SET copies = 4")
      #expect(try entries(db, "copies") == ["insert 3", "update 4"])

      // Before the call, SQLite writes the new name into the triggers, for the old column.
      try db.inSavepoint {
        try db.execute(sql: rename)
        #expect(message { try db.updateHistory(of: "book") } == advice)
        try db.updateHistory(of: "book") {
          try db.execute(sql: "ALTER TABLE book_history RENAME COLUMN copies TO stock")
        }
        try db.execute(sql: "UPDATE book SET stock = 5")
        #expect(try entries(db, "stock") == ["insert 3", "update 4", "update 5"])
        return .rollback
      }

      // Another column, in two calls.
      try db.updateHistory(of: "book") {
        try db.execute(sql: "ALTER TABLE book DROP COLUMN copies")
      }
      try db.updateHistory(of: "book") {
        try db.execute(sql: "ALTER TABLE book ADD COLUMN stock")
      }
      try db.execute(sql: "UPDATE book SET stock = 6")
      #expect(
        try entries(db, "copies, stock") == ["insert 3 -", "update 4 -", "update - 6"])
    }
  }

  @Test func `a renamed table takes its history with it`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      try db.execute(sql: "ALTER TABLE book RENAME TO novel")
      #expect(
        message { try db.updateHistory(of: "novel") } == """
          no history of "novel": table "novel_history" does not exist: call `createHistory(of:)`
          """)
      try db.execute(sql: "ALTER TABLE book_history RENAME TO novel_history")
      try db.updateHistory(of: "novel")
      try db.execute(sql: "INSERT INTO novel VALUES (2, 'Ruth')")
      #expect(try entries(db, of: "novel") == ["insert 1 Emma", "insert 2 Ruth"])
    }
  }

  @Test func `the triggers of the application stay, whatever their names`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      try db.execute(
        sql: """
          CREATE TABLE price_history (book INTEGER, title TEXT);
          CREATE TRIGGER price_history_update AFTER UPDATE ON book BEGIN
            INSERT INTO price_history VALUES (NEW.id, NEW.title);
          END;
          CREATE TRIGGER my_history_delete AFTER DELETE ON book BEGIN
            DELETE FROM book_history WHERE "historyOperation" = 'snapshot';
          END;
          """)
      try db.updateHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma'); UPDATE book SET title = 'Ruth'")
      #expect(try String.fetchAll(db, sql: "SELECT title FROM price_history") == ["Ruth"])
      #expect(try entries(db) == ["insert 1 Emma", "update 1 Ruth"])
      try db.dropHistory(of: "book")
      #expect(
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
          == ["my_history_delete", "price_history_update"])
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
      try withBooks(table) { db throws in
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
    try withBooks("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
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
    try withBooks("CREATE TABLE book (id TEXT PRIMARY KEY, title TEXT\(column))") { db throws in
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
    try withBooks(exact) { db throws in
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
    try withBooks(caseless) { db throws in
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

  @Test func `a table whose name is that of a row of a trigger is recorded`() throws {
    try withBooks("CREATE TABLE new (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
      try db.createHistory(of: "new")
      try db.execute(
        sql: """
          INSERT INTO new VALUES (1, 'Emma'), (2, 'Ruth');
          UPDATE new SET title = 'Persuasion' WHERE id = 1;
          DELETE FROM new WHERE id = 1;
          """)
      #expect(
        try entries(db, of: "new") == [
          "insert 1 Emma", "insert 2 Ruth", "update 1 Persuasion", "delete 1 Persuasion",
        ])
    }
  }

  @Test func `an error in the change leaves the history as it was`() throws {
    struct Oops: Error {}
    try withBooks { db throws in
      try db.createHistory(of: "book")
      #expect(throws: Oops.self) {
        try db.updateHistory(of: "book") {
          try db.execute(sql: "ALTER TABLE book ADD COLUMN year")
          throw Oops()
        }
      }
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      #expect(try entries(db) == ["insert 1 Emma"])
    }
  }

  @Test func `tables of other schemas have their history there`() throws {
    try withTemporaryDirectory { directory throws in
      let database = try DatabaseQueue()
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH DATABASE ? AS archive", arguments: ["\(directory)/a.sqlite"])
        try db.execute(
          sql: """
            CREATE TABLE archive.book (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
            CREATE TEMP TABLE draft (id INTEGER PRIMARY KEY, title TEXT);
            """)
        for table in ["archive.book", "book", "draft"] { try db.createHistory(of: table) }
        try db.execute(
          sql: """
            INSERT INTO archive.book VALUES (1, 'Emma');
            INSERT INTO draft VALUES (2, 'Ruth'); UPDATE draft SET title = 'x';
            """)
        func count(_ table: String) throws -> Int? {
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
        }
        #expect(try count("archive.book_history") == 1)
        #expect(try count("main.book_history") == 0)
        #expect(try count("temp.draft_history") == 2)
        try db.dropHistory(of: "archive.book")
        #expect(try count("main.book_history") == 0)
        #expect(message { try db.updateHistory(of: "archive.book") } != nil)
      }
    }
  }

  @Test func `tables that can't have a history are errors`() throws {
    let sql = """
      CREATE TABLE note (text TEXT);
      CREATE TABLE log (id INTEGER PRIMARY KEY, HISTORYDATE TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      CREATE VIEW novel AS SELECT * FROM book;
      """
    try withBooks(sql) { db throws in
      func error(_ table: String) -> String? { message { try db.createHistory(of: table) } }
      #expect(error("none") == "no such table: none")
      #expect(error("none.book") == "no such table: none.book")
      #expect(
        error("note") == """
          no history of "note": it has no primary key, so that its rows have no lasting identity
          """)
      #expect(
        error("log") == #"no history of "log": a history has a column HISTORYDATE of its own"#)
      #expect(
        error("novel")
          == #"no history of "novel": SQLite has no such triggers on views and virtual tables"#)
      #expect(
        message { try db.dropHistory(of: "book") } == """
          no history of "book": table "book_history" does not exist: call `createHistory(of:)`
          """)
      try db.createHistory(of: "book")
      #expect(
        error("book") == """
          no history of "book": table "book_history" exists already: `updateHistory(of:)` brings it \
          up to date, `dropHistory(of:)` removes it
          """)
      #expect(
        errorText { try db.createHistory(of: "boook") }?.contains(#"did you mean "book"?"#) == true)
      #expect(
        errorText { try db.createHistory(of: "min.book") }?.contains(#"did you mean "main"?"#)
          == true)
      #expect(message { _ = try Volume.history().fetchAll(db) } == nil)
    }
  }

  @Test func `rows that are replaced are recorded if triggers are recursive`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (1, 'Emma'), (1, 'Ruth')")
      #expect(try entries(db) == ["insert 1 Emma", "insert 1 Ruth"])
      try db.execute(sql: "PRAGMA recursive_triggers = 1")
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (2, 'Ruth')")
      #expect(try entries(db).suffix(2) == ["delete 1 Ruth", "insert 2 Ruth"])
    }
  }

  @Test func `a rebuilt table keeps its history`() throws {
    try withHistory("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)") {
      db throws in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      try db.rebuild(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("title", .text)
      }
      try db.execute(sql: "UPDATE book SET title = NULL")
      #expect(try entries(db) == ["insert 1 Emma", "update 1 -"])
    }
  }

  @Test func `values of any type in a strict table are recorded as they are`() throws {
    try withBooks("CREATE TABLE book (id INTEGER PRIMARY KEY, code ANY) STRICT") { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, '007'), (2, 7)")
      #expect(
        try entries(db, "typeof(code), code") == ["insert text 007", "insert integer 7"])
    }
  }

  @Test func `a column that gets another type needs it in the history`() throws {
    try withHistory("CREATE TABLE book (id INTEGER PRIMARY KEY, code INTEGER)") { db throws in
      func changeType() throws {
        try db.rebuild(table: "book") { t in
          t.primaryKey("id", .integer)
          t.column("code", .text)
        }
      }
      let advice = message { try db.updateHistory(of: "book") { try changeType() } }
      #expect(
        advice == """
          the history of "book" would convert the values of column "code", which has the type \
          INTEGER there: give it the type TEXT in "book_history" too, with `rebuild(table:)`, in \
          the closure of `updateHistory(of:)`
          """)
      try db.updateHistory(of: "book") {
        try changeType()
        try db.rebuild(table: "book_history") { t in
          t.column("id", .integer)
          t.column("code", .text)
          t.primaryKey("historyId", .integer)
          t.column("historyOperation", .text).notNull()
          t.column("historyDate", .text).notNull()
        }
      }
      try db.execute(sql: "INSERT INTO book VALUES (1, '01234')")
      #expect(try entries(db, "id, code") == ["insert 1 01234"])
    }
  }

  @Test func `keys are compared by the collation of the table`() throws {
    struct Country: Codable, FetchableRecord, PersistableRecord {
      var code: String
      var name: String
    }
    let sql = "CREATE TABLE country (code TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, name TEXT)"
    try withBooks(sql) { db throws in
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
    try withBooks(sql) { db throws in
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

  @Test func `a rollback takes the entries back`() throws {
    try withBooks { db throws in
      try db.createHistory(of: "book")
      try db.inSavepoint {
        try Volume(id: 1, title: "Emma").insert(db)
        return .rollback
      }
      #expect(try entries(db) == [])
    }
  }

  /// The last entry of each key is the row, or its deletion.
  @Test func `random changes are reported by the history`() throws {
    try RandomRun("history").repeated(seconds: 1) { generator throws in
      try withBooks("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)") { db throws in
        try db.createHistory(of: "book")
        for step in 0..<20 {
          let id = generator.below(5)
          switch generator.below(5) {
          case 0: try db.execute(sql: "DELETE FROM book WHERE id = ?", arguments: [id])
          case 1:
            try db.execute(
              sql: "UPDATE OR IGNORE book SET id = ? WHERE id = ?",
              arguments: [generator.below(5), id])
          case 2:
            try db.execute(
              sql: "UPDATE book SET title = ? WHERE id >= ?", arguments: ["u\(step)", id])
          default:
            try db.execute(
              sql: """
                INSERT INTO book VALUES (?, ?) ON CONFLICT DO UPDATE SET title = excluded.title
                """,
              arguments: [id, "i\(step)"])
          }
        }
        let last = try String.fetchAll(
          db,
          sql: """
            SELECT id || ' ' || title FROM book_history
            WHERE historyId IN (SELECT max(historyId) FROM book_history GROUP BY id)
            AND historyOperation <> 'delete' ORDER BY id
            """)
        let rows = try String.fetchAll(
          db, sql: "SELECT id || ' ' || title FROM book ORDER BY id")
        #expect(last == rows)
      }
    }
  }
}
