import QuarryTestSupport
import Testing

@testable import Quarry

private let n = Column("name")
private let y = Column("year")
private let score = Column("score")

/// Indirect associations.
struct ThroughAssociationTests {
  @Test(arguments: [
    RequestCase(
      Review.including(optional: Review.author),
      """
      SELECT "review".*, "author".* FROM "review" \
      LEFT JOIN "book" ON "book"."id" = "review"."bookId" \
      LEFT JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Review.joining(required: Review.author),
      """
      SELECT "review".* FROM "review" JOIN "book" ON "book"."id" = "review"."bookId" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    // The pivot is included by its own key.
    RequestCase(
      Author.including(required: Author.books).including(required: Author.reviews),
      """
      SELECT "author".*, "book".*, "review".* FROM "author" \
      JOIN "book" ON "book"."authorId" = "author"."id" \
      JOIN "review" ON "review"."bookId" = "book"."id"
      """),
    // Two associations through the same pivot.
    RequestCase(
      Author.joining(optional: Author.publishers).joining(optional: Author.reviews),
      """
      SELECT "author".* FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
      LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
      LEFT JOIN "review" ON "review"."bookId" = "book"."id"
      """),
  ])
  func `pivots are joined`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `filters stay at their step`() throws {
    let books = Author.books.filter(y > 2000).order(y)
    let reviews = Author.hasMany(Review.self, through: books, using: Book.reviews)
    #expect(
      try sql(of: Author.including(required: reviews.filter(score > 3).order(score)))
        == RenderedSQL(
          """
          SELECT "author".*, "review".* FROM "author" \
          JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."year" > ?) \
          JOIN "review" ON ("review"."bookId" = "book"."id") AND ("review"."score" > ?) \
          ORDER BY "book"."year", "review"."score"
          """, [2000, 3]))
  }

  @Test func `chains expand to all their steps`() throws {
    let siblings = Author.hasMany(
      Book.self, through: Author.publishers, using: Publisher.books, key: "siblings")
    #expect(
      try sql(of: Author.joining(required: siblings)).sql == """
        SELECT "author".* FROM "author" \
        JOIN "book" "book1" ON "book1"."authorId" = "author"."id" \
        JOIN "publisher" ON "publisher"."id" = "book1"."publisherId" \
        JOIN "book" "book2" ON "book2"."publisherId" = "publisher"."id"
        """)
  }
}
