import Quarry
import QuarryTestSupport
import Testing

/// 'Combining Associations': in parallel, chained, with intermediates skipped.
struct CombiningAssociations {
  typealias Book = Library.Book
  typealias Person = Library.Person
  typealias Country = Library.Country

  @Test func inParallel() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Person
      var translator: Person?
    }
    try Library.make().read { db throws in
      let request =
        Book
        .including(required: Book.author)
        .including(optional: Book.translator)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person1".*, "person2".* FROM "book" \
          JOIN "person" "person1" ON "person1"."id" = "book"."authorId" \
          LEFT JOIN "person" "person2" ON "person2"."id" = "book"."translatorId"
          """)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(book: Library.mobyDick, author: Library.melville, translator: Library.giono),
          BookInfo(book: Library.timoleon, author: Library.melville, translator: nil),
          BookInfo(book: Library.paris, author: Library.verne, translator: nil),
          BookInfo(book: Library.lazarillo, author: Library.anon, translator: nil),
        ])
    }
  }

  @Test func chained() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Person
      var country: Country?
    }
    try Library.make().read { db throws in
      let request =
        Book
        .including(
          required: Book.author
            .including(optional: Person.country))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person".*, "country".* FROM "book" \
          JOIN "person" ON "person"."id" = "book"."authorId" \
          LEFT JOIN "country" ON "country"."code" = "person"."countryCode"
          """)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(book: Library.mobyDick, author: Library.melville, country: Library.us),
          BookInfo(book: Library.timoleon, author: Library.melville, country: Library.us),
          BookInfo(book: Library.paris, author: Library.verne, country: Library.france),
          BookInfo(book: Library.lazarillo, author: Library.anon, country: nil),
        ])
    }
  }

  struct BookInfo: FetchableRecord, Decodable, Equatable {
    var book: Book
    var country: Country?
  }

  static let bookInfos = [
    BookInfo(book: Library.mobyDick, country: Library.us),
    BookInfo(book: Library.timoleon, country: Library.us),
    BookInfo(book: Library.paris, country: Library.france),
    BookInfo(book: Library.beowulf, country: nil),
    BookInfo(book: Library.lazarillo, country: nil),
  ]

  static let countrySQL = """
    SELECT "book".*, "country".* FROM "book" \
    LEFT JOIN "person" ON "person"."id" = "book"."authorId" \
    LEFT JOIN "country" ON "country"."code" = "person"."countryCode"
    """

  @Test func intermediatesAreSkipped() throws {
    try Library.make().read { db throws in
      let request =
        Book
        .joining(
          optional: Book.author
            .including(optional: Person.country))
      #expect(try sql(of: request, in: db).sql == Self.countrySQL)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(bookInfos == Self.bookInfos)
    }
  }

  @Test func throughAssociationsAreShortcuts() throws {
    try Library.make().read { db throws in
      let request = Book.including(optional: Book.country)
      #expect(try sql(of: request, in: db).sql == Self.countrySQL)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(bookInfos == Self.bookInfos)
    }
  }

  /// What the guide does not have: the author is there when the country is.
  @Test func aRequiredAssociationBehindAnOptionalOne() throws {
    try Library.make().read { db throws in
      let request =
        Book
        .joining(
          optional: Book.author
            .including(required: Person.country))
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(bookInfos == Self.bookInfos)
      // With the author: not that of Lazarillo, who has no country.
      let rows = try Row.fetchAll(
        db,
        Book.including(optional: Book.author.including(required: Person.country))
          .orderByPrimaryKey())
      #expect(
        rows.map { $0.scopes["author"]?["name"] }
          == ["Melville", "Melville", "Verne", nil, nil])
    }
  }
}
