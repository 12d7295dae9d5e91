import Quarry
import QuarryTestSupport
import Testing

/// 'Annotating a Request with Aggregates': values, and their names.
struct AnnotatingARequestWithAggregates {
  typealias Author = Studio.Author

  @Test func severalAggregates() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var bookCount: Int
      var maxBookYear: Int?
    }
    try Studio.make().read { db throws in
      let request = Author.annotated(
        with:
          Author.books.count,
        Author.books.max(Column("year")))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount", \
          MAX("book"."year") AS "maxBookYear" FROM "author" \(Studio.joinBook) \
          GROUP BY "author"."id"
          """)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(
        authorInfos == [
          AuthorInfo(author: Studio.arthur, bookCount: 3, maxBookYear: 2012),
          AuthorInfo(author: Studio.barbara, bookCount: 1, maxBookYear: 2009),
          AuthorInfo(author: Studio.craig, bookCount: 0, maxBookYear: nil),
          AuthorInfo(author: Studio.diana, bookCount: 0, maxBookYear: nil),
        ])
    }
  }

  /// The table of default names.
  static let defaultNames: [(AssociationAggregate<Author>, String)] = [
    (Author.books.isEmpty, "hasNoBook"),
    (Author.books.count, "bookCount"),
    (Author.books.min(Column("year")), "minBookYear"),
    (Author.books.max(Column("year")), "maxBookYear"),
    (Author.books.average(Column("price")), "averageBookPrice"),
    (Author.books.sum(Column("awards")), "bookAwardsSum"),
  ]

  @Test(arguments: defaultNames.indices) func defaultName(_ index: Int) throws {
    let (aggregate, name) = Self.defaultNames[index]
    try Studio.make().read { db throws in
      let row = try Row.fetchOne(db, Author.annotated(with: aggregate))
      #expect(row.map { Array($0.columnNames) } == ["id", "name", name])
    }
  }

  @Test func aggregatesThatAreModifiedLoseTheirName() throws {
    try Studio.make().read { db throws in
      let modified = [
        !Author.books.isEmpty, Author.books.count + 1, Author.books.count * 2, -Author.books.count,
      ]
      for aggregate in modified {
        let request = Author.annotated(with: aggregate)
        #expect(try !sql(of: request, in: db).sql.contains(" AS "))
      }
    }
  }

  @Test func namesAreGiven() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var numberOfBooks: Int
    }
    try Studio.make().read { db throws in
      let numberOfBooks = Author.books.count.forKey("numberOfBooks")  // <--
      let request = Author.annotated(with: numberOfBooks)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.numberOfBooks) == [3, 1, 0, 0])
    }
  }

  @Test func namesAreGivenToComparisons() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var hasBooks: Bool
    }
    try Studio.make().read { db throws in
      let hasBooks = (Author.books.isEmpty == false).forKey("hasBooks")  // <--
      let request = Author.annotated(with: hasBooks)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.hasBooks) == [true, true, false, false])
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, COUNT(DISTINCT "book"."id") > 0 AS "hasBooks" FROM "author" \
          \(Studio.joinBook) GROUP BY "author"."id"
          """)
    }
  }

  @Test func namesAreGivenToSums() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var workCount: Int
    }
    try Studio.make().read { db throws in
      let workCount = (Author.books.count + Author.paintings.count).forKey("workCount")  // <--
      let request = Author.annotated(with: workCount)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.workCount) == [3, 3, 1, 0])
    }
  }

  struct AuthorInfo: Decodable, FetchableRecord, Equatable {
    var author: Author
    var numberOfBooks: Int

    static func all() -> QueryInterfaceRequest<AuthorInfo> {
      let numberOfBooks = Author.books.count.forKey(CodingKeys.numberOfBooks)  // <--
      return
        Author
        .annotated(with: numberOfBooks)
        .asRequest(of: AuthorInfo.self)
    }
  }

  @Test func codingKeysAreAccepted() throws {
    try Studio.make().read { db throws in
      let authorInfos: [AuthorInfo] = try AuthorInfo.all().fetchAll(db)
      #expect(
        authorInfos == [
          AuthorInfo(author: Studio.arthur, numberOfBooks: 3),
          AuthorInfo(author: Studio.barbara, numberOfBooks: 1),
          AuthorInfo(author: Studio.craig, numberOfBooks: 0),
          AuthorInfo(author: Studio.diana, numberOfBooks: 0),
        ])
    }
  }
}
