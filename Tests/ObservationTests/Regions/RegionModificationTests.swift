import Testing

@testable import Quarry

@Suite struct RegionModificationTests {
  /// Insertions and deletions of books; updates of title, year, id.
  static let kinds: [(String, Bool, Bool, Bool, Bool)] = [
    ("book(title)", true, true, false, false),
    ("book(id,title)[1]", true, true, false, true),
    ("book(*)", true, true, true, true),
    ("full database", true, true, true, true),
    ("empty", false, false, false, false),
    ("author(*)", false, false, false, false),
  ]

  private func region(_ name: String, _ db: Database) throws -> DatabaseRegion {
    let regions = try [
      db.makeStatement(sql: "SELECT title FROM book").databaseRegion,
      Book.select(Column("title")).filter(Column("id") == 1).databaseRegion(db),
      Table("book").databaseRegion(db), .fullDatabase, DatabaseRegion(),
      Table("author").databaseRegion(db),
    ]
    return try #require(regions.first { $0.description == name })
  }

  @Test(arguments: kinds)
  func `kinds of events modify regions`(
    name: String, rows: Bool, title: Bool, year: Bool, id: Bool
  ) throws {
    try withShop { db throws in
      let region = try region(name, db)
      #expect(region.isModified(byEventsOfKind: .insert(tableName: "book")) == rows)
      #expect(region.isModified(byEventsOfKind: .delete(tableName: "BOOK")) == rows)
      func isModified(byUpdate columns: Set<String>) -> Bool {
        region.isModified(byEventsOfKind: .update(tableName: "book", columnNames: columns))
      }
      #expect(isModified(byUpdate: ["title"]) == title)
      #expect(isModified(byUpdate: ["TITLE"]) == title)
      #expect(isModified(byUpdate: ["year"]) == year)
      #expect(isModified(byUpdate: ["id"]) == id)
      #expect(isModified(byUpdate: ["ROWID"]) == rows)
      #expect(isModified(byUpdate: []) == region.isFullDatabase)
    }
  }

  @Test func `events modify the rows of a region`() throws {
    try withShop { db throws in
      func event(_ table: String, _ rowID: Int64) -> DatabaseEvent {
        DatabaseEvent(kind: .update, databaseName: "main", tableName: table, rowID: rowID)
      }
      let one = try region("book(id,title)[1]", db)
      #expect(one.isModified(by: event("book", 1)))
      #expect(one.isModified(by: event("BOOK", 1)))
      #expect(!one.isModified(by: event("book", 2)))
      #expect(one.isModified(by: event("ft_data", 2)))
      #expect(DatabaseRegion().isModified(by: event("book", 2)))
      #expect(DatabaseRegion.fullDatabase.isModified(by: event("book", 2)))
      #expect(try region("book(*)", db).isModified(by: event("book", 2)))
    }
  }

  @Test func `observed regions have the tables that exist, by their names`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIEW v AS SELECT title FROM book;
          CREATE TEMP TABLE Tape (a);
          ATTACH ':memory:' AS att; CREATE TABLE att.Film (a);
          """)
      func observedRegion(_ sql: String) throws -> DatabaseRegion {
        try db.makeStatement(sql: sql).databaseRegion.observed(in: db)
      }
      func observed(_ sql: String) throws -> String { try observedRegion(sql).description }
      #expect(try observed("SELECT COUNT(*) FROM BOOK") == "book(*)")
      #expect(try observed("SELECT title FROM v") == "book(title)")
      let spellings = Table("BOOK").databaseRegion
      #expect(
        try spellings(db).union(observedRegion("SELECT title FROM book")).observed(in: db)
          .description == "book(*)")
      #expect(try observed("SELECT value FROM json_each('[1]'), note") == "note(*)")
      #expect(try observed("SELECT * FROM sqlite_master") == "empty")
      #expect(try observed("SELECT name FROM pragma_table_info('book')") == "empty")
      #expect(try observed("SELECT a FROM TAPE UNION SELECT a FROM FILM") == "Film(a),Tape(a)")
      #expect(try Table("nope").databaseRegion(db).observed(in: db).isEmpty)
      #expect(try DatabaseRegion.fullDatabase.observed(in: db) == .fullDatabase)
    }
  }
}

@Suite struct RegionRecordingTests {
  private static let all = "book(authorId,id,price,title,year)"
  private static let id = Column("id")

  private func recorded(_ body: (Database) throws -> Void) throws -> String {
    try withShop { db throws in
      try db.recordRegion { try body(db) }.1.observed(in: db).description
    }
  }

  @Test func `requests are recorded when they are run`() throws {
    let (all, id) = (Self.all, Self.id)
    #expect(try recorded { _ = try Book.fetchAll($0) } == all)
    #expect(try recorded { _ = try Book.fetchCount($0) } == "book(*)")
    #expect(try recorded { _ = try Book.fetchOne($0, key: 10) } == all + "[10]")
    #expect(try recorded { _ = try? Book.find($0, key: 10) } == all + "[10]")
    #expect(try recorded { _ = try Book.fetchAll($0, keys: [Int]()) } == "empty")
    #expect(try recorded { _ = try Author.none().fetchAll($0) } == "empty")
    #expect(try recorded { _ = try Book.filter(id == 10).fetchCount($0) } == "book(*)[10]")
    #expect(try recorded { _ = try Book.exists($0, key: 10) } == all)
    #expect(try recorded { _ = try Book.filter(id == 10).isEmpty($0) } == all)
    #expect(try recorded { _ = try Book(id: 10).exists($0) } == "book(*)")
    let authors = Author.including(all: Author.books).asRequest(of: Row.self)
    #expect(try recorded { _ = try authors.fetchAll($0) } == "author(country,id,name)," + all)
    #expect(
      try recorded { try $0.dumpRequest(Book.select(Column("title")), to: Ignoring()) }
        == "book(title)")
  }

  private final class Ignoring: TextOutputStream {
    func write(_ string: String) {}
  }

  @Test func `what is not run is not recorded`() throws {
    #expect(try recorded { _ = try Book.fetchCursor($0) } == "empty")
    #expect(try recorded { _ = try Book.fetchCursor($0).next() } == Self.all)
    #expect(try recorded { _ = try $0.makeStatement(sql: "SELECT * FROM book") } == "empty")
    #expect(try recorded { _ = try Book.all().databaseRegion($0) } == "empty")
    #expect(try recorded { _ = try $0.tableExists("book") } == "empty")
    #expect(try recorded { _ = try $0.columns(in: "book") } == "empty")
    #expect(
      try recorded { _ = try Row.fetchAll($0, sql: "SELECT * FROM sqlite_master") } == "empty")
  }

  /// SQLite compiles the views of the database to list the columns of a table.
  @Test func `the views that SQLite compiles for the schema are not recorded`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIEW titles AS SELECT title FROM book;
          CREATE VIEW names AS SELECT name FROM author;
          """)
      let region = try db.recordRegion { try Book.fetchOne(db, key: 10) }.1
      #expect(region.observed(db) == Self.all + "[10]")
      try db.execute(sql: "CREATE VIEW years AS SELECT year FROM book")
      for sql in ["PRAGMA table_list", "PRAGMA table_xinfo(years)", "PRAGMA index_list(book)"] {
        #expect(try db.makeStatement(sql: sql).databaseRegion.isEmpty)
      }
    }
  }

  @Test func `statements of a savepoint that fails are recorded`() throws {
    let region = try recorded { db in
      try? db.inSavepoint {
        _ = try Book.fetchAll(db)
        throw Veto()
      }
    }
    #expect(region == Self.all)
  }

  @Test func `accesses are registered`() throws {
    #expect(try recorded { try $0.registerAccess(to: Table("author")) } == "author(*)")
    #expect(try recorded { try $0.registerAccess(to: .fullDatabase) } == "full database")
    #expect(try recorded { try $0.registerAccess(to: Table("nope")) } == "empty")
    try withShop { db throws in
      func region() -> DatabaseRegion {
        Issue.record("evaluated")
        return DatabaseRegion()
      }
      try db.registerAccess(to: region())
    }
  }

  @Test func `recordings inside others are parts of them`() throws {
    try withShop { db throws in
      let (inner, outer) = try db.recordRegion {
        _ = try Row.fetchAll(db, sql: "SELECT * FROM note")
        return try db.recordRegion { _ = try Book.fetchCount(db) }.1
      }
      #expect(inner.observed(db) == "book(*)")
      #expect(outer.observed(db) == "book(*),note(text)")
    }
  }
}

extension DatabaseRegion {
  fileprivate func observed(_ db: Database) -> String {
    (try? observed(in: db).description) ?? "-"
  }
}
