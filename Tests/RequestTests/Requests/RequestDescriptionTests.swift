import Quarry
import QuarryTestSupport
import Testing

struct RequestDescriptionTests {
  private let recent = Book.filter(Book.Columns.year > 2000).order(Book.Columns.title)

  @Test func `a printed request is its SQL with its arguments`() {
    #expect("\(recent)" == #"SELECT * FROM "book" WHERE "year" > ? ORDER BY "title" [2000]"#)
    #expect("\(Table("book").select(Book.Columns.id))" == #"SELECT "id" FROM "book""#)
  }

  @Test func `a printed SQLRequest is its SQL with its arguments`() {
    let year = 1974
    #expect(
      "\(SQLRequest<Row>("SELECT * FROM book WHERE year = \(year)"))"
        == "SELECT * FROM book WHERE year = ? [1974]")
  }

  @Test func `a printed compound has the SQL of its members`() {
    let ids = Author.select(Author.Columns.id, as: Int64.self)
      .union(Publisher.select(Column("id"), as: Int64.self))
    #expect(
      "\(ids)" == #"SELECT "id" FROM "author" UNION SELECT "id" FROM "publisher""#)
  }

  @Test func `a request whose SQL depends on the schema is printed in short`() {
    #expect("\(Book.including(required: Book.author))" == #"SELECT … FROM "book" …"#)
    #expect(
      "\(Book.joining(required: Book.author).union(Book.all()))"
        == "SELECT … UNION, INTERSECT or EXCEPT SELECT …")
  }

  @Test func `the SQL of a request has its arguments as literals`() throws {
    try SharedBookshop.read { db in
      try #expect(
        recent.including(required: Book.author).sql(db) == """
          SELECT "book".*, "author".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId" \
          WHERE "book"."year" > 2000 ORDER BY "book"."title"
          """)
      try #expect(
        SQLRequest<Row>(sql: "SELECT ?, :name", arguments: [1, "it's"]).sql(db)
          == "SELECT 1, 'it''s'")
      try #expect(Author.filter(key: 2).sql(db) == #"SELECT * FROM "author" WHERE "id" = 2"#)
    }
  }

  @Test func `the SQL of an invalid request throws`() throws {
    _ = try SharedBookshop.read { db in
      #expect(throws: InvalidRequest.self) { try Stock.filter(key: 1).sql(db) }
    }
  }
}
