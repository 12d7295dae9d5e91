import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let score = Column("score")
private let y = Column("year")
private let n = Column("name")

/// Required children of an optional join, whose conditions refer to their siblings.
@Suite(.onQueueAndPool)
struct ExistenceConditionTests {
  private let publisher = TableAlias<Publisher>()

  /// Reviews, with their book if its author has the letters of its publisher.
  private func request(_ book: BelongsToAssociation<Review, Book>) -> QueryInterfaceRequest<Review>
  {
    let author = Book.author.filter(Column("country") != publisher[Column("city")])
    return Review.including(optional: book.including(required: author)).order(id)
  }

  @Test func `siblings are tested together`() throws {
    let request = request(Review.book.including(optional: Book.publisher.aliased(publisher)))
    #expect(
      try sql(of: request).sql == """
        SELECT "review".*, "book".*, "publisher".*, "author".* FROM "review" \
        LEFT JOIN "book" ON ("book"."id" = "review"."bookId") AND (EXISTS (\
        SELECT 1 FROM (SELECT 1) \
        LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
        JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND ("author"."country" <> "publisher"."city"))) \
        LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
        LEFT JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND ("author"."country" <> "publisher"."city") \
        WHERE ("book"."id" IS NULL) OR ("author"."id" IS NOT NULL) ORDER BY "review"."id"
        """)
  }

  @Test func `groups behind the tests are those of the main source`() throws {
    let request = request(Review.book.including(optional: Book.publisher.aliased(publisher)))
      .group(score).having(score > 1)
    #expect(
      try sql(of: request).sql.hasSuffix(
        """
        WHERE ("book"."id" IS NULL) OR ("author"."id" IS NOT NULL) \
        GROUP BY "review"."score" HAVING "review"."score" > ? ORDER BY "review"."id"
        """))
  }

  @Test func `required siblings`() throws {
    let request = request(Review.book.joining(required: Book.publisher.aliased(publisher)))
      .filter(id > 0)
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "review".*, "book".*, "author".* FROM "review" \
          LEFT JOIN "book" ON ("book"."id" = "review"."bookId") AND (EXISTS (\
          SELECT 1 FROM (SELECT 1) JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
          JOIN "author" ON ("author"."id" = "book"."authorId") \
          AND ("author"."country" <> "publisher"."city"))) \
          LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
          LEFT JOIN "author" ON ("author"."id" = "book"."authorId") \
          AND ("author"."country" <> "publisher"."city") \
          WHERE ("review"."id" > ?) AND (("book"."id" IS NULL) OR ("publisher"."id" IS NOT NULL)) \
          AND (("book"."id" IS NULL) OR ("author"."id" IS NOT NULL)) ORDER BY "review"."id"
          """, [0]))
  }

  /// To-many siblings: a combination counts, not each sibling alone.
  @Test(arguments: [true, false])
  func `the rows are those of a group`(_ isRequired: Bool) throws {
    let database = try makeBookshopDatabase()
    let left = TableAlias<Book>()
    let books = Author.books.forKey("left").aliased(left).select(id)
    let others = Author.books.forKey("right").filter(y > left[y]).select(id)
    let author =
      isRequired
      ? Book.author.select(id).including(required: books).including(required: others)
      : Book.author.select(id).including(optional: books).including(required: others)
    let request = Book.select(id).including(optional: author).order(id)
    try database.write { db throws in
      try db.execute(
        sql: """
          INSERT INTO book VALUES (5, 'x', 1980, 1, 1, 1), (6, 'y', 1990, 1, 3, 2);
          """)
      let kind = isRequired ? "" : "LEFT"
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT b.id, a.id, l.id, r.id FROM book b
          LEFT JOIN (author a \(kind) JOIN book l ON l.authorId = a.id
            JOIN book r ON r.authorId = a.id AND r.year > l.year)
          ON a.id = b.authorId ORDER BY b.id, l.id, r.id
          """
      ).map { Array($0.databaseValues).map(\.description) }
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
        .map { Array($0.unadapted.databaseValues).map(\.description) }
      #expect(Set(rows) == Set(expected))
      #expect(rows.count == expected.count)
      #expect(rows.contains(["4", "NULL", "NULL", "NULL"]))
    }
  }

  @Test func `nested required sources are tested together`() throws {
    let database = try makeBookshopDatabase()
    let publisher = TableAlias<Publisher>()
    let reviews = Book.reviews.filter(Column("score") > publisher[id] + 2).select(id)
    let book = Review.book.select(id)
      .including(required: Book.publisher.aliased(publisher).select(id))
      .including(
        required: Book.author.select(id).including(
          required: Author.books.forKey("b").select(id)
            .including(required: reviews)))
    let request = Review.select(id).including(optional: book).order(id)
    try database.read { db throws in
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT r.id, b.id, p.id, a.id, b2.id, r2.id FROM review r
          LEFT JOIN (book b JOIN publisher p ON p.id = b.publisherId
            JOIN author a ON a.id = b.authorId JOIN book b2 ON b2.authorId = a.id
            JOIN review r2 ON r2.bookId = b2.id AND r2.score > p.id + 2)
          ON b.id = r.bookId ORDER BY r.id
          """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { Array($0.unadapted.databaseValues) } == expected.map { Array($0.databaseValues) }
      )
    }
  }

  @Test func `prefetches whose joins refer to pivots`() throws {
    let book = TableAlias<Book>()
    let reviews = Author.hasMany(
      Review.self, through: Author.books.aliased(book),
      using: Review.tops.filter(Column("id") > 0))
    let others = reviews.including(
      optional: Review.book.forKey("same").filter(id == book[id]))
    let database = try makeBookshopDatabase()
    let rows = try database.read { db in
      try Author.order(id).including(all: others).asRequest(of: Row.self).fetchAll(db)
    }
    #expect(
      rows.map { $0.prefetchedRows["reviews"]?.map { $0.scopes["same"]?["id"] as Int? } }
        == [[1, 1], [3], []])
  }
}

extension Review {
  fileprivate static let tops = Book.hasMany(Review.self)
}
