import Quarry
import QuarryMigrations
import QuarryTables
import QuarryTestSupport
import Testing

/// Full-text tables that follow another table.
@Suite(.needs(.fullText))
struct SynchronizedTableTests {
  private func fts4Triggers(_ create: String, id: String = "id") -> [String] {
    func trigger(_ suffix: String, _ event: String, _ body: String) -> String {
      "\(create) \"__ft_\(suffix)\" \(event) ON \"book\" BEGIN\n    \(body);\nEND"
    }
    let deletion = #"DELETE FROM "ft" WHERE docid=old."\#(id)""#
    let insertion = #"""
      INSERT INTO "ft"("docid", "title", "isbn") VALUES(new."\#(id)", new."title", new."isbn")
      """#
    return [
      trigger("bu", "BEFORE UPDATE", deletion), trigger("bd", "BEFORE DELETE", deletion),
      trigger("au", "AFTER UPDATE", insertion), trigger("ai", "AFTER INSERT", insertion),
    ]
  }

  private func fts5Triggers(_ create: String, id: String = "id") -> [String] {
    let insertion = #"""
          INSERT INTO "ft"("rowid", "title", "isbn") VALUES (new."\#(id)", new."title", new."isbn");
      """#
    let deletion = #"""
          INSERT INTO "ft"("ft", "rowid", "title", "isbn") VALUES('delete', old."\#(id)", old."title", old."isbn");
      """#
    return [
      "\(create) \"__ft_ai\" AFTER INSERT ON \"book\" BEGIN\n\(insertion)\nEND",
      "\(create) \"__ft_ad\" AFTER DELETE ON \"book\" BEGIN\n\(deletion)\nEND",
      "\(create) \"__ft_au\" AFTER UPDATE ON \"book\" BEGIN\n\(deletion)\n\(insertion)\nEND",
    ]
  }

  private let rebuild = #"INSERT INTO "ft"("ft") VALUES('rebuild')"#

  private func creation(
    _ engine: Engine, key: String = "id INTEGER PRIMARY KEY", options: VirtualTableOptions = []
  ) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db throws -> [String] in
      try db.execute(sql: "CREATE TABLE book (\(key), title TEXT, isbn TEXT)")
      return try db.writingStatements {
        switch engine {
        case .fts4:
          try db.create(virtualTable: "ft", options: options, using: FTS4()) { t in
            t.column("title")
            t.column("isbn").notIndexed()
            t.synchronize(withTable: "book")
          }
        case .fts5:
          try db.create(virtualTable: "ft", options: options, using: FTS5()) { t in
            t.column("title")
            t.column("isbn").notIndexed()
            t.synchronize(withTable: "book")
          }
        }
      }
    }
  }

  @Test func `FTS4 tables have four triggers`() throws {
    let table = #"USING fts4(title, isbn, notindexed=isbn, content="book")"#
    #expect(
      try creation(.fts4)
        == [#"CREATE VIRTUAL TABLE "ft" \#(table)"#] + fts4Triggers("CREATE TRIGGER") + [rebuild])
    #expect(
      try creation(.fts4, options: .ifNotExists)
        == [#"CREATE VIRTUAL TABLE IF NOT EXISTS "ft" \#(table)"#]
        + fts4Triggers("CREATE TRIGGER IF NOT EXISTS") + [rebuild])
  }

  @Test func `FTS5 tables have three triggers`() throws {
    let table = "USING fts5(title, isbn UNINDEXED, content='book', content_rowid='id')"
    #expect(
      try creation(.fts5)
        == [#"CREATE VIRTUAL TABLE "ft" \#(table)"#] + fts5Triggers("CREATE TRIGGER") + [rebuild])
    #expect(
      try creation(.fts5, options: .ifNotExists)
        == [#"CREATE VIRTUAL TABLE IF NOT EXISTS "ft" \#(table)"#]
        + fts5Triggers("CREATE TRIGGER IF NOT EXISTS") + [rebuild])
  }

  @Test(
    arguments: [
      ("ID INTEGER PRIMARY KEY", "ID", ", content_rowid='ID'"),
      ("code TEXT PRIMARY KEY", "rowid", ""), ("id INT PRIMARY KEY", "rowid", ""),
      ("a", "rowid", ""),
    ])
  func `The key is the rowid`(key: String, id: String, option: String) throws {
    #expect(
      try creation(.fts4, key: key).dropFirst().dropLast()
        == fts4Triggers("CREATE TRIGGER", id: id)[...])
    let statements = try creation(.fts5, key: key)
    #expect(
      statements.first
        == #"CREATE VIRTUAL TABLE "ft" USING fts5(title, isbn UNINDEXED, content='book'\#(option))"#
    )
    #expect(statements.dropFirst().dropLast() == fts5Triggers("CREATE TRIGGER", id: id)[...])
  }

  @Test func `Where rowid is a column, the rowid has another name`() throws {
    let statements = try creation(.fts5, key: "rowid TEXT")
    #expect(statements.first?.contains("content_rowid='_rowid_'") == true)
    #expect(
      errorText { try creation(.fts4, key: "rowid TEXT") }
        == "FTS4 can't be synchronized with table book: its column rowid is not the rowid")
  }

  @Test(arguments: Engine.allCases)
  func `Rows are indexed, and stay so`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      #expect(try db.booksMatching("sea") == [1, 2])
      func check(_ pattern: String, _ expected: [Int64]) throws {
        #expect(try db.booksMatching(pattern) == expected)
        #expect(try db.checkFullTextIndex("bookIndex").isSound)
      }
      try db.execute(sql: "INSERT INTO book VALUES (9, 'Sea Garden', 2020)")
      try check("sea", [1, 2, 9])
      try db.execute(sql: "UPDATE book SET title = 'Rose Garden' WHERE id = 9")
      try check("sea", [1, 2])
      try check("rose", [9])
      try db.execute(sql: "UPDATE book SET id = 8, year = 2021 WHERE id = 9")
      try check("rose", [8])
      try db.execute(sql: "DELETE FROM book WHERE id = 8")
      try check("rose", [])
      #expect(
        try IndexedBook.filter(Column("id") < 3).updateAll(db, [Column("title").set(to: "x")]) == 2)
      try check("x", [1, 2])
      #expect(try IndexedBook.deleteAll(db) == 3)
      try check("x", [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Records are written as without index`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      var book = IndexedBook(title: "Sea Garden")
      try book.insert(db)
      #expect(book.id == 4)
      #expect(db.changesCount == 1)
      book.title = "Rose Garden"
      try book.update(db)
      #expect(try db.booksMatching("garden") == [4])
      book.title = "Rose Hill"
      try book.upsert(db)
      #expect(try db.booksMatching("garden") == [])
      #expect(try book.upsertAndFetch(db) == book)
      let other = try IndexedBook(title: "Hill").insertAndFetch(db)
      #expect(other.id == 5)
      #expect(try db.booksMatching("hill") == [4, 5])
      book.title = "Rose"
      try book.save(db)
      #expect(try db.booksMatching("hill") == [5])
      #expect(try book.delete(db))
      #expect(try db.booksMatching("rose") == [])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Changes of the index only count in the total`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let before = db.totalChangesCount
      try db.execute(sql: "UPDATE book SET title = 'Hill' WHERE id < 3")
      #expect(db.changesCount == 2)
      #expect(db.totalChangesCount - before > 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A column that is not indexed follows, and so does the language of a row`(
    engine: Engine
  ) throws {
    try withBooks { db throws in
      switch engine {
      case .fts4:
        try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
          t.synchronize(withTable: "book")
          t.column("title")
          t.column("year").asLanguageId()
        }
        try db.execute(sql: "UPDATE book SET year = 0 WHERE id = 2")
        #expect(try db.booksMatching("sea") == [2])
        #expect(
          try Int.fetchAll(
            db, sql: "SELECT rowid FROM bookIndex WHERE bookIndex MATCH 'sea' AND year = 1952")
            == [1])
      case .fts5:
        try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
          t.synchronize(withTable: "book")
          t.column("title")
          t.column("year").notIndexed()
        }
        try db.execute(sql: "UPDATE book SET year = 7 WHERE id = 2")
        #expect(try db.booksMatching("7") == [])
        #expect(
          try Int.fetchAll(db, sql: "SELECT year FROM bookIndex WHERE bookIndex MATCH 'wolf'")
            == [7])
      }
      try db.execute(sql: "DELETE FROM book WHERE id = 2")
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test func `An index of all columns may have the language of a row`() throws {
    try withBooks { db throws in
      let statements = try db.writingStatements {
        try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
          t.synchronize(withTable: "book")
          t.column("year").asLanguageId()
        }
      }
      #expect(
        statements.first
          == #"CREATE VIRTUAL TABLE "bookIndex" USING fts4(languageid="year", content="book")"#)
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea Garden', 7)")
      try db.execute(sql: "UPDATE book SET title = 'Sea Rose' WHERE id = 1")
      let cases: [(String, Int, [Int])] = [
        ("garden", 7, [4]), ("rose", 1952, [1]), ("rose", 7, []),
      ]
      for (pattern, year, ids) in cases {
        let sql = "SELECT rowid FROM bookIndex WHERE bookIndex MATCH ? AND year = ?"
        #expect(try Int.fetchAll(db, sql: sql, arguments: [pattern, year]) == ids)
      }
      try db.execute(sql: "DELETE FROM book WHERE id = 4")
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rebuilt content table keeps its index`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.rebuild(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("title", .text).notNull()
        t.column("year", .integer)
      }
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 1); DELETE FROM book WHERE id = 1")
      #expect(try db.booksMatching("sea") == [2, 4])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A rebuild that gives rows other rowids or texts indexes them anew`(engine: Engine) throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INT PRIMARY KEY, title TEXT, year INTEGER);
          INSERT INTO book VALUES (2, 'Sea Wolf', 1904), (1, 'River Street', 2010);
          """)
      try db.createBookIndex(engine)
      try #expect(db.booksMatching("sea") == [1])
      try db.rebuild(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("title", .text)
        t.column("year", .integer)
      }
      try #expect(db.booksMatching("sea") == [2])
      try #expect(db.checkFullTextIndex("bookIndex").isSound)
      try db.rebuild(table: "book") { t in
        t.column("id", .integer)
        t.column("title", .text)
        t.primaryKey("year", .integer)
      }
      try #expect(db.booksMatching("sea") == [1904])
      try db.rebuild(table: "book", copying: [Column("title").set(to: "Sea")]) { t in
        t.column("title", .text)
        t.primaryKey("year", .integer)
      }
      try #expect(db.booksMatching("sea") == [1904, 2010])
      try db.execute(sql: "UPDATE book SET title = 'Hill' WHERE year = 2010")
      try #expect(db.booksMatching("sea") == [1904])
      try #expect(db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test func `A rebuild leaves an index on other columns alone`() throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
          INSERT INTO book VALUES (1, 'Sea Wolf', 1904), (2, 'Deep Sea', 2010);
          CREATE VIRTUAL TABLE bookIndex USING fts5(title, content='book', content_rowid='id');
          INSERT INTO bookIndex (rowid, title) VALUES (1, 'Sea Wolf')
          """)
      try db.rebuild(table: "book", copying: [Column("year").set(to: 7)]) { t in
        t.primaryKey("id", .integer)
        t.column("title", .text)
        t.column("year", .text)
      }
      let sql = "SELECT rowid FROM bookIndex WHERE bookIndex MATCH 'sea'"
      try #expect(Int.fetchAll(db, sql: sql) == [1])
    }
  }

  @Test func `A rebuild leaves an index on a column that the table loses`() throws {
    try withBooks { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE bookIndex USING fts5(title, content='book')")
      try db.rebuild(table: "book", copying: [Column("year").set(to: 7)]) { t in
        t.primaryKey("id", .integer)
        t.column("year", .integer)
      }
      try #expect(Int.fetchAll(db, sql: "SELECT year FROM book") == [7, 7, 7])
      let message = errorText { _ = try db.checkFullTextIndex("bookIndex") }
      #expect(message == "full-text table bookIndex: table book has no column title")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A content table that is copied, dropped and renamed needs a new index`(
    engine: Engine
  ) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(
        sql: """
          CREATE TABLE new (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
          INSERT INTO new SELECT * FROM book;
          DROP TABLE book;
          ALTER TABLE new RENAME TO book;
          INSERT INTO book VALUES (4, 'Sea', 1);
          """)
      #expect(try db.booksMatching("sea") == [1, 2])
      #expect(try !db.checkFullTextIndex("bookIndex").isSound)
      try db.dropFullTextTable("bookIndex")
      try db.createBookIndex(engine)
      try db.execute(sql: "INSERT INTO book VALUES (5, 'Sea', 1)")
      #expect(try db.booksMatching("sea") == [1, 2, 4, 5])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Cascades of foreign keys are followed`(engine: Engine) throws {
    try withBooks { db throws in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY);
          INSERT INTO author VALUES (1);
          ALTER TABLE book ADD COLUMN authorId INTEGER REFERENCES author(id) ON DELETE CASCADE;
          UPDATE book SET authorId = 1 WHERE id = 1;
          """)
      try db.createBookIndex(engine)
      try db.execute(sql: "DELETE FROM author")
      #expect(try db.booksMatching("sea") == [2])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Content tables that can't be indexed are refused, and nothing stays`(engine: Engine) throws
  {
    try DatabaseQueue().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE plain (title);
          CREATE TABLE keyed (title TEXT PRIMARY KEY) WITHOUT ROWID;
          CREATE TEMPORARY TABLE temporary (title);
          CREATE VIEW view AS SELECT * FROM plain;
          """)
      func message(
        _ table: String, column: String = "title", options: VirtualTableOptions = []
      ) -> String? {
        let text = errorText {
          switch engine {
          case .fts4:
            try db.create(virtualTable: "ft", options: options, using: FTS4()) { t in
              t.column(column)
              t.synchronize(withTable: table)
            }
          case .fts5:
            try db.create(virtualTable: "ft", options: options, using: FTS5()) { t in
              t.column(column)
              t.synchronize(withTable: table)
            }
          }
        }
        #expect(try! !db.tableExists("ft"))
        // The transaction goes on.
        #expect(throws: Never.self) { try db.inSavepoint { .commit } }
        return text
      }
      #expect(message("nope")?.hasPrefix("SQLite error 1: no such table: nope\n") == true)
      #expect(
        message("view") == """
          SQLite error 1: database view view has no primary key
          the `schemaSource` of the configuration can declare one
          """)
      #expect(message("keyed") == "table keyed can't be indexed: it has no rowid")
      #expect(
        message("plain", column: "nope")
          == "table plain can't be indexed: it has no column nope")
      #expect(
        message("temporary")
          == #""ft" can't be synchronized with temporary, which is in schema temp"#)
      #expect(
        message("plain", options: .temporary)
          == "Temporary external content \(engine.rawValue.uppercased()) tables are not supported.")
    }
  }

  @Test func `A failing creation leaves the transaction as it was`() throws {
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title)")
      #expect(throws: DatabaseError.self) {
        try db.create(virtualTable: "ft", using: FTS5()) { t in
          t.column("title")
          t.content = "book"
          t.tokenizer = FTS5TokenizerDescriptor(components: ["nope"])
        }
      }
      try db.inSavepoint { .commit }
      #expect(try !db.tableExists("ft"))
      try db.create(virtualTable: "ft", using: FTS5()) { $0.column("title") }
      #expect(try db.tableExists("ft"))
    }
  }

  @Test func `FTS4 without columns indexes all columns`() throws {
    try withBooks { db throws in
      try db.create(virtualTable: "bookIndex", using: FTS4()) { $0.synchronize(withTable: "book") }
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Hill', 1999)")
      #expect(try db.booksMatching("hill") == [4])
      #expect(try db.booksMatching("1952 OR 1999") == [1, 4])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A table that exists is left as it is`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let statements = try db.writingStatements {
        try db.createBookIndex(engine, options: .ifNotExists)
      }
      #expect(statements.count == 1)
      #expect(statements[0].hasPrefix(#"CREATE VIRTUAL TABLE IF NOT EXISTS "bookIndex""#))
      // Triggers that were dropped come back, and what they have missed is indexed.
      try db.execute(sql: "DROP TRIGGER __bookIndex_ai; INSERT INTO book VALUES (4, 'Sea', 1)")
      #expect(try db.booksMatching("sea") == [1, 2])
      try db.createBookIndex(engine, options: .ifNotExists)
      #expect(try db.booksMatching("sea") == [1, 2, 4])
      try db.execute(sql: "INSERT INTO book VALUES (5, 'Sea', 1)")
      #expect(try db.booksMatching("sea") == [1, 2, 4, 5])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A table of an attached database follows a table there`(engine: Engine) throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS archive;
          CREATE TABLE archive.book (id INTEGER PRIMARY KEY, title);
          INSERT INTO archive.book VALUES (1, 'Sea');
          """)
      switch engine {
      case .fts4:
        try db.create(virtualTable: "archive.bookIndex", using: FTS4()) { t in
          t.column("title")
          t.synchronize(withTable: "archive.book")
        }
      case .fts5:
        try db.create(virtualTable: "archive.bookIndex", using: FTS5()) { t in
          t.column("title")
          t.synchronize(withTable: "archive.book")
        }
      }
      try db.execute(sql: "INSERT INTO archive.book VALUES (2, 'Sea Wolf')")
      #expect(try db.booksMatching("sea") == [1, 2])
      #expect(try db.checkFullTextIndex("archive.bookIndex").isSound)
      try db.dropFullTextTable("archive.bookIndex")
      try db.execute(sql: "INSERT INTO archive.book VALUES (3, 'Sea Wolf')")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A temporary table with the name of the content table is not indexed`(engine: Engine) throws
  {
    try withBooks { db throws in
      try db.execute(sql: "CREATE TEMP TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
      let statements = try db.writingStatements {
        switch engine {
        case .fts4:
          try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
            t.synchronize(withTable: "main.book")
            t.column("title")
          }
        case .fts5:
          try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
            t.synchronize(withTable: "main.book")
            t.column("title")
          }
        }
      }
      let suffix = engine == .fts4 ? "bu" : "ai"
      #expect(
        statements.dropFirst().first?.hasPrefix(
          #"CREATE TRIGGER "main"."__bookIndex_\#(suffix)" "#) == true)
      try db.execute(
        sql: """
          INSERT INTO main.book VALUES (4, 'Sea', 1); INSERT INTO temp.book VALUES (5, 'Sea');
          """)
      #expect(try db.booksMatching("sea") == [1, 2, 4])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A content table that gets the name of a temporary table stays indexed`(engine: Engine)
    throws
  {
    try withIndexedBooks(engine) { db throws in
      try db.execute(sql: "CREATE TEMP TABLE work (id INTEGER PRIMARY KEY, title TEXT)")
      try db.rename(table: "book", to: "work")
      try db.execute(
        sql: """
          INSERT INTO main.work VALUES (4, 'Sea', 1); INSERT INTO temp.work VALUES (5, 'Sea');
          """)
      #expect(try db.booksMatching("sea") == [1, 2, 4])
    }
  }

  @Test func `A table is not renamed where a trigger indexes some of its rows only`() throws {
    try withBooks { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE bookIndex USING fts5(title, content='book', content_rowid='id');
          CREATE TRIGGER indexed AFTER INSERT ON book WHEN new.year > 1900 BEGIN
            INSERT INTO bookIndex (rowid, title) VALUES (new.id, new.title);
          END;
          INSERT INTO book VALUES (4, 'Deep Sea', 1870), (5, 'Red Sea', 1950);
          """)
      #expect(
        errorText { try db.rename(table: "book", to: "work") }
          == """
          table book can't be renamed: its trigger indexed adds some rows only to the full-text \
          table bookIndex, which would have all of them. Drop both before, and create them \
          afterwards
          """)
      #expect(try db.booksMatching("sea") == [5])
      // An index of all rows follows.
      try db.execute(
        sql: """
          DROP TRIGGER indexed;
          CREATE TRIGGER indexed AFTER INSERT ON book BEGIN
            INSERT INTO bookIndex (rowid, title) VALUES (new.id, new.title);
          END;
          """)
      try db.rename(table: "book", to: "work")
      try db.execute(sql: "INSERT INTO work VALUES (6, 'Black Sea', 1960)")
      #expect(try db.booksMatching("sea") == [1, 2, 4, 5, 6])
    }
  }

  @Test func `The settings of an FTS5 table stay when its content table is renamed`() throws {
    try withIndexedBooks(.fts5) { db throws in
      try db.execute(
        sql: """
          INSERT INTO bookIndex(bookIndex, rank) VALUES ('rank', 'bm25(10.0, 1.0)');
          INSERT INTO bookIndex(bookIndex, rank) VALUES ('automerge', 8)
          """)
      try db.rename(table: "book", to: "publication")
      let settings = try Row.fetchAll(
        db, sql: "SELECT k, v FROM bookIndex_config WHERE k <> 'version' ORDER BY k")
      #expect(settings == [["k": "automerge", "v": 8], ["k": "rank", "v": "bm25(10.0, 1.0)"]])
      #expect(try db.booksMatching("sea") == [1, 2])
    }
  }
}
