import QuarryTestSupport
import QuarryTesting
import Testing

@testable import Quarry

private let year = Column("year")

@Suite(.onQueueAndPool)
struct PlanGuardTests {
  private func reports(
    scansOver count: Int = 2, sorts: Bool = true, exceptFor tables: Set<String> = [],
    _ body: (AnyDatabaseWriter) throws -> Void
  ) throws -> [PlanReport] {
    let log = Log<PlanReport>()
    var configuration = Configuration()
    configuration.planGuard = .standard(
      scansOver: count, sorts: sorts, exceptFor: tables, report: log.append)
    try body(makeBookshopDatabase(configuration: configuration))
    return log.elements
  }

  @Test func `a scan of a large table is reported once`() throws {
    let reports = try reports { database in
      for year in 1970...1980 {
        _ = try database.read { db in try Book.filter(Column("year") == year).fetchAll(db) }
        _ = try database.write { db in try Book.filter(Column("year") == year).fetchAll(db) }
      }
    }
    #expect(reports.map(\.findings) == [[.scan(table: "book", moreThan: 2)]])
    #expect(reports.first?.index == SuggestedIndex(table: "book", columns: ["year"]))
    #expect(
      reports.first?.description == """
        All rows of book are read, which are more than 2
        SELECT * FROM "book" WHERE "year" = ?
        QUERY PLAN
        `--SCAN book
        This index helps: try db.create(indexOn: "book", columns: ["year"])
        """)
  }

  @Test func `scans behind an alias of a view, or one that is not understood, are reported`() throws
  {
    let reports = try reports { database in
      try database.write { db in
        try db.execute(sql: "CREATE VIEW namedBook AS SELECT named.title FROM book AS named")
        for source in ["namedBook", "book/* */b"] {
          let sql = "SELECT * FROM \(source) WHERE title = 'Emma'"
          _ = try SQLRequest<Row>(sql: sql).fetchAll(db)
        }
      }
    }
    #expect(
      reports.map(\.findings) == [
        [.scan(table: "book", moreThan: 2)], [.scan(table: "b", moreThan: 2)],
      ])
  }

  @Test(arguments: ["shelf😀", "top\u{2011}shelf", "“shelf”", "a#b c(d", "a\r\nb"])
  func `names have any symbols`(name: String) throws {
    let reports = try reports { database in
      try database.write { db in
        let table = name.quotedDatabaseIdentifier
        try db.execute(
          sql: "CREATE TABLE \(table) (room); INSERT INTO \(table) VALUES (1), (2), (3)")
        try #expect(Table(name).filter(Column("room") > 1).fetchCount(db) == 2)
        let alias = TableAlias(name: name)
        let books = Book.aliased(alias).filter(alias[Column("title")] > "")
        #expect(try !books.fetchAll(db).isEmpty)
      }
    }
    #expect(
      reports.map(\.findings) == [
        [.scan(table: name, moreThan: 2)], [.scan(table: "book", moreThan: 2)],
      ])
  }

  @Test func `a request that a guard refuses is refused each time`() throws {
    struct Refusal: Error {}
    var configuration = Configuration()
    configuration.planGuard = PlanGuard { _, sql, _ in
      if sql.contains("ORDER BY") { throw Refusal() }
    }
    let database = try makeBookshopDatabase(configuration: configuration)
    for _ in 1...5 {
      #expect(throws: Refusal.self) {
        try database.read { db in try Book.order(Column("title")).fetchAll(db) }
      }
      #expect(throws: Refusal.self) {
        try database.read { db in
          try SQLRequest<Row>(sql: "SELECT * FROM book ORDER BY title").fetchAll(db)
        }
      }
    }
  }

  @Test func `small tables, tables that are excepted, and first pages may be scanned`() throws {
    #expect(
      try reports { database in
        try database.read { db in
          _ = try Country.fetchAll(db)
          _ = try Book.limit(2).fetchAll(db)
          _ = try Book.fetchOne(db)
          _ = try Book.filter(key: 1).fetchAll(db)
        }
      }.isEmpty)
    #expect(
      try reports(exceptFor: ["BOOK"]) { database in
        _ = try database.read { db in try Book.fetchAll(db) }
      }.isEmpty)
    #expect(
      try reports(scansOver: 4) { database in
        _ = try database.read { db in try Book.fetchAll(db) }
      }.isEmpty)
    #expect(
      try reports(scansOver: 3) { database in
        _ = try database.read { db in try Book.fetchAll(db) }
      }.count == 1)
  }

  @Test func `a guard may allow scans of tables of any size`() throws {
    let reports = try reports(scansOver: .max) { database in
      _ = try database.read { db in try Book.fetchAll(db) }
    }
    #expect(reports.isEmpty)
  }

  @Test func `sorts, automatic indexes, modifications, prefetches and raw requests are reported`()
    throws
  {
    let reports = try reports(scansOver: 100) { database in
      try database.write { db in
        _ = try Book.filter(key: 1).order(Column("title")).fetchAll(db)
        _ = try Book.order(Column("title")).fetchAll(db)
        let join: SQLRequest<Row> =
          "SELECT * FROM stockMove a JOIN stockMove b ON a.shop = b.shop AND a.isbn = b.isbn"
        _ = try join.fetchAll(db)
      }
    }
    #expect(
      reports.map(\.findings) == [[.temporaryTree("ORDER BY")], [.automaticIndex(table: "b")]])
    let others = try self.reports { database in
      try database.write { db in
        _ = try Author.filter(key: 1).including(all: Author.books).asRequest(of: Row.self).fetchAll(
          db)
        _ = try Book.filter(year > 3000).deleteAll(db)
        _ = try Book.filter(year > 3000).updateAll(db, year.set(to: 1))
        _ = try Book.filter(year > 3000).fetchCount(db)
      }
    }
    let scan = PlanReport.Finding.scan(table: "book", moreThan: 2)
    // The key of a deleted book is searched in the reviews that refer to it, which have no index.
    let scanOfReviews = PlanReport.Finding.scan(table: "review", moreThan: 2)
    #expect(others.map(\.findings) == [[scan], [scan, scanOfReviews], [scan], [scan]])
    #expect(others.first?.index == SuggestedIndex(table: "book", columns: ["authorId"]))
    #expect(
      try self.reports(scansOver: 100, sorts: false) { database in
        _ = try database.read { db in try Book.order(Column("title")).fetchAll(db) }
      }.isEmpty)
  }

  @Test func `a guard that throws refuses the request`() throws {
    var configuration = Configuration()
    configuration.planGuard = .standard(scansOver: 2) { throw $0 }
    try withBookshop(configuration: configuration) { db throws in
      let error = #expect(throws: PlanReport.self) { try Book.fetchAll(db) }
      #expect(error?.findings == [.scan(table: "book", moreThan: 2)])
      #expect(try Book.filter(key: 1).fetchCount(db) == 1)
    }
  }

  @Test func `tables with the name of a schema are found, and no others are counted`() throws {
    let log = Log<PlanReport>()
    var configuration = Configuration()
    configuration.planGuard = .standard(
      scansOver: 1, exceptFor: ["main.reader"], report: log.append)
    try DatabaseQueue(configuration: configuration).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE archive.book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO archive.book VALUES (1, 'Emma'), (2, 'Persuasion');
          CREATE TABLE main.book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE TABLE loan (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO loan VALUES (1, 'Emma'), (2, 'Persuasion');
          CREATE TABLE reader (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO reader VALUES (1, 'Dr'), (2, 'Mr')
          """)
      for table in ["archive.book", "book", "main.book", "main.loan", "main.reader"] {
        _ = try Row.fetchAll(db, Table(table).filter(Column("title") == "Emma"))
      }
      for source in ["archive.book AS b", "main.book AS b", "reader AS r"] {
        let sql = "SELECT * FROM \(source) WHERE title = 'Emma'"
        _ = try SQLRequest<Row>(sql: sql).fetchAll(db)
      }
    }
    #expect(
      log.elements.map(\.findings) == [
        [.scan(table: "archive.book", moreThan: 1)], [.scan(table: "loan", moreThan: 1)],
        [.scan(table: "archive.book", moreThan: 1)],
      ])
  }

  @Test func `a table that has few rows first is reported later`() throws {
    let log = Log<PlanReport>()
    var configuration = Configuration()
    configuration.planGuard = .standard(scansOver: 2, report: log.append)
    for values in ["(1, 'Emma')", "(1, 'Emma'), (2, 'Persuasion'), (3, 'Emma')"] {
      try DatabaseQueue(configuration: configuration).write { db in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
            INSERT INTO book VALUES \(values)
            """)
        _ = try Row.fetchAll(db, Table("book").filter(Column("title") == "Emma"))
      }
    }
    #expect(log.elements.map(\.findings) == [[.scan(table: "book", moreThan: 2)]])
  }

  @Test func `scans are reported whose limit does not end them early`() throws {
    func sqls(_ body: (Database) throws -> Void) throws -> [String] {
      try reports { database in try database.read(body) }.map(\.plan.sql)
    }
    let page = "SELECT * FROM book LIMIT ?"
    let early = try sqls { db in
      _ = try Book.limit(1, offset: 1).fetchAll(db)
      _ = try SQLRequest<Row>(sql: page, arguments: [2]).fetchAll(db)
      _ = try SQLRequest<Row>(sql: page + ", ?", arguments: [1, 1]).fetchAll(db)
    }
    #expect(early == [])
    let late = try sqls { db in
      _ = try Book.limit(3).fetchAll(db)
      _ = try Book.limit(1, offset: 2).fetchAll(db)
      _ = try Book.select(sum(Column("price")), as: Double.self).limit(1).fetchAll(db)
      _ = try SQLRequest<Row>(sql: "SELECT count(*) FROM book LIMIT 1").fetchAll(db)
      _ = try SQLRequest<Row>(sql: page, arguments: [-1]).fetchAll(db)
    }
    #expect(
      late == [
        #"SELECT * FROM "book" LIMIT 3"#, #"SELECT * FROM "book" LIMIT 1 OFFSET 2"#,
        #"SELECT SUM("price") FROM "book" LIMIT 1"#, "SELECT count(*) FROM book LIMIT 1", page,
      ])
  }

  @Test(
    arguments: [
      ("SELECT * FROM book LIMIT :a", ["a": 2], ["a": 3]),
      ("SELECT * FROM book LIMIT @a", ["a": 2], ["a": 3]),
      ("SELECT * FROM book LIMIT ?1", [2], [3]),
      ("SELECT * FROM book LIMIT ? OFFSET ?", [1, 1], [1, 2]),
      ("SELECT * FROM book LIMIT 1 OFFSET ?", [-1], [2]),
      ("SELECT * FROM book LIMIT 1 + ? -- x", [1], [2]),
      ("SELECT id, 'WHERE' FROM book LIMIT ?;", [2], [-1]),
      ("SELECT id, ? FROM book LIMIT ?", [1, 3], nil),
      ("SELECT id FROM book LIMIT max(1, ?)", [3], nil),
      ("SELECT title, count(*) FROM book GROUP BY title LIMIT ?", [2], [3]),
      ("SELECT DISTINCT title FROM book LIMIT ?", [2], [3]),
    ] as [(String, StatementArguments, StatementArguments?)])
  func `a limit excuses a scan unless it is known to allow more rows`(
    sql: String, early: StatementArguments, late: StatementArguments?
  ) throws {
    func count(_ arguments: StatementArguments) throws -> Int {
      try reports { database in
        try database.write { db in
          try db.create(indexOn: "book", columns: ["title"])
          _ = try SQLRequest<Row>(sql: sql, arguments: arguments).fetchAll(db)
        }
      }.count
    }
    #expect(try count(early) == 0)
    if let late { #expect(try count(late) == 1) }
  }

  @Test func `a scan is looked at now and then, and a search once`() throws {
    let log = Log<String>()
    var configuration = Configuration()
    configuration.planGuard = .standard(scansOver: 2) { throw $0 }
    configuration.prepareDatabase { db in
      db.trace { event in
        let sql = "\(event)"
        if sql.hasPrefix("SELECT COUNT(*)") { log.append(sql) }
      }
    }
    try DatabaseQueue(configuration: configuration).write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE TABLE loan (bookId INTEGER);
          CREATE INDEX loan_bookId ON loan (bookId);
          INSERT INTO loan VALUES (1), (2), (3);
          """)
      func fetch(_ sql: String) throws { _ = try SQLRequest<Row>(sql: sql).fetchAll(db) }
      // The first, second, fourth and eighth time.
      for _ in 1...9 { try fetch("SELECT * FROM book WHERE title = 'Emma'") }
      #expect(log.elements.count == 4)
      let search = "SELECT * FROM loan WHERE bookId = 1"
      try fetch(search)
      try db.execute(sql: "DROP INDEX loan_bookId")
      try fetch(search)
      #expect(throws: PlanReport.self) { try fetch("\(search) -- another text") }
    }
  }

  @Test func `a maximum without index is reported, and that of a rowid is not`() throws {
    let reports = try reports { database in
      try database.read { db in
        _ = try Book.select(max(Column("title")), as: String.self).fetchOne(db)
        _ = try Book.select(max(Column("id")), as: Int64.self).fetchOne(db)
      }
    }
    #expect(reports.map(\.findings) == [[.scan(table: "book", moreThan: 2)]])
    #expect(reports.first?.index == SuggestedIndex(table: "book", columns: ["title"]))
  }

  @Test func `statements without plan pass`() throws {
    #expect(
      try reports { database in
        try database.read { db in
          for sql in ["EXPLAIN SELECT * FROM book", "/* p */ PRAGMA user_version"] {
            _ = try SQLRequest<Row>(sql: sql).fetchAll(db)
          }
        }
      }.isEmpty)
  }

  @Test func `a guard does not change what is observed`() throws {
    var configuration = Configuration()
    configuration.planGuard = .standard(scansOver: 0) { _ in }
    func region(_ configuration: Configuration) throws -> DatabaseRegion {
      try withBookshop(configuration: configuration) { db throws in
        try db.recordRegion { try Book.filter(year == 1).selectID().fetchAll(db) }.1
      }
    }
    #expect(try region(configuration) == region(Configuration()))
  }

  @Test func `debug builds have a guard`() {
    #if DEBUG
      #expect(PlanGuard.debugBuilds() != nil)
    #else
      #expect(PlanGuard.debugBuilds() == nil)
    #endif
  }
}
