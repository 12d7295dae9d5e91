import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")

@Suite(.onQueueAndPool)
struct RequestClauseTests {
  @Test(arguments: [
    RequestCase(Book.all(), #"SELECT * FROM "book""#),
    RequestCase(Table("book").all(), #"SELECT * FROM "book""#),
    RequestCase(
      Book.select(y).distinct().filter(y > 1).filter(t == "a").group(y).having(max(p) > 2)
        .order(y.desc).limit(2, offset: 1),
      #"SELECT DISTINCT "year" FROM "book" WHERE ("year" > ?) AND ("title" = ?) GROUP BY "year" "#
        + #"HAVING MAX("price") > ? ORDER BY "year" DESC LIMIT 2 OFFSET 1"#,
      [1, "a", 2]),
    RequestCase(Book.all().distinct(), #"SELECT DISTINCT * FROM "book""#),
    RequestCase(Book.select(y).distinct(), #"SELECT DISTINCT "year" FROM "book""#),
  ])
  func `clauses have their order`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(Book.select(y).select(t), #"SELECT "title" FROM "book""#),
    RequestCase(Book.select([y, t]), #"SELECT "year", "title" FROM "book""#),
    RequestCase(Book.select { $0.year }, #"SELECT "year" FROM "book""#),
    RequestCase(Book.select { [$0.year, $0.title] }, #"SELECT "year", "title" FROM "book""#),
    RequestCase(Book.select(y, as: Int.self), #"SELECT "year" FROM "book""#),
    RequestCase(Book.select({ $0.year }, as: Int.self), #"SELECT "year" FROM "book""#),
    RequestCase(Book.select(y).asRequest(of: Int.self), #"SELECT "year" FROM "book""#),
    RequestCase(Book.annotated(with: y + 1), #"SELECT *, "year" + ? FROM "book""#, [1]),
    RequestCase(
      Book.select(t).annotated(with: y, p), #"SELECT "title", "year", "price" FROM "book""#),
    RequestCase(Book.annotated { $0.year + 1 }, #"SELECT *, "year" + ? FROM "book""#, [1]),
    RequestCase(Book.select(sql: "title, ?", arguments: [1]), #"SELECT title, ? FROM "book""#, [1]),
    RequestCase(Book.select(literal: "title, \(1)"), #"SELECT title, ? FROM "book""#, [1]),
    RequestCase(
      Book.all().selectWhenConnectedToNothing().select(t), #"SELECT "title" FROM "book""#),
  ])
  func `selections replace and annotations append`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Book.filter(y > 1 && p < 2).filter(t == "a"),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("price" < ?) AND ("title" = ?)"#, [1, 2, "a"]),
    RequestCase(Book.filter(y), #"SELECT * FROM "book" WHERE "year""#),
    RequestCase(Book.filter { $0.year > 1 }, #"SELECT * FROM "book" WHERE "year" > ?"#, [1]),
    RequestCase(
      Book.filter(sql: "year = ? AND title = ?", arguments: [1, "a"]).filter(y > 3),
      #"SELECT * FROM "book" WHERE (year = ? AND title = ?) AND ("year" > ?)"#, [1, "a", 3]),
    RequestCase(
      Book.filter(literal: "year = \(1) OR \(t) = 2"),
      #"SELECT * FROM "book" WHERE year = ? OR "title" = 2"#, [1]),
    RequestCase(Book.none(), #"SELECT * FROM "book" WHERE ?"#, [0]),
    RequestCase(
      Book.none().filter(y == 1), #"SELECT * FROM "book" WHERE ? AND ("year" = ?)"#, [0, 1]),
    RequestCase(Book.filter(y == 1).all(), #"SELECT * FROM "book" WHERE "year" = ?"#, [1]),
    RequestCase(
      Book.filter(y == 1 || y == 2).filter(t == "a"),
      #"SELECT * FROM "book" WHERE (("year" = ?) OR ("year" = ?)) AND ("title" = ?)"#,
      [1, 2, "a"]),
  ])
  func `filters accumulate`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(Book.all().group(y), #"SELECT * FROM "book" GROUP BY "year""#),
    RequestCase(
      Book.all().group(y).group(t, p), #"SELECT * FROM "book" GROUP BY "title", "price""#),
    RequestCase(Book.all().group { $0.year }, #"SELECT * FROM "book" GROUP BY "year""#),
    RequestCase(
      Book.all().group(sql: "year, price"), #"SELECT * FROM "book" GROUP BY year, price"#),
    RequestCase(
      Book.all().group(y).having(max(p) > 1).having(min(p) < 2),
      #"SELECT * FROM "book" GROUP BY "year" HAVING (MAX("price") > ?) AND (MIN("price") < ?)"#,
      [1, 2]),
    RequestCase(
      Book.all().group(y).having(sql: "max(price) > ?", arguments: [1]),
      #"SELECT * FROM "book" GROUP BY "year" HAVING max(price) > ?"#, [1]),
    RequestCase(Book.all().groupByPrimaryKey(), #"SELECT * FROM "book" GROUP BY "id""#),
    RequestCase(Stock.all().groupByPrimaryKey(), #"SELECT * FROM "stock" GROUP BY "rowid""#),
    RequestCase(Country.all().groupByPrimaryKey(), #"SELECT * FROM "country" GROUP BY "rowid""#),
    RequestCase(Note.all().groupByPrimaryKey(), #"SELECT * FROM "note" GROUP BY "rowid""#),
    RequestCase(Shelf.all().groupByPrimaryKey(), #"SELECT * FROM "shelf" GROUP BY "room", "num""#),
  ])
  func `groups`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(Book.limit(3), #"SELECT * FROM "book" LIMIT 3"#),
    RequestCase(Book.limit(3, offset: 4), #"SELECT * FROM "book" LIMIT 3 OFFSET 4"#),
    RequestCase(Book.limit(3, offset: 4).limit(5), #"SELECT * FROM "book" LIMIT 5"#),
    RequestCase(Book.limit(-1), #"SELECT * FROM "book" LIMIT -1"#),
  ])
  func `the last limit wins`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `the selection of a record type is read when the request is prepared`() throws {
    SwitchedRecord.selection.withLock { $0 = ["id"] }
    let request = SwitchedRecord.all()
    SwitchedRecord.selection.withLock { $0 = ["id", "title"] }
    #expect(try sql(of: request).sql == #"SELECT "id", "title" FROM "book""#)
  }

  @Test func `clauses known when connected get the database`() throws {
    try makeBookshopDatabase().read { db throws in
      let titles = Book.all()
        .selectWhenConnected { db in [Column(try firstColumn(db))] }
        .annotatedWhenConnected { _ in [p] }
        .filterWhenConnected { _ in y > 1970 }
        .orderWhenConnected { _ in [y.desc] }
        .asRequest(of: Row.self)
      let rows = try titles.fetchAll(db)
      #expect(rows == [["id": 3, "price": 15.0], ["id": 1, "price": 12.5]])
      let groups = Book.all()
        .select(Column("authorId"), as: Int?.self)
        .groupWhenConnected { _ in [Column("authorId")] }
        .havingWhenConnected { _ in count(id) > 1 }
      #expect(try groups.fetchAll(db) == [1])
    }
  }

  @Test func `clauses known when connected need a database`() throws {
    let request = Book.all().filterWhenConnected { _ in y > 1970 }
    #expect(
      try invalidity(of: sql(of: request)) == "A clause of the request needs a database connection")
  }

  @Test func `an empty selection is invalid`() throws {
    #expect(
      try invalidity(of: sql(of: Book.select([])))
        == "Can't generate SQL with an empty selection")
  }

  @Test func `errors name the request`() throws {
    try makeBookshopDatabase().read { db throws in
      let error = #expect(throws: InvalidRequest.self) { try Book.select([]).fetchAll(db) }
      #expect(
        error?.description
          == #"Can't generate SQL with an empty selection - in request SELECT … FROM "book" …"#)
    }
  }

  struct SwitchedRecord: TableRecord {
    static let databaseTableName = "book"
    static let selection = Locked<[String]>([])
    static var databaseSelection: [any SQLSelectable] {
      selection.withLock { $0 }.map { Column($0) }
    }
  }
}

private func firstColumn(_ db: Database) throws -> String {
  try db.columns(in: "book")[0].name
}

extension QueryInterfaceRequest {
  fileprivate func selectWhenConnectedToNothing() -> Self {
    selectWhenConnected { _ in [] }
  }
}
