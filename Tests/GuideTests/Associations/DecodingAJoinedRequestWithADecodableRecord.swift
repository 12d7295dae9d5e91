import Quarry
import QuarryTestSupport
import Testing

/// 'Decoding a Joined Request with a Decodable Record': flat, and hierarchical.
struct DecodingAJoinedRequestWithADecodableRecord {
  @Test func flat() throws {
    typealias Book = Bookshelf.Book
    typealias Author = Bookshelf.Author
    typealias Country = Bookshelf.Country
    typealias CoverImage = Bookshelf.CoverImage
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Author
      var country: Country?
      var coverImage: CoverImage?
    }
    try Bookshelf.make().read { db throws in
      let request =
        Book
        .including(
          required: Book.author
            .including(optional: Author.country)
        )
        .including(optional: Book.coverImage)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.order(Column("title")))
      #expect(
        bookInfos == [
          BookInfo(
            book: Bookshelf.mobyDick, author: Bookshelf.melville, country: Bookshelf.us,
            coverImage: nil),
          BookInfo(
            book: Bookshelf.odyssey, author: Bookshelf.homer, country: nil,
            coverImage: Bookshelf.cover),
          BookInfo(
            book: Bookshelf.omoo, author: Bookshelf.melville, country: Bookshelf.us,
            coverImage: nil),
        ])
    }
  }

  typealias Book = Library.Book
  typealias Person = Library.Person
  typealias Country = Library.Country

  struct BookInfo: FetchableRecord, Decodable, Equatable {
    struct PersonInfo: Decodable, Equatable {
      var person: Person
      var country: Country?
    }

    var book: Book
    var authorInfo: PersonInfo
    var translatorInfo: PersonInfo?
    var coverImage: CoverImage?

    static func all() -> QueryInterfaceRequest<BookInfo> {
      Book.including(optional: BookInfo.coverImageAssociation)
        .including(
          required: Book.author
            .forKey(CodingKeys.authorInfo)  // (1)
            .including(optional: Person.country)
        )
        .including(
          optional: Book.translator
            .forKey(CodingKeys.translatorInfo)  // (1)
            .including(optional: Person.country)
        )
        .asRequest(of: BookInfo.self)  // (2)
    }

    static let coverImageAssociation = Book.hasOne(CoverImage.self)
  }

  struct CoverImage: Codable, Equatable, FetchableRecord, TableRecord {
    var bookId: Int64
    var path: String
  }

  @Test func hierarchical() throws {
    let dbQueue = try Library.make()
    try dbQueue.write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE coverImage (bookId INTEGER REFERENCES book(id), path TEXT);
          INSERT INTO coverImage VALUES (3, 'paris.png');
          """)
    }
    try dbQueue.read { db throws in
      let bookInfos = try BookInfo.all().order(Column("id")).fetchAll(db)
      let melville = BookInfo.PersonInfo(person: Library.melville, country: Library.us)
      #expect(
        bookInfos == [
          BookInfo(
            book: Library.mobyDick, authorInfo: melville,
            translatorInfo: .init(person: Library.giono, country: Library.france)),
          BookInfo(book: Library.timoleon, authorInfo: melville),
          BookInfo(
            book: Library.paris, authorInfo: .init(person: Library.verne, country: Library.france),
            coverImage: CoverImage(bookId: 3, path: "paris.png")),
          BookInfo(
            book: Library.lazarillo, authorInfo: .init(person: Library.anon, country: nil)),
        ])
      #expect(
        try sql(of: BookInfo.all(), in: db).sql == """
          SELECT "book".*, "coverImage".*, "person1".*, "country1".*, "person2".*, "country2".* \
          FROM "book" LEFT JOIN "coverImage" ON "coverImage"."bookId" = "book"."id" \
          JOIN "person" "person1" ON "person1"."id" = "book"."authorId" \
          LEFT JOIN "country" "country1" ON "country1"."code" = "person1"."countryCode" \
          LEFT JOIN "person" "person2" ON "person2"."id" = "book"."translatorId" \
          LEFT JOIN "country" "country2" ON "country2"."code" = "person2"."countryCode"
          """)
    }
  }

  /// Prefetched rows feed arrays and sets of nested records too.
  @Test func nestedCollections() throws {
    struct PersonInfo: FetchableRecord, Decodable, Equatable {
      struct BookInfo: Decodable, Hashable {
        var book: Book
        var translator: Person?
      }
      var person: Person
      var books: Set<BookInfo>
    }
    try Library.make().read { db throws in
      let request = Person.including(
        all: Person.books.including(optional: Book.translator))
      let info = try PersonInfo.fetchOne(db, request.filter(key: 1))
      #expect(
        info
          == PersonInfo(
            person: Library.melville,
            books: [
              .init(book: Library.mobyDick, translator: Library.giono),
              .init(book: Library.timoleon, translator: nil),
            ]))
    }
  }
}
