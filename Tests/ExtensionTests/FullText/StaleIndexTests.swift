import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// What escapes the triggers of synchronized tables, and what is done about it.
@Suite(.needs(.fullText))
struct StaleIndexTests {
  @Test(arguments: Engine.allCases)
  func `Replaced rows leave their words, which a check finds`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      var book = IndexedBook(id: 1, title: "Hill", year: 1)
      try book.insert(db, onConflict: .replace)
      #expect(try db.booksMatching("old") == [1])
      let check = try db.checkFullTextIndex("bookIndex")
      #expect(!check.isSound)
      #expect(check.message == "database disk image is malformed")
      #expect(check.description == "bookIndex: database disk image is malformed")
      #expect(try db.rebuildFullTextIndex("bookIndex") == check)
      #expect(try db.booksMatching("old") == [])
      #expect(try db.booksMatching("hill") == [1])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
      #expect(try db.checkFullTextIndex("bookIndex").description == "bookIndex: sound")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A hit of a row that was replaced by another one has no text`(engine: Engine) throws {
    try withBooks { db throws in
      try db.execute(
        sql: "CREATE UNIQUE INDEX bookYear ON book(year); UPDATE book SET year = id")
      try db.createBookIndex(engine)
      // Book 1 goes, because of its year.
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (9, 'Hill', 1)")
      #expect(try db.booksMatching("old") == [1])
      let sql = "SELECT title FROM bookIndex WHERE bookIndex MATCH 'old'"
      switch engine {
      case .fts4: #expect(try Row.fetchAll(db, sql: sql) == [["title": nil]])
      case .fts5:
        let error = databaseError { try Row.fetchAll(db, sql: sql) }
        #expect(error?.extendedResultCode.rawValue == 267)
        #expect(
          error?.message
            == (SQLiteBuild.version < 3_051_000
              ? "database disk image is malformed"
              : "fts5: missing row 1 from content table 'main'.'book'"))
      }
      // Later changes don't mend it.
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Lake', 20)")
      try db.execute(sql: "UPDATE book SET title = 'Pond' WHERE id = 1")
      #expect(try !db.checkFullTextIndex("bookIndex").isSound)
      try db.rebuildFullTextIndex("bookIndex")
      #expect(try db.booksMatching("old") == [])
      #expect(try db.booksMatching("pond") == [1])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases, ["ON CONFLICT REPLACE", ""])
  func `A constraint that replaces rows is a replacement as well`(
    engine: Engine, resolution: String
  ) throws {
    for isRecursive in [false, true] {
      var configuration = Configuration()
      configuration.recursiveTriggersEnabled = isRecursive
      try DatabaseQueue(configuration: configuration).write { db throws in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE \(resolution), year);
            INSERT INTO book VALUES (1, 'Sea', 1);
            """)
        try db.createBookIndex(engine)
        let insertion = "INSERT INTO book VALUES (2, 'Sea', 2)"
        if resolution.isEmpty {
          #expect(databaseError { try db.execute(sql: insertion) }?.resultCode.rawValue == 19)
          #expect(try db.booksMatching("sea") == [1])
        } else {
          try db.execute(sql: insertion)
          #expect(try db.booksMatching("sea") == (isRecursive ? [2] : [1, 2]))
        }
        let isSound = try db.checkFullTextIndex("bookIndex").isSound
        #expect(isSound == (resolution.isEmpty || isRecursive))
      }
    }
  }

  @Test(arguments: Engine.allCases, ["IGNORE", "FAIL", "REPLACE"])
  func `Updates leave words of replaced rows, and FTS4 loses those of rows that are left out`(
    engine: Engine, resolution: String
  ) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(sql: "CREATE UNIQUE INDEX bookYear ON book(year)")
      // The year of book 2.
      let error = databaseError {
        try db.execute(sql: "UPDATE OR \(resolution) book SET year = 1904 WHERE id = 1")
      }
      #expect((error != nil) == (resolution == "FAIL"))
      let isReplacement = resolution == "REPLACE"
      #expect(try db.booksMatching("old") == (isReplacement || engine == .fts5 ? [1] : []))
      #expect(try db.booksMatching("wolf") == [2])
      let isSound = try db.checkFullTextIndex("bookIndex").isSound
      #expect(isSound == (engine == .fts5 && !isReplacement))
      try db.rebuildFullTextIndex("bookIndex")
      #expect(try db.booksMatching("old") == [1])
      #expect(try db.booksMatching("wolf") == (isReplacement ? [] : [2]))
    }
  }

  @Test(arguments: Engine.allCases)
  func `With recursive triggers, replaced rows leave nothing`(engine: Engine) throws {
    var configuration = Configuration()
    configuration.recursiveTriggersEnabled = true
    try withIndexedBooks(engine, configuration: configuration) { db throws in
      #expect(try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers") == true)
      var book = IndexedBook(id: 1, title: "Hill", year: 1)
      try book.insert(db, onConflict: .replace)
      #expect(try db.booksMatching("old") == [])
      #expect(try db.booksMatching("hill") == [1])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
    try withBooks { db throws in
      #expect(try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers") == false)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Rows that are gone and rows that are missing are counted`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      switch engine {
      case .fts4: try db.dropFTS4SynchronizationTriggers(forTable: "bookIndex")
      case .fts5: try db.dropFTS5SynchronizationTriggers(forTable: "bookIndex")
      }
      try db.execute(
        sql: "DELETE FROM book WHERE id = 1; INSERT INTO book VALUES (7, 'Hill', 1), (8, 'Lake', 1)"
      )
      let check = try db.rebuildFullTextIndex("bookIndex")
      #expect(check.missingRowCount == 2)
      #expect(check.orphanRowCount == 1)
      #expect(
        check.description == """
          bookIndex: rows not indexed: 2, indexed rows that do not exist: 1, \
          database disk image is malformed
          """)
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The rowids that VACUUM changes are indexed anew`(engine: Engine) throws {
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue(path: directory + "/books.sqlite")
      try queue.write { db throws in
        try db.execute(
          sql: """
            CREATE TABLE book (title TEXT);
            INSERT INTO book VALUES ('one'), ('two'), ('three');
            """)
        try db.createBookIndex(engine)
        try db.execute(sql: "DELETE FROM book WHERE title = 'one'")
      }
      func found(_ word: String) throws -> String? {
        try queue.read { db throws -> String? in
          try String.fetchOne(
            db,
            sql: """
              SELECT book.title FROM book JOIN bookIndex ON bookIndex.rowid = book.rowid
              WHERE bookIndex MATCH ?
              """, arguments: [word])
        }
      }
      func isSound() throws -> Bool {
        try queue.write { db throws -> Bool in try db.checkFullTextIndex("bookIndex").isSound }
      }
      // A copy has the rowids of the original.
      try queue.vacuum(into: directory + "/copy.sqlite")
      try DatabaseQueue(path: directory + "/copy.sqlite").write { db throws in
        #expect(try db.checkFullTextIndex("bookIndex").isSound)
      }
      try queue.vacuum()
      #expect(try found("two") == "two")
      #expect(try found("three") == "three")
      #expect(try isSound())
      // The trap itself.
      try queue.writeWithoutTransaction { db throws in
        try db.execute(
          sql: "DELETE FROM book WHERE title = 'two'; INSERT INTO book VALUES ('four'); VACUUM")
      }
      #expect(try !isSound())
    }
  }

  @Test(arguments: [
    "CREATE TABLE note (num INTEGER PRIMARY KEY NOT NULL, title, isPublic) WITHOUT ROWID",
    "CREATE TABLE note (code TEXT PRIMARY KEY, num INTEGER UNIQUE, title, isPublic)",
  ])
  func `An index of the values of a column has the same rows after VACUUM`(table: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql: """
          \(table);
          CREATE VIRTUAL TABLE noteIndex USING fts5(title, content='note', content_rowid='num');
          CREATE TRIGGER indexed AFTER INSERT ON note WHEN new.isPublic BEGIN
            INSERT INTO noteIndex (rowid, title) VALUES (new.num, new.title);
          END;
          INSERT INTO note (num, title, isPublic) VALUES (1, 'sea', 0), (2, 'sea', 1);
          """)
    }
    try queue.vacuum()
    try queue.read { db throws in
      let sql = "SELECT rowid FROM noteIndex WHERE noteIndex MATCH 'sea'"
      #expect(try Int.fetchAll(db, sql: sql) == [2])
    }
  }

  @Test func `A database is not vacuumed where a trigger indexes some rows only`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE note (title, isPublic);
          CREATE VIRTUAL TABLE noteIndex USING fts5(title, content='note');
          CREATE TRIGGER indexed AFTER INSERT ON note WHEN new.isPublic BEGIN
            INSERT INTO noteIndex (rowid, title) VALUES (new.rowid, new.title);
          END;
          INSERT INTO note VALUES ('sea', 0), ('sea', 1);
          """)
    }
    let error = errorText { try queue.vacuum() }
    #expect(
      error == """
        table note can't be vacuumed: its trigger indexed adds some rows only to the full-text \
        table noteIndex, which would have all of them. Drop both before, and create them afterwards
        """)
    try queue.read { db throws in
      let sql = "SELECT rowid FROM noteIndex WHERE noteIndex MATCH 'sea'"
      #expect(try Int.fetchAll(db, sql: sql) == [2])
    }
  }

  @Test(arguments: [
    ("title", "WHEN new.title IS NOT NULL BEGIN INSERT INTO noteIndex", true),
    ("title", #"WHEN new."title" is not null BEGIN REPLACE INTO [noteIndex]"#, true),
    ("title", "WHEN new.title IS NOT 'NULL' BEGIN INSERT INTO noteIndex", false),
    ("title", "WHEN new.code IS NOT NULL BEGIN INSERT INTO noteIndex", false),
    ("title, code", "WHEN new.title IS NOT NULL BEGIN INSERT INTO noteIndex", false),
    ("title", "WHEN new.code > 1 BEGIN INSERT OR REPLACE INTO 'noteIndex'", false),
  ])
  func `A trigger that passes over rows without text fills an index of all rows`(
    columns: String, start: String, isVacuumed: Bool
  ) throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE note (title, code);
          CREATE VIRTUAL TABLE noteIndex USING fts5(\(columns), content='note');
          CREATE TRIGGER indexed AFTER INSERT ON note \(start) (rowid, title)
            VALUES (new.rowid, new.title);
          END;
          INSERT INTO note VALUES ('sea', 2), (NULL, NULL);
          """)
    }
    #expect((errorText { try queue.vacuum() } == nil) == isVacuumed)
  }

  @Test func `A trigger with a condition that only reads an index doesn't fill it`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE note (title);
          CREATE TABLE count (noteIndex);
          CREATE VIRTUAL TABLE noteIndex USING fts5(title, content='note');
          CREATE TRIGGER counted AFTER INSERT ON note WHEN new.title <> '' BEGIN
            INSERT INTO count (noteIndex) SELECT count(*) FROM noteIndex;
          END;
          CREATE TRIGGER indexed AFTER INSERT ON note BEGIN
            INSERT INTO noteIndex (rowid, title) VALUES (new.rowid, new.title);
          END;
          INSERT INTO note VALUES ('sea');
          """)
    }
    try queue.vacuum()
    try queue.read { db throws in
      let sql = "SELECT rowid FROM noteIndex WHERE noteIndex MATCH 'sea'"
      #expect(try Int.fetchAll(db, sql: sql) == [1])
    }
  }

  @Test func `VACUUM leaves an index alone whose content table lacks a column`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE note (code TEXT PRIMARY KEY, name);
          CREATE VIRTUAL TABLE noteIndex USING fts5(title, content='note');
          """)
    }
    try queue.vacuum()
    try queue.write { db throws in
      let error = errorText { try db.rebuildFullTextIndex("noteIndex") }
      #expect(error == "full-text table noteIndex: table note has no column title")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A content table that lost a column is reported`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      #expect(
        databaseError { try db.execute(sql: "ALTER TABLE book DROP COLUMN title") }?.message?
          .contains("after drop column: no such column: new.title") == true)
      try db.execute(sql: "ALTER TABLE book RENAME COLUMN title TO name")
      #expect(try db.booksMatching("sea") == [1, 2])
      let error = databaseError { try String.fetchAll(db, sql: "SELECT title FROM bookIndex") }
      #expect(error?.message == (engine == .fts5 ? "no such column: T.title" : "SQL logic error"))
      let details =
        engine == .fts5
        ? "the name is not in the statement, but in the SQL of a view, a trigger or a full-text "
          + "table"
        : nil
      #expect(error?.details == details)
      let message = "full-text table bookIndex: table book has no column title"
      let check = errorText { try db.checkFullTextIndex("bookIndex") }
      #expect(check == message)
      let rebuild = errorText { try db.rebuildFullTextIndex("bookIndex") }
      #expect(rebuild == message)
      try db.dropFullTextTable("bookIndex")
      try db.execute(sql: "DELETE FROM book")
    }
  }

  @Test func `Other tables are refused`() throws {
    try withBooks { db throws in
      #expect(errorText { try db.checkFullTextIndex("book") } == "table book is no full-text table")
      #expect(
        databaseError { try db.rebuildFullTextIndex("nope") }?.message == "no such table: nope")
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Tables that store their texts are checked too`(module: String) throws {
    try withDocuments(using: module) { db throws in
      #expect(try db.checkFullTextIndex("doc").isSound)
      try db.optimizeFullTextIndex("doc")
      try db.mergeFullTextIndex("doc", pages: 8)
      let content =
        module == "fts5"
        ? "UPDATE doc_content SET c0 = 'x'" : "UPDATE doc_content SET c0title = 'x'"
      try db.execute(sql: content)
      let check = try db.checkFullTextIndex("doc")
      #expect(!check.isSound)
      #expect(check.missingRowCount == nil)
      try db.rebuildFullTextIndex("doc")
      #expect(try db.checkFullTextIndex("doc").isSound)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM doc WHERE doc MATCH 'x'") == 3)
    }
  }
}
