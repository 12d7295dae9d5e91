import QuarryTestSupport
import Testing

@testable import Quarry

// Requests composed of small blocks, as applications write them.

extension DerivableRequest where RowDecoder == Author {
  fileprivate func filter(country: String) -> Self {
    filter(Column("country") == country)
  }

  fileprivate func orderedByName() -> Self {
    order(Column("name").collating(.nocase))
  }
}

extension DerivableRequest where RowDecoder == Book {
  fileprivate func filter(authorCountry: String) -> Self {
    joining(required: Book.author.filter(country: authorCountry))
  }

  fileprivate func orderedByAuthorNameAndYear() -> Self {
    let author = TableAlias<Author>()
    return joining(optional: Book.author.aliased(author))
      .order(author[Column("name")].collating(.nocase), Column("year"))
  }
}

private let joinedAuthor = #"JOIN "author" ON "author"."id" = "book"."authorId""#
private let inFrance =
  #"JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)"#

/// Refining requests: what several uses of one association amount to, clause by clause.
@Suite(.onQueueAndPool)
struct RefiningTests {
  private static let author = Book.author

  @Test(arguments: [
    // Filters: all of them, of records and of keys.
    RequestCase(
      Book.joining(required: author.filter(Column("country") == "FR"))
        .joining(optional: author.filter(key: 1)),
      """
      SELECT "book".* FROM "book" JOIN "author" ON ("author"."id" = "book"."authorId") \
      AND ("author"."country" = ?) AND ("author"."id" = ?)
      """, ["FR", 1]),
    // Stable and reversed orders go with the order.
    RequestCase(
      Book.joining(required: author.order(Column("name")).reversed())
        .joining(required: author.withStableOrder()),
      #"SELECT "book".* FROM "book" \#(joinedAuthor) ORDER BY "author"."id""#),
    RequestCase(
      Book.joining(required: author.order(Column("id")))
        .joining(required: author.order(Column("name")).reversed()),
      #"SELECT "book".* FROM "book" \#(joinedAuthor) ORDER BY "author"."name" DESC"#),
    // Selections: the last one, annotations included.
    RequestCase(
      Book.including(required: author.annotated(with: Column("id").forKey("a")))
        .including(required: author.select(Column("name"))),
      #"SELECT "book".*, "author"."name" FROM "book" \#(joinedAuthor)"#),
    // Annotations of the main request refer to the one join.
    RequestCase(
      Book.annotated(withOptional: author.select(Column("name").forKey("n")))
        .including(required: author.select(Column("id"))),
      #"SELECT "book".*, "author"."name" AS "n", "author"."id" FROM "book" \#(joinedAuthor)"#),
    // Nested joins: those of both, the old ones first.
    RequestCase(
      Book.joining(required: author.joining(optional: Author.books))
        .joining(optional: author.joining(required: Author.books.filter(Column("year") > 1))),
      """
      SELECT "book1".* FROM "book" "book1" JOIN "author" ON "author"."id" = "book1"."authorId" \
      JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") AND ("book2"."year" > ?)
      """, [1]),
    // Another key is another join.
    RequestCase(
      Book.joining(required: author).joining(optional: author.forKey("writer")),
      """
      SELECT "book".* FROM "book" JOIN "author" "author1" ON "author1"."id" = "book"."authorId" \
      LEFT JOIN "author" "author2" ON "author2"."id" = "book"."authorId"
      """),
  ])
  func `clauses`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    RequestCase(
      Author.all().filter(country: "FR").orderedByName(),
      #"SELECT * FROM "author" WHERE "country" = ? ORDER BY "name" COLLATE NOCASE"#, ["FR"]),
    RequestCase(
      Book.all().filter(authorCountry: "FR"), #"SELECT "book".* FROM "book" \#(inFrance)"#,
      ["FR"]),
    RequestCase(
      Book.all().filter(authorCountry: "FR").orderedByAuthorNameAndYear()
        .including(required: Book.author),
      """
      SELECT "book".*, "author".* FROM "book" \(inFrance) \
      ORDER BY "author"."name" COLLATE NOCASE, "book"."year"
      """, ["FR"]),
    RequestCase(
      Review.joining(required: Review.book.filter(authorCountry: "FR")),
      """
      SELECT "review".* FROM "review" JOIN "book" ON "book"."id" = "review"."bookId" \(inFrance)
      """, ["FR"]),
    RequestCase(
      Book.including(required: Book.author.orderedByName().filter(country: "IT")),
      """
      SELECT "book".*, "author".* FROM "book" \(inFrance) ORDER BY "author"."name" COLLATE NOCASE
      """, ["IT"]),
  ])
  func `extensions compose`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `composed rows`() throws {
    struct Info: Decodable, FetchableRecord {
      var book: Book
      var author: Author
    }
    let database = try makeBookshopDatabase()
    let infos = try database.read { db in
      try Book.all().filter(authorCountry: "FR").orderedByAuthorNameAndYear()
        .including(required: Book.author).asRequest(of: Info.self).fetchAll(db)
    }
    #expect(infos.map(\.book.id) == [2, 1])
    #expect(infos.map(\.author.name) == ["Ursula Vernet", "Ursula Vernet"])
  }

  /// The default order of an association, and how to escape it.
  @Test func `ordered associations`() throws {
    let books = Author.books.order(Column("title"))
    let reviews = Author.hasMany(Review.self, through: books, using: Book.reviews)
    let author = Author(id: 1)
    let cases: [(any SQLSubqueryable, String)] = [
      (author.request(for: books), #" ORDER BY "title""#),
      (author.request(for: books).order(Column("year")), #" ORDER BY "year""#),
      (author.request(for: books).unordered(), #""authorId" = ?"#),
      (author.request(for: books.order(Column("year").desc)), #" ORDER BY "year" DESC"#),
      (author.request(for: reviews), #" ORDER BY "book"."title""#),
      (
        author.request(for: reviews).order(Column("score")),
        #" ORDER BY "review"."score", "book"."title""#
      ),
      (author.request(for: reviews).unordered(), #"("book"."authorId" = ?)"#),
      (author.request(for: reviews.unordered()), #"("book"."authorId" = ?)"#),
      (author.request(for: reviews).reversed(), #" ORDER BY "book"."title" DESC"#),
      (Author.joining(required: reviews), #" ORDER BY "book"."title""#),
      (
        Author.joining(required: reviews.unordered()),
        #"JOIN "review" ON "review"."bookId" = "book"."id""#
      ),
    ]
    for (request, ending) in cases {
      #expect(try sql(of: request).sql.hasSuffix(ending))
    }
  }
}
