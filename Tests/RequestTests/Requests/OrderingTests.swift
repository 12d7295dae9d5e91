import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let id = Column("id")

@Suite(.onQueueAndPool)
struct OrderingTests {
  static let terms: [(SQLOrdering, order: String, reversed: String)] = [
    (y.sqlOrdering, #""year""#, #""year" DESC"#),
    (y.asc, #""year" ASC"#, #""year" DESC"#),
    (y.desc, #""year" DESC"#, #""year" ASC"#),
    (y.ascNullsLast, #""year" ASC NULLS LAST"#, #""year" DESC NULLS FIRST"#),
    (y.descNullsFirst, #""year" DESC NULLS FIRST"#, #""year" ASC NULLS LAST"#),
    (abs(y).sqlOrdering, #"ABS("year")"#, #"ABS("year") DESC"#),
    (SQL("year + 1").sqlExpression.sqlOrdering, "year + 1", "year + 1 DESC"),
    (
      t.collating(.nocase).desc, #""title" COLLATE NOCASE DESC"#, #""title" COLLATE NOCASE ASC"#
    ),
    (
      Author.select(count(id)).sqlOrdering, #"(SELECT COUNT("id") FROM "author")"#,
      #"(SELECT COUNT("id") FROM "author") DESC"#
    ),
  ]

  @Test(arguments: terms.indices)
  func `terms and their reverse`(index: Int) throws {
    let (term, order, reversed) = Self.terms[index]
    let prefix = #"SELECT * FROM "book" ORDER BY "#
    #expect(try sql(of: Book.order(term)).sql == prefix + order)
    #expect(try sql(of: Book.order(term).reversed()).sql == prefix + reversed)
    #expect(try sql(of: Book.order(term).reversed().reversed()).sql == prefix + order)
  }

  @Test(arguments: [
    RequestCase(Book.order(y, t.desc), #"SELECT * FROM "book" ORDER BY "year", "title" DESC"#),
    RequestCase(Book.order(y).order(t), #"SELECT * FROM "book" ORDER BY "title""#),
    RequestCase(Book.order(y).order([]), #"SELECT * FROM "book""#),
    RequestCase(Book.order { $0.year.desc }, #"SELECT * FROM "book" ORDER BY "year" DESC"#),
    RequestCase(
      Book.order { [$0.year.desc, $0.title] },
      #"SELECT * FROM "book" ORDER BY "year" DESC, "title""#),
    RequestCase(
      Book.order(sql: "title, ?", arguments: [1]), #"SELECT * FROM "book" ORDER BY title, ?"#, [1]),
    RequestCase(
      Book.order(literal: "title, \(1)"), #"SELECT * FROM "book" ORDER BY title, ?"#, [1]),
    RequestCase(Book.all().reversed(), #"SELECT * FROM "book""#),
    RequestCase(Book.order(y).reversed().order(t), #"SELECT * FROM "book" ORDER BY "title""#),
    RequestCase(Book.order(y).unordered(), #"SELECT * FROM "book""#),
    RequestCase(Book.orderByPrimaryKey(), #"SELECT * FROM "book" ORDER BY "id""#),
    RequestCase(
      Stock.orderByPrimaryKey().reversed(),
      #"SELECT * FROM "stock" ORDER BY "shop" DESC, "isbn" DESC"#),
    RequestCase(Note.orderByPrimaryKey(), #"SELECT * FROM "note" ORDER BY "rowid""#),
  ])
  func `the last order wins`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Book.order(y.desc).withStableOrder(), #"SELECT * FROM "book" ORDER BY "year" DESC, "id""#),
    RequestCase(Book.all().withStableOrder(), #"SELECT * FROM "book" ORDER BY "id""#),
    RequestCase(
      Book.order(y.desc).withStableOrder().reversed(),
      #"SELECT * FROM "book" ORDER BY "year" ASC, "id" DESC"#),
    RequestCase(
      Bestseller.select(y, t).withStableOrder(),
      #"SELECT "year", "title" FROM "bestseller" ORDER BY 1, 2"#),
    RequestCase(
      Stock.all().withStableOrder(), #"SELECT * FROM "stock" ORDER BY "shop", "isbn""#),
  ])
  func `stable order appends the primary key`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [Book.order(sql: "year"), Book.order(literal: "year"), Book.order(SQL("year"))])
  func `literals can't be reversed`(request: QueryInterfaceRequest<Book>) throws {
    #expect(
      try invalidity(of: sql(of: request.reversed()))
        == "Ordering literals can't be reversed. To resolve this error, order by expression literals "
        + #"instead. For example: order(SQL("(score + bonus)").sqlExpression)"#)
  }

  @Test func `rows are ordered`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.order(y.descNullsFirst).fetchAll(db).map(\.id) == [4, 3, 1, 2])
      #expect(try Book.order(y.ascNullsLast).fetchAll(db).map(\.id) == [2, 1, 3, 4])
      #expect(try Book.order(y).reversed().fetchOne(db)?.id == 3)
    }
  }
}
