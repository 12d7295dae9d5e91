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

  /// SQLite writes 15 digits of doubles, `Inf`, and texts up to their first NUL character.
  @Test func `the literals are the arguments, to their last digit and character`() throws {
    let sum = 0.1 + 0.2
    let arguments: StatementArguments = [sum, -Double.infinity] + ["text": "a\0b"]
    let request = SQLRequest<Row>(
      sql: "SELECT ?, /* ? */ ?1 || '?', :text, -?", arguments: arguments)
    try SharedBookshop.read { db in
      let text = try request.sql(db)
      let literal = sum.databaseValue.sqlLiteral
      #expect(
        text == "SELECT \(literal), /* ? */ \(literal) || '?', ('a' || char(0) || 'b'), "
          + "- -9.0e+999")
      let found = try Row.fetchOne(db, sql: text).map { Array($0.databaseValues) }
      let expected = try request.fetchOne(db).map { Array($0.databaseValues) }
      #expect(found == expected)
      #expect(found?.first == sum.databaseValue)
      let priced = try Book.filter(Book.Columns.price == sum).sql(db)
      #expect(priced == #"SELECT * FROM "book" WHERE "price" = "# + literal)
      let usual = try Book.filter(Book.Columns.price == 0.3).sql(db)
      #expect(usual == #"SELECT * FROM "book" WHERE "price" = 0.3"#)
    }
  }

  @Test func `parameters that differ in their prefix only have their own literals`() throws {
    let request = SQLRequest<Row>(
      sql: "SELECT :a, @a, $a, :a", arguments: [Double.infinity, 2, 3])
    let text = try SharedBookshop.read { try request.sql($0) }
    #expect(text == "SELECT 9.0e+999, 2, 3, 9.0e+999")
  }

  @Test func `the SQL of an invalid request throws`() throws {
    _ = try SharedBookshop.read { db in
      #expect(throws: InvalidRequest.self) { try Stock.filter(key: 1).sql(db) }
    }
  }
}
