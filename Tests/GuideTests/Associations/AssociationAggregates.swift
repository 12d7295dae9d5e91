import Quarry
import QuarryTestSupport
import Testing

/// 'Association Aggregates': from a single record, and from several records.
struct AssociationAggregates {
  typealias Author = Studio.Author
  typealias Book = Studio.Book

  @Test func fromASingleRecord() throws {
    let author = Studio.arthur
    let yearColumn = Column("year")
    try Studio.make().read { db throws in
      // The number of books by this author
      let bookCount = try author.books.fetchCount(db)
      #expect(bookCount == 3)

      // The year of the most recent book by this author
      let request = author.books.select(max(yearColumn))
      let maxBookYear = try Int.fetchOne(db, request)
      #expect(maxBookYear == 2012)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(#"SELECT MAX("year") FROM "book" WHERE "authorId" = ?"#, [1]))
      #expect(try Int.fetchOne(db, Studio.diana.books.select(max(yearColumn))) == nil)
    }
  }

  @Test func authorsWithAndWithoutBooks() throws {
    try Studio.make().read { db throws in
      let lazyAuthors =
        try Author
        .having(Author.books.isEmpty)
        .fetchAll(db)
      #expect(lazyAuthors == [Studio.craig, Studio.diana])

      let productiveAuthors: [Author] =
        try Author
        .having(Author.books.isEmpty == false)
        .fetchAll(db)
      #expect(productiveAuthors == [Studio.arthur, Studio.barbara])
    }
  }

  @Test func authorsWithTheNumberOfTheirBooks() throws {
    struct AuthorInfo: Decodable, FetchableRecord, Equatable {
      var author: Author
      var bookCount: Int
    }
    try Studio.make().read { db throws in
      let request = Author.annotated(with: Author.books.count)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      let lines = authorInfos.map { info in
        "\(info.author.name) wrote \(info.bookCount) book(s)."
      }
      #expect(
        lines == [
          "Arthur wrote 3 book(s).", "Barbara wrote 1 book(s).", "Craig wrote 0 book(s).",
          "Diana wrote 0 book(s).",
        ])
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
          \(Studio.joinBook) GROUP BY "author"."id"
          """)
    }
  }

  /// 'Available Association Aggregates', of has-many and of has-many-through associations.
  @Test func available() throws {
    try Studio.make().read { db throws in
      let year = Column("year")
      let books = Author.books
      let direct = Author.annotated(
        with: books.count, books.isEmpty, books.min(year), books.max(year), books.average(year),
        books.sum(year), books.total(year).forKey("total"))
      let row = try Row.fetchOne(db, direct.filter(key: 1))
      #expect(
        row?.description == """
          [id:1 name:"Arthur" bookCount:3 hasNoBook:0 minBookYear:1998 maxBookYear:2012 \
          averageBookYear:2005.0 bookYearSum:6015 total:6015.0]
          """)
      let colleagues = Studio.Painting.hasMany(
        Book.self, through: Studio.Painting.belongsTo(Author.self), using: books)
      let through = Studio.Painting.annotated(
        with: colleagues.count, colleagues.isEmpty, colleagues.min(year), colleagues.max(year),
        colleagues.average(year), colleagues.sum(year))
      let rows = try Row.fetchAll(db, through)
      #expect(
        rows.map(\.description) == [
          """
          [id:1 authorId:2 bookCount:1 hasNoBook:0 minBookYear:2009 maxBookYear:2009 \
          averageBookYear:2009.0 bookYearSum:2009]
          """,
          """
          [id:2 authorId:2 bookCount:1 hasNoBook:0 minBookYear:2009 maxBookYear:2009 \
          averageBookYear:2009.0 bookYearSum:2009]
          """,
          """
          [id:3 authorId:3 bookCount:0 hasNoBook:1 minBookYear:NULL maxBookYear:NULL \
          averageBookYear:NULL bookYearSum:NULL]
          """,
        ])
    }
  }
}
