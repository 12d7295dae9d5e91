import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let score = Column("score")
private let author = Author(id: 1)
private let book = Book(id: 2, authorId: 1, publisherId: 3)

/// Requests for the associated records of a record.
@Suite(.onQueueAndPool)
struct RequestForTests {
  @Test(arguments: [
    RequestCase(
      author.request(for: Author.books), #"SELECT * FROM "book" WHERE "authorId" = ?"#, [1]),
    RequestCase(
      book.request(for: Book.author), #"SELECT * FROM "author" WHERE "id" = ?"#, [1]),
    RequestCase(
      author.request(for: Author.books.filter(y > 1)),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("authorId" = ?)"#, [1, 1]),
    RequestCase(
      author.request(for: Author.books.filter(y > 1)).filter(y < 9),
      #"SELECT * FROM "book" WHERE ("year" > ?) AND ("authorId" = ?) AND ("year" < ?)"#, [1, 1, 9]),
    RequestCase(
      Stock(shop: "north", isbn: "a").request(for: Stock.moves),
      #"SELECT * FROM "stockMove" WHERE ("shop" = ?) AND ("isbn" = ?)"#, ["north", "a"]),
    RequestCase(
      StockMove(id: 1, shop: "north", isbn: "a").request(for: StockMove.stock),
      #"SELECT * FROM "stock" WHERE ("shop" = ?) AND ("isbn" = ?)"#, ["north", "a"]),
    RequestCase(
      StockMove(id: 1, shop: "north").request(for: StockMove.stock),
      #"SELECT * FROM "stock" WHERE ?"#, [false]),
    RequestCase(
      Book(id: 1).request(for: Book.author), #"SELECT * FROM "author" WHERE ?"#, [false]),
    RequestCase(
      Employee(id: 1, managerId: 2).request(for: Employee.manager),
      #"SELECT * FROM "employee" WHERE "id" = ?"#, [2]),
  ])
  func `direct associations`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      author.request(for: Author.reviews),
      """
      SELECT "review".* FROM "review" \
      JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" = ?)
      """, [1]),
    RequestCase(
      author.request(
        for: Author.hasMany(
          Review.self, through: Author.books.filter(y > 2000), using: Book.reviews
        )
        .filter(score > 3)),
      """
      SELECT "review".* FROM "review" JOIN "book" \
      ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) AND ("book"."authorId" = ?) \
      WHERE "review"."score" > ?
      """, [2000, 1, 3]),
    RequestCase(
      author.request(
        for: Author.hasMany(Book.self, through: Author.publishers, using: Publisher.books)),
      """
      SELECT "book1".* FROM "book" "book1" \
      JOIN "publisher" ON "publisher"."id" = "book1"."publisherId" \
      JOIN "book" "book2" \
      ON ("book2"."publisherId" = "publisher"."id") AND ("book2"."authorId" = ?)
      """, [1]),
    RequestCase(
      Review(id: 1, bookId: 2).request(for: Review.author),
      """
      SELECT "author".* FROM "author" \
      JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."id" = ?)
      """, [2]),
  ])
  func `indirect associations`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `requests for one record`() throws {
    #expect(
      try sql(of: book.request(for: Book.author), forSingleResult: true).sql
        == #"SELECT * FROM "author" WHERE "id" = ?"#)
    #expect(
      try sql(of: author.request(for: Author.oneBook), forSingleResult: true).sql
        == #"SELECT * FROM "book" WHERE "authorId" = ? LIMIT 1"#)
  }

  @Test func `associations without foreign key are refused`() throws {
    let cte = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")
    #expect(
      try invalidity(of: sql(of: author.request(for: Author.association(to: cte))))
        == "The request for the associated records of a record needs a foreign key: filter a request "
        + "by the values of the record instead")
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let author = try Author.find(db, key: 1)
      #expect(try author.request(for: Author.books).order(id).fetchAll(db).map(\.id) == [1, 2])
      #expect(
        try author.request(for: Author.reviews).order(id).fetchAll(db).map(\.id) == [1, 2])
      #expect(
        try author.request(for: Author.publishers).order(id).fetchAll(db).map(\.id) == [1, 2])
      let book = try Book.find(db, key: 3)
      #expect(try book.request(for: Book.author).fetchOne(db)?.id == 2)
      let anonymous = try Book.find(db, key: 4)
      #expect(try anonymous.request(for: Book.author).fetchOne(db) == nil)
      #expect(try anonymous.request(for: Book.author).fetchCount(db) == 0)
    }
  }
}
