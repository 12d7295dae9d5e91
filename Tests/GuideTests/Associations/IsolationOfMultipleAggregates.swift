import Quarry
import QuarryTestSupport
import Testing

/// 'Isolation of Multiple Aggregates': as many association keys as there are populations.
struct IsolationOfMultipleAggregates {
  typealias Author = Studio.Author

  @Test func onePopulation() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var minBookYear: Int?
      var maxBookYear: Int?
    }
    try Studio.make().read { db throws in
      let request = Author.annotated(
        with:
          Author.books.min(Column("year")),  // association key "books"
        Author.books.max(Column("year")))  // association key "books"
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, MIN("book"."year") AS "minBookYear", \
          MAX("book"."year") AS "maxBookYear" FROM "author" \
          \(Studio.joinBook) GROUP BY "author"."id"
          """)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(
        authorInfos == [
          AuthorInfo(author: Studio.arthur, minBookYear: 1998, maxBookYear: 2012),
          AuthorInfo(author: Studio.barbara, minBookYear: 2009, maxBookYear: 2009),
          AuthorInfo(author: Studio.craig, minBookYear: nil, maxBookYear: nil),
          AuthorInfo(author: Studio.diana, minBookYear: nil, maxBookYear: nil),
        ])
    }
  }

  @Test func twoAssociations() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var workCount: Int
    }
    try Studio.make().read { db throws in
      let aggregate =
        Author.books.count  // association key "books"
        + Author.paintings.count  // association key "paintings"
      let request = Author.annotated(with: aggregate.forKey("workCount"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, \
          COUNT(DISTINCT "book"."id") + COUNT(DISTINCT "painting"."id") AS "workCount" \
          FROM "author" \(Studio.joinBook) \(Studio.joinPainting) GROUP BY "author"."id"
          """)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.author.name) == ["Arthur", "Barbara", "Craig", "Diana"])
      #expect(authorInfos.map(\.workCount) == [3, 3, 1, 0])
    }
  }

  struct AuthorInfo: Decodable, FetchableRecord, Equatable {
    var author: Author
    var novelCount: Int
    var theatrePlayCount: Int
  }

  @Test func twoPopulationsOfOneAssociation() throws {
    try Studio.make().read { db throws in
      let novelCount = Author.books
        .filter(Column("kind") == "novel")
        .forKey("novels")  // association key "novels"
        .count
      let theatrePlayCount = Author.books
        .filter(Column("kind") == "theatrePlay")
        .forKey("theatrePlays")  // association key "theatrePlays"
        .count
      let request = Author.annotated(with: novelCount, theatrePlayCount)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "author".*, COUNT(DISTINCT "book1"."id") AS "novelCount", \
            COUNT(DISTINCT "book2"."id") AS "theatrePlayCount" FROM "author" \
            LEFT JOIN "book" "book1" \
            ON ("book1"."authorId" = "author"."id") AND ("book1"."kind" = ?) \
            LEFT JOIN "book" "book2" \
            ON ("book2"."authorId" = "author"."id") AND ("book2"."kind" = ?) \
            GROUP BY "author"."id"
            """, ["novel", "theatrePlay"]))
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(
        authorInfos == [
          AuthorInfo(author: Studio.arthur, novelCount: 2, theatrePlayCount: 0),
          AuthorInfo(author: Studio.barbara, novelCount: 0, theatrePlayCount: 1),
          AuthorInfo(author: Studio.craig, novelCount: 0, theatrePlayCount: 0),
          AuthorInfo(author: Studio.diana, novelCount: 0, theatrePlayCount: 0),
        ])
    }
  }

  static func sharedKey() -> QueryInterfaceRequest<Author> {
    // WRONG: not counting distinct sets of associated books
    let novelCount = Author.books  // association key "books"
      .filter(Column("kind") == "novel")
      .count
      .forKey("novelCount")
    let theatrePlayCount = Author.books  // association key "books"
      .filter(Column("kind") == "theatrePlay")
      .count
      .forKey("theatrePlayCount")
    return Author.annotated(with: novelCount, theatrePlayCount)
  }

  /// What the guide documents: one join with both conditions.
  @Test func twoPopulationsWithASharedKey() throws {
    try Studio.make().read { db throws in
      let request = Self.sharedKey()
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "author".*, COUNT(DISTINCT "book"."id") AS "novelCount", \
            COUNT(DISTINCT "book"."id") AS "theatrePlayCount" FROM "author" \
            LEFT JOIN "book" ON ("book"."authorId" = "author"."id") \
            AND ("book"."kind" = ?) AND ("book"."kind" = ?) GROUP BY "author"."id"
            """, ["novel", "theatrePlay"]))
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.novelCount) == [0, 0, 0, 0])
      #expect(authorInfos.map(\.theatrePlayCount) == [0, 0, 0, 0])
    }
  }

  /// What the guide does not have: the library can say so.
  @Test func aSharedKeyIsRefused() throws {
    var configuration = Configuration()
    configuration.conflictingAggregates = .refused
    let dbQueue = try DatabaseQueue(configuration: configuration)
    try dbQueue.write { db throws in
      try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT)")
      try db.execute(
        sql: """
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), kind TEXT)
          """)
      let error = errorText { try Self.sharedKey().fetchAll(db) }
      #expect(error?.contains(#"Aggregates share the association key "book""#) == true)
      let one = Author.annotated(with: Author.books.count, Author.books.max(Column("id")))
      #expect(try one.fetchAll(db).isEmpty)
    }
  }
}
