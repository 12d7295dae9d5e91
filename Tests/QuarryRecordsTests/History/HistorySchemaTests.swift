import Quarry
import QuarryMigrations
import QuarryRecords
import QuarryTestSupport
import Testing

struct HistorySchemaTests {
  @Test func `new columns are recorded after an update of the history`() throws {
    try withBookTable { db throws in
      try db.createHistory(of: "book")
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      try db.alter(table: "book") { t in t.add(column: "year", .integer) }
      #expect(
        message { _ = try RecordedBook.history(key: 1).fetchAll(db) } == """
          no history of "book": it does not record column "year": call `updateHistory(of:)` in the \
          migration that adds it
          """)
      try db.updateHistory(of: "book")
      try db.execute(sql: "UPDATE book SET year = 1815")
      #expect(try entries(db, "id, title, year") == ["insert 1 Emma -", "update 1 Emma 1815"])
      #expect(try RecordedBook.history(key: 1).fetchCount(db) == 2)
    }
  }

  @Test func `columns are dropped and renamed while the history is updated`() throws {
    let sql = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER)"
    try withBookTable(sql) { db throws in
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
    try withBookTable(sql) { db throws in
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
    try withBookTable { db throws in
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
    try withBookTable(sql) { db throws in
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
      #expect(message { _ = try RecordedBook.history().fetchAll(db) } == nil)
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
}
