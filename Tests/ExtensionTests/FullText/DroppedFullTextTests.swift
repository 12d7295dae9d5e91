import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Full-text tables that are dropped, made again, and renamed.
@Suite(.needs(.fullText))
struct DroppedFullTextTests {
  @Test(arguments: Engine.allCases)
  func `Triggers survive the table`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.drop(table: "bookIndex")
      for sql in ["INSERT INTO book VALUES (4, 'Hill', 1)", "DELETE FROM book"] {
        #expect(
          databaseError { try db.execute(sql: sql) }?.message == "no such table: main.bookIndex")
      }
      let trigger = engine == .fts4 ? "__bookIndex_bu" : "__bookIndex_ai"
      #expect(
        databaseError { try db.createBookIndex(engine) }?.message
          == #"trigger "\#(trigger)" already exists"#)
      #expect(try !db.tableExists("bookIndex"))
      try db.createBookIndex(engine, options: .ifNotExists)
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 1)")
      #expect(try db.booksMatching("sea") == [1, 2, 4])
    }
  }

  @Test func `Triggers of a former table with other columns are replaced`() throws {
    try withIndexedBooks(.fts5) { db throws in
      try db.drop(table: "bookIndex")
      try db.create(virtualTable: "bookIndex", options: .ifNotExists, using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("year")
      }
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 1999)")
      #expect(try db.booksMatching("1952 OR 1999") == [1, 4])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Triggers of a former table of the other engine are dropped`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.drop(table: "bookIndex")
      try db.createBookIndex(engine == .fts4 ? .fts5 : .fts4, options: .ifNotExists)
      try db.execute(
        sql: """
          INSERT INTO book VALUES (4, 'Sea', 1);
          UPDATE book SET title = 'Hill' WHERE id = 1;
          DELETE FROM book WHERE id = 2;
          """)
      #expect(try db.booksMatching("sea OR hill") == [1, 4])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test func `Triggers are dropped by name`() throws {
    try DatabaseQueue().write { db throws in
      #expect(
        try db.writingStatements { try db.dropFTS4SynchronizationTriggers(forTable: "f t") }
          == ["bu", "bd", "au", "ai"].map { #"DROP TRIGGER IF EXISTS "__f t_\#($0)""# })
      #expect(
        try db.writingStatements { try db.dropFTS5SynchronizationTriggers(forTable: "ft") }
          == ["ai", "ad", "au"].map { #"DROP TRIGGER IF EXISTS "__ft_\#($0)""# })
    }
    // The engine of the table does not matter.
    try withIndexedBooks(.fts4) { db throws in
      try db.dropFTS5SynchronizationTriggers(forTable: "bookIndex")
      #expect(
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
          == ["__bookIndex_bd", "__bookIndex_bu"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A table is dropped with its triggers, and made again`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      #expect(try db.fullTextTables(on: "BOOK") == ["bookIndex"])
      try db.dropFullTextTable("bookIndex")
      #expect(try db.fullTextTables(on: "book") == [])
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 1)
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 1)")
      try db.createBookIndex(engine)
      #expect(try db.booksMatching("sea") == [1, 2, 4])
      #expect(errorText { try db.dropFullTextTable("book") } == "table book is no full-text table")
    }
  }

  @Test(arguments: Engine.allCases)
  func `Without its content table, an index knows rowids only`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.drop(table: "book")
      #expect(try db.booksMatching("sea") == [1, 2])
      for sql in ["SELECT title FROM bookIndex", "SELECT COUNT(*) FROM bookIndex"] {
        #expect(
          databaseError { try Row.fetchAll(db, sql: sql) }?.message
            == (engine == .fts5 ? "no such table: main.book" : "SQL logic error"))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `SQL that renames the content table leaves the index behind`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(sql: "ALTER TABLE book RENAME TO work")
      #expect(try db.booksMatching("sea") == [1, 2])
      let error = databaseError { try Row.fetchAll(db, sql: "SELECT title FROM bookIndex") }
      #expect(error?.message == (engine == .fts5 ? "no such table: main.book" : "SQL logic error"))
      try db.execute(sql: "INSERT INTO work VALUES (4, 'Sea', 1)")
      #expect(try db.booksMatching("sea") == [1, 2, 4])
      let deletion = databaseError { try db.execute(sql: "DELETE FROM work WHERE id = 1") }
      #expect((deletion != nil) == (engine == .fts4))
    }
  }

  @Test(arguments: Engine.allCases)
  func `SQL that renames an FTS5 index leaves its column in the triggers`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(sql: "ALTER TABLE bookIndex RENAME TO titles")
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 1)")
      for sql in ["UPDATE book SET title = 'x' WHERE id = 4", "DELETE FROM book WHERE id = 4"] {
        #expect(
          databaseError { try db.execute(sql: sql) }?.message
            == (engine == .fts5 ? "table titles has no column named bookIndex" : nil))
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `An index follows its content table when it is renamed`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.rename(table: "book", to: "work's")
      #expect(try db.fullTextTables(on: "work's") == ["bookIndex"])
      try db.execute(
        sql: """
          INSERT INTO "work's" VALUES (4, 'Sea', 1);
          UPDATE "work's" SET title = 'Hill' WHERE id = 1;
          DELETE FROM "work's" WHERE id = 2;
          """)
      #expect(try db.booksMatching("sea") == [4])
      #expect(
        try String.fetchAll(db, sql: "SELECT title FROM bookIndex WHERE bookIndex MATCH 'sea'") == [
          "Sea"
        ])
      #expect(try db.checkFullTextIndex("bookIndex").isSound)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The triggers follow an index that is renamed`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let statements = try db.writingStatements { try db.rename(table: "bookIndex", to: "titles") }
      #expect(!statements.contains { $0.contains("rebuild") })
      try db.execute(
        sql: """
          INSERT INTO book VALUES (4, 'Sea', 1);
          UPDATE book SET title = 'Hill' WHERE id = 1;
          DELETE FROM book WHERE id = 2;
          """)
      #expect(
        try Int.fetchAll(db, sql: "SELECT rowid FROM titles WHERE titles MATCH 'sea OR hill'")
          == [1, 4])
      #expect(try db.checkFullTextIndex("titles").isSound)
      try db.dropFullTextTable("titles")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 1)
    }
  }

  @Test func `Indexes without triggers keep theirs when the content table is renamed`() throws {
    try withBooks { db throws in
      try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
        t.column("title")
        t.content = "book"
        t.contentRowID = "id"
        t.tokenizer = .porter(wrapping: .ascii(separators: ["'", "("]))
      }
      try db.rename(table: "book", to: "work")
      #expect(try db.booksMatching("seas") == [1, 2])
      #expect(try !db.triggerExists("__bookIndex_ai"))
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'bookIndex'")
          == """
          CREATE VIRTUAL TABLE "bookIndex" USING fts5(title, \
          tokenize='''porter'' ''ascii'' ''separators'' ''''''(''', content='work', \
          content_rowid='id')
          """)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Columns of the content table come and go`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.alter(table: "book") { t in t.add(column: "pages", .integer) }
      try db.alter(table: "book") { t in t.drop(column: "year") }
      try db.execute(sql: "INSERT INTO book VALUES (4, 'Sea', 300)")
      #expect(try db.booksMatching("sea") == [1, 2, 4])
    }
  }

  @Test func `Migrators know the tokenizers of the configuration`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in db.add(tokenizer: StopWords.self) }
    let queue = try DatabaseQueue(configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("documents") { db in
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = StopWords.tokenizerDescriptor()
      }
    }
    try migrator.migrate(queue)
    try queue.write { db in try db.execute(sql: "INSERT INTO doc VALUES ('the sea')") }
    #expect(try queue.read { try migrator.hasSchemaChanges($0) } == false)
    try migrator.migrate(queue)
    try queue.read { db throws in #expect(try db.documentsMatching("sea") == [1]) }
    try queue.erase()
    try queue.read { db throws in #expect(try !db.tableExists("doc")) }
  }

  @Test(arguments: Engine.allCases)
  func `A migration changes the tokenizer`(engine: Engine) throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("books") { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
          INSERT INTO book VALUES (1, 'Sailing ships', 1)
          """)
      try db.createBookIndex(engine)
    }
    migrator.registerMigration("stems") { db throws in
      try db.dropFullTextTable("bookIndex")
      switch engine {
      case .fts4:
        try db.create(virtualTable: "bookIndex", using: FTS4()) { t in
          t.tokenizer = .porter
          t.column("title")
          t.synchronize(withTable: "book")
        }
      case .fts5:
        try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
          t.tokenizer = .porter()
          t.column("title")
          t.synchronize(withTable: "book")
        }
      }
    }
    migrator.eraseDatabaseOnSchemaChange = true
    try migrator.migrate(queue, upTo: "books")
    try queue.read { db throws in #expect(try db.booksMatching("sail") == []) }
    try migrator.migrate(queue)
    try migrator.migrate(queue)
    try queue.read { db throws in #expect(try db.booksMatching("sail") == [1]) }
  }
}
