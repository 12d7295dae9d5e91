import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let t = Column("title")
private let y = Column("year")
private let noColumns: [any SQLSelectable & Sendable] = []

/// Joins.
struct JoinTests {
  @Test(arguments: [
    RequestCase(
      Book.including(required: Book.author),
      """
      SELECT "book".*, "author".* FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.including(optional: Book.author),
      """
      SELECT "book".*, "author".* FROM "book" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.joining(required: Book.author),
      """
      SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.joining(optional: Book.author),
      """
      SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Author.including(required: Author.books),
      """
      SELECT "author".*, "book".* FROM "author" \
      JOIN "book" ON "book"."authorId" = "author"."id"
      """),
  ])
  func `methods`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `filters of associations are in the condition`() throws {
    let author = Book.author.filter(n == "A").filter(id > 2)
    #expect(
      try sql(of: Book.including(optional: author).filter(y == 2000))
        == RenderedSQL(
          """
          SELECT "book".*, "author".* FROM "book" LEFT JOIN "author" \
          ON ("author"."id" = "book"."authorId") AND ("author"."name" = ?) AND ("author"."id" > ?) \
          WHERE "book"."year" = ?
          """, ["A", 2, 2000]))
    #expect(
      try sql(of: Book.joining(optional: Book.author.none()))
        == RenderedSQL(
          """
          SELECT "book".* FROM "book" \
          LEFT JOIN "author" ON ("author"."id" = "book"."authorId") AND ?
          """, [false]))
    #expect(
      try sql(of: Book.joining(required: Book.author.filter(key: 1)))
        == RenderedSQL(
          """
          SELECT "book".* FROM "book" \
          JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" = ?)
          """, [1]))
  }

  @Test func `interpolated columns are qualified`() throws {
    let author = Book.author.filter(SQL("\(n) = \("x") OR id > 1"))
    #expect(
      try sql(of: Book.joining(required: author))
        == RenderedSQL(
          """
          SELECT "book".* FROM "book" JOIN "author" \
          ON ("author"."id" = "book"."authorId") AND ("author"."name" = ? OR id > 1)
          """, ["x"]))
  }

  @Test func `joins are written depth first`() throws {
    let book = Review.book.including(required: Book.author).including(optional: Book.publisher)
    #expect(
      try sql(of: Review.including(required: book)).sql == """
        SELECT "review".*, "book".*, "author".*, "publisher".* FROM "review" \
        JOIN "book" ON "book"."id" = "review"."bookId" \
        JOIN "author" ON "author"."id" = "book"."authorId" \
        LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId"
        """)
  }

  @Test(arguments: [
    RequestCase(
      Book.select(t).including(required: Book.author.select(n)),
      """
      SELECT "book"."title", "author"."name" FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.including(required: Book.author.annotated(with: n.forKey("nn"))),
      """
      SELECT "book".*, "author".*, "author"."name" AS "nn" FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.including(required: Book.author.select(noColumns)),
      """
      SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.including(required: Book.author.select(.allColumns(excluding: ["name"]))),
      """
      SELECT "book".*, "author"."id", "author"."country", "author"."birthYear" FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
  ])
  func `selections`(_ test: RequestCase) throws {
    try test.check()
  }

  private static let byAuthor = Book.including(required: Book.author.order(n.desc))

  @Test(arguments: [
    (byAuthor.order(t), #""book"."title", "author"."name" DESC"#),
    (byAuthor, #""author"."name" DESC"#),
    (byAuthor.order(t).order(y), #""book"."year", "author"."name" DESC"#),
    (byAuthor.order(t).reversed(), #""book"."title" DESC, "author"."name" ASC"#),
    (
      Book.order(t).reversed().including(required: Book.author.order(n.desc)),
      #""book"."title" DESC, "author"."name" ASC"#
    ),
    (byAuthor.order(t).reversed().order(y), #""book"."year", "author"."name" DESC"#),
    (
      Book.order(t).including(required: Book.author.order(n).reversed()),
      #""book"."title", "author"."name" DESC"#
    ),
    (
      Book.order(t).including(required: Book.author.order(n).reversed()).reversed(),
      #""book"."title" DESC, "author"."name""#
    ),
    (
      byAuthor.order(t).withStableOrder(),
      #""book"."title", "book"."id", "author"."name" DESC, "author"."id""#
    ),
    (
      byAuthor.order(t.asc).withStableOrder().reversed(),
      #""book"."title" DESC, "book"."id" DESC, "author"."name" ASC, "author"."id" DESC"#
    ),
  ])
  func `orderings`(_ request: QueryInterfaceRequest<Book>, expected: String) throws {
    #expect(
      try sql(of: request).sql == """
        SELECT "book".*, "author".* FROM "book" \
        JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY \(expected)
        """)
  }

  @Test func `unordered requests have unordered associations`() throws {
    let request = Review.order(id)
      .joining(required: Review.book.order(t).joining(optional: Book.author.order(n)))
      .unordered()
    #expect(try !sql(of: request).sql.contains("ORDER BY"))
  }

  @Test(arguments: [
    (Book.joining(required: Book.author.distinct()), "that selects DISTINCT rows"),
    (Book.including(optional: Book.author.group(n)), "with a GROUP BY clause"),
    (
      Book.joining(required: Book.author.annotated(with: Author.books.count)),
      "with a GROUP BY clause"
    ),
    (Book.joining(required: Book.author.having(n == "")), "with a HAVING clause"),
  ])
  func `some associations cannot be joined`(
    _ request: QueryInterfaceRequest<Book>, obstacle: String
  ) throws {
    #expect(
      try invalidity(of: sql(of: request))
        == "An association \(obstacle) can't be joined: join a common table expression instead")
  }

  @Test func `keys name associations`() {
    func keys(_ association: some Association) -> [String] {
      let key = association._association.destination.key
      return [key.singular, key.plural]
    }
    #expect(keys(Book.author) == ["author", "authors"])
    #expect(keys(Author.books) == ["book", "books"])
    #expect(keys(Author.reviews) == ["review", "reviews"])
    #expect(keys(Book.author.forKey("writer")) == ["writer", "writers"])
    #expect(keys(Author.books.forKey("novels")) == ["novel", "novels"])
    #expect(keys(Book.belongsTo(Author.self, key: "person")) == ["person", "people"])
    #expect(keys(Author.hasMany(Book.self, key: "novels")) == ["novel", "novels"])
    #expect(keys(Author.hasOne(Book.self, key: "novel")) == ["novel", "novels"])
    #expect(keys(Review.author.forKey(Key.writer)) == ["writer", "writers"])
    #expect(
      keys(
        Author.hasMany(
          Review.self, through: Author.books, using: Book.reviews, key: "opinions"))
        == ["opinion", "opinions"])
  }

  private enum Key: CodingKey {
    case writer
  }

  @Test func `annotations`() throws {
    #expect(
      try sql(of: Book.annotated(withOptional: Book.author.select(n.forKey("authorName")))).sql
        == """
        SELECT "book".*, "author"."name" AS "authorName" FROM "book" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(
        of: Book.annotated(withRequired: Book.author.select(n)).including(optional: Book.author)
      ).sql == """
        SELECT "book".*, "author"."name", "author".* FROM "book" \
        JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(of: Review.annotated(withOptional: Review.author)).sql == """
        SELECT "review".*, "author".* FROM "review" \
        LEFT JOIN "book" ON "book"."id" = "review"."bookId" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """)
  }

  @Test func `annotations that are known with a connection`() throws {
    let name = Book.author.selectWhenConnected { _ in [n] }
    let text = try makeBookshopDatabase().read { db in
      try sql(of: Book.annotated(withRequired: name), in: db).sql
    }
    #expect(
      text == """
        SELECT "book".*, "author"."name" FROM "book" \
        JOIN "author" ON "author"."id" = "book"."authorId"
        """)
  }

  @Test func `tables without record type have associations`() throws {
    let books = Table<Book>("book")
    let authors = Table<Author>("author")
    let author = books.belongsTo(authors)
    let someBooks = authors.hasMany(books)
    let reviews = authors.hasMany(Review.self, through: someBooks, using: Book.reviews)
    #expect(
      try sql(of: books.including(required: author)).sql == """
        SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(of: authors.joining(optional: reviews)).sql == """
        SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
        LEFT JOIN "review" ON "review"."bookId" = "book"."id"
        """)
    #expect(
      try sql(of: authors.annotated(with: someBooks.count)).sql == """
        SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
        LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id"
        """)
  }
}
