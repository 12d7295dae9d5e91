import Quarry
import QuarryTestSupport
import Testing

/// 'Filtering a Request with Aggregates'.
struct FilteringARequestWithAggregates {
  typealias Author = Studio.Author

  /// A question, its request and its SQL, and the names of the authors who answer.
  struct Question: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: QueryInterfaceRequest<Author>
    let sql: String
    var arguments: StatementArguments = []
    let names: [String]
  }

  static let novels = Author.books.filter(Column("kind") == "novel")

  static let from = #"SELECT "author".* FROM "author""#
  static let group = #"GROUP BY "author"."id" HAVING"#
  static let books = #"COUNT(DISTINCT "book"."id")"#
  static let paintings = #"COUNT(DISTINCT "painting"."id")"#

  static let questions = [
    Question(
      testDescription: "Authors who did not write any book",
      request: Author.having(Author.books.isEmpty),
      sql: "\(from) \(Studio.joinBook) \(group) \(books) = 0",
      names: ["Craig", "Diana"]),
    Question(
      testDescription: "Authors who wrote at least one book",
      request: Author.having(Author.books.isEmpty == false),
      sql: "\(from) \(Studio.joinBook) \(group) \(books) > 0",
      names: ["Arthur", "Barbara"]),
    Question(
      testDescription: "Authors who wrote at least two books",
      request: Author.having(Author.books.count >= 2),
      sql: "\(from) \(Studio.joinBook) \(group) \(books) >= ?",
      arguments: [2],
      names: ["Arthur"]),
    Question(
      testDescription: "Authors who wrote at least one book after 2010",
      request: Author.having(Author.books.max(Column("year")) >= 2010),
      sql: #"\#(from) \#(Studio.joinBook) \#(group) MAX("book"."year") >= ?"#,
      arguments: [2010],
      names: ["Arthur"]),
    Question(
      testDescription: "Authors who wrote at least one book of kind \"novel\"",
      request: Author.having(novels.isEmpty == false),
      sql: """
        \(from) LEFT JOIN "book" \
        ON ("book"."authorId" = "author"."id") AND ("book"."kind" = ?) \(group) \(books) > 0
        """,
      arguments: ["novel"],
      names: ["Arthur"]),
    Question(
      testDescription: "Authors who wrote more books than they made paintings",
      request: Author.having(Author.books.count > Author.paintings.count),
      sql: "\(from) \(Studio.joinBook) \(Studio.joinPainting) \(group) \(books) > \(paintings)",
      names: ["Arthur"]),
    Question(
      testDescription: "Authors who wrote no book, but made at least one painting",
      request: Author.having(Author.books.isEmpty && !Author.paintings.isEmpty),
      sql: """
        \(from) \(Studio.joinBook) \(Studio.joinPainting) \
        \(group) (\(books) = 0) AND (\(paintings) > 0)
        """,
      names: ["Craig"]),
  ]

  @Test(arguments: questions) func answers(_ question: Question) throws {
    try Studio.make().read { db throws in
      #expect(
        try sql(of: question.request, in: db)
          == RenderedSQL(question.sql, question.arguments))
      #expect(try question.request.fetchAll(db).map(\.name) == question.names)
    }
  }

  @Test func conditionsAddUp() throws {
    try Studio.make().read { db throws in
      let request = Author.having(Author.books.count >= 1).having(Author.paintings.isEmpty)
      #expect(try request.fetchAll(db).map(\.name) == ["Arthur"])
      #expect(
        try sql(of: request, in: db).sql == """
          \(Self.from) \(Studio.joinBook) \(Studio.joinPainting) \
          \(Self.group) (\(Self.books) >= ?) AND (\(Self.paintings) = 0)
          """)
    }
  }
}
