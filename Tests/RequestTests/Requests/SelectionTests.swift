import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let id = Column("id")
private let nothing: Column? = nil

@Suite(.onQueueAndPool)
struct SelectionTests {
  @Test(arguments: [
    RequestCase(Book.select(.allColumns, .rowID), #"SELECT *, "rowid" FROM "book""#),
    RequestCase(Book.select(AllColumns()), #"SELECT * FROM "book""#),
    RequestCase(Book.select(Column.rowID), #"SELECT "rowid" FROM "book""#),
    RequestCase(
      Book.select(.allColumns(excluding: ["price", "YEAR"])),
      #"SELECT "id", "title", "authorId", "publisherId" FROM "book""#),
    RequestCase(
      Book.select(.allColumns(excluding: [Column("price"), y])),
      #"SELECT "id", "title", "authorId", "publisherId" FROM "book""#),
    RequestCase(Book.select(.allColumns(excluding: ["nope"])), #"SELECT * FROM "book""#),
    RequestCase(Book.select(.allColumns(excluding: [String]())), #"SELECT * FROM "book""#),
    RequestCase(
      Book.select((y + 1).forKey("next")), #"SELECT "year" + ? AS "next" FROM "book""#, [1]),
    RequestCase(Book.select(y.forKey(Keys.label)), #"SELECT "year" AS "label" FROM "book""#),
    RequestCase(Book.select(nothing), #"SELECT NULL FROM "book""#),
    RequestCase(
      Book.select(Author.filter(id == 1).distinct().select(id).limit(1, offset: 1)),
      // SQLite 3.40 would take the first row without the outer query.
      #"SELECT (SELECT * FROM (SELECT DISTINCT "id" FROM "author" WHERE "id" = ? "#
        + #"LIMIT 1 OFFSET 1)) FROM "book""#, [1]),
    RequestCase(
      Book.select(Author.select(count(id))),
      #"SELECT (SELECT COUNT("id") FROM "author") FROM "book""#),
    RequestCase(Book.select(SQL("year, price")), #"SELECT year, price FROM "book""#),
  ])
  func `selections`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(Book.selectPrimaryKey(as: Int64.self), #"SELECT "id" FROM "book""#),
    RequestCase(Stock.selectPrimaryKey(as: Row.self), #"SELECT "shop", "isbn" FROM "stock""#),
    RequestCase(Note.selectPrimaryKey(as: Int64.self), #"SELECT "rowid" FROM "note""#),
    RequestCase(Book.selectID(), #"SELECT "id" FROM "book""#),
    RequestCase(Table<Book>("note").selectID(), #"SELECT "rowid" FROM "note""#),
  ])
  func `keys`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `identifiers need a key of one column`() throws {
    #expect(
      try invalidity(of: sql(of: Table<Book>("stock").selectID()))
        == "selectID requires a single-column primary key in the table stock")
  }

  @Test func `selected values are decoded`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.selectID().order(id.desc).fetchAll(db) == [4, 3, 2, 1])
      let rows = try Stock.selectPrimaryKey(as: Row.self).orderByPrimaryKey().fetchAll(db)
      #expect(rows.first == ["shop": "north", "isbn": "a"])
      let titles = try Book.select({ $0.title }, as: String.self).limit(2).fetchAll(db)
      #expect(titles == ["Dispossession", "Left Hand"])
    }
  }

  enum Keys: String, CodingKey { case label }
}
