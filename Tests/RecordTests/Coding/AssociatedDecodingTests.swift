import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct AssociatedDecodingTests {
  private struct BookInfo: Decodable, FetchableRecord {
    var book: Book
    var author: Author?
  }

  @Test func `The main record is decoded from the row, joined ones from scopes`() throws {
    try inBookshop { db, _ throws in
      let infos = try BookInfo.fetchAll(
        db, Book.including(optional: Book.author).order(Column("id")))
      #expect(infos.map(\.book.id) == [1, 2, 3, 4])
      #expect(infos.map(\.author?.name) == ["Ursula Vernet", "Ursula Vernet", "Italo Bassi", nil])
      #expect(infos[0].author?.id == 1)
      let again = try BookInfo.fetchAll(
        db, Book.including(optional: Book.author).order(Column("id")))
      #expect(again.map(\.author) == infos.map(\.author))
    }
  }

  @Test func `A required property of a scope is decoded even when all is NULL`() throws {
    struct Strict: Decodable, FetchableRecord {
      var author: Author
    }
    struct Lenient: Decodable, FetchableRecord {
      struct Name: Decodable { var name: String? }
      var author: Name
    }
    try inBookshop { db, _ throws in
      let request = Book.including(optional: Book.author).order(Column("id"))
      let text = errorText { try Strict.fetchAll(db, request) }
      #expect(text?.hasPrefix("could not decode Int64 from database value NULL") == true)
      #expect(text?.contains("record: Author") == true)
      #expect(try Lenient.fetchAll(db, request).map(\.author.name).last == .some(nil))
    }
  }

  @Test func `Scopes are found at any depth`() throws {
    struct ReviewInfo: Decodable, FetchableRecord {
      var review: Review
      var author: Author?
      var book: Book
    }
    try inBookshop { db, _ throws in
      let infos = try ReviewInfo.fetchAll(
        db,
        Review.including(required: Review.book.including(optional: Book.author)).order(Column("id"))
      )
      #expect(infos.map(\.review.id) == [1, 2, 3])
      #expect(infos.map(\.book.id) == [1, 1, 3])
      #expect(infos.map(\.author?.id) == [1, 1, 2])
    }
  }

  @Test func `Nested structures mirror nested scopes`() throws {
    struct ReviewInfo: Decodable, FetchableRecord {
      struct BookInfo: Decodable {
        var book: Book
        var author: Author?
      }
      var score: Int
      var book: BookInfo
    }
    struct Direct: Decodable, FetchableRecord {
      struct TitleOnly: Decodable { var title: String }
      var book: TitleOnly
    }
    try inBookshop { db, _ throws in
      let request =
        Review.including(required: Review.book.including(optional: Book.author)).order(Column("id"))
      let infos = try ReviewInfo.fetchAll(db, request)
      #expect(infos.map(\.score) == [5, 3, 4])
      #expect(
        infos.map(\.book.book.title) == ["Dispossession", "Dispossession", "Invisible Towns"])
      #expect(infos.map(\.book.author?.name) == ["Ursula Vernet", "Ursula Vernet", "Italo Bassi"])
      #expect(try Direct.fetchAll(db, request).map(\.book.title).first == "Dispossession")
    }
  }

  @Test func `Prefetched rows are decoded as arrays and sets`() throws {
    struct AuthorInfo: Decodable, FetchableRecord {
      var author: Author
      var books: [Book]
    }
    struct AuthorSet: Decodable, FetchableRecord {
      var name: String?
      var books: Set<Book>
    }
    struct Titles: Decodable, FetchableRecord {
      struct Title: Decodable, Hashable { var title: String? }
      var id: Int64
      var books: [Title]
    }
    struct MaybeBooks: Decodable, FetchableRecord {
      var books: [Book]?
    }
    try inBookshop { db, _ throws in
      let request = Author.including(all: Author.books.order(Column("id"))).order(Column("id"))
      let infos = try AuthorInfo.fetchAll(db, request)
      #expect(infos.map(\.author.id) == [1, 2, 3])
      #expect(infos.map { $0.books.map(\.id) } == [[1, 2], [3], []])
      #expect(infos[0].books[0].title == "Dispossession")
      let sets = try AuthorSet.fetchAll(db, request)
      #expect(sets.map { Set($0.books.map(\.id)) } == [[1, 2], [3], []])
      let titles = try Titles.fetchAll(db, request)
      #expect(
        titles.map { $0.books.map(\.title) } == [
          ["Dispossession", "Left Hand"], ["Invisible Towns"], [],
        ])
      #expect(try MaybeBooks.fetchAll(db, request).map { $0.books?.count } == [2, 1, 0])
      #expect(try MaybeBooks.fetchAll(db, Author.all()).allSatisfy { $0.books == nil })
    }
  }

  @Test func `Records of prefetched rows may have associations`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book
      var publisher: Publisher?
      var reviews: [Review]
    }
    struct AuthorInfo: Decodable, FetchableRecord {
      var author: Author
      var books: [BookInfo]
    }
    try inBookshop { db, _ throws in
      let books = Author.books.order(Column("id"))
        .including(optional: Book.publisher).including(all: Book.reviews.order(Column("id")))
      let infos = try AuthorInfo.fetchAll(db, Author.including(all: books).order(Column("id")))
      #expect(infos.map { $0.books.map(\.book.id) } == [[1, 2], [3], []])
      #expect(infos[0].books.map(\.publisher?.id) == [1, 2])
      #expect(infos[0].books.map { $0.reviews.map(\.id) } == [[1, 2], []])
    }
  }

  @Test
  func `Hand-written records decode in scopes and prefetched rows, and their errors are thrown`()
    throws
  {
    struct Hand: FetchableRecord {
      var title: String
      init(row: Row) { title = row["title"] }
    }
    struct AuthorInfo: Decodable, FetchableRecord {
      var books: [Wrapped]
      struct Wrapped: FetchableRecord, Decodable {
        var year: Int
        init(row: Row) { year = row["year"] }
      }
    }
    struct ReviewInfo: Decodable, FetchableRecord {
      var book: AuthorInfo.Wrapped
    }
    try inBookshop { db, _ throws in
      let infos = try AuthorInfo.fetchAll(
        db, Author.including(all: Author.books.order(Column("id"))))
      #expect(infos.map { $0.books.map(\.year) } == [[1974, 1969], [2002], []])
      #expect(
        try ReviewInfo.fetchAll(db, Review.including(required: Review.book)).map(\.book.year) == [
          1974, 1974, 2002,
        ])
      try db.execute(sql: "UPDATE book SET year = NULL WHERE id = 1")
      #expect(
        errorText { try AuthorInfo.fetchAll(db, Author.including(all: Author.books)) }?
          .hasPrefix("could not decode Int from database value NULL - column: \"year\"") == true)
      #expect(
        errorText { try ReviewInfo.fetchAll(db, Review.including(required: Review.book)) }?
          .hasPrefix("could not decode Int from database value NULL - column: \"year\"") == true)
      let row = try #require(try Row.fetchOne(db, Review.including(required: Review.book)))
      #expect(
        errorText { try ReviewInfo(row: row) }?
          .hasPrefix("could not decode Int from database value NULL - column: \"year\"") == true)
    }
  }

  @Test func `A second main record is no such key`() throws {
    struct TwoMains: Decodable, FetchableRecord {
      var zooks: Book
      var author: Author
    }
    try inBookshop { db, _ throws in
      #expect(
        missingKey { try TwoMains.fetchAll(db, Book.all()) }
          == """
          author: No such key: author or zooks
          """)
    }
  }

  @Test func `An array without prefetched rows is no key`() throws {
    struct AuthorInfo: Decodable, FetchableRecord {
      var zooks: [Book]
    }
    try inBookshop { db, _ throws in
      #expect(
        missingKey { try AuthorInfo.fetchAll(db, Author.all()) }
          == "zooks: No available prefetched rows")
      #expect(
        missingKey { try AuthorInfo.fetchAll(db, Author.including(all: Author.books)) }
          == #"zooks: Available keys for prefetched rows: ["books"]"#)
    }
  }

  @Test func `Missing plain columns are reported`() throws {
    struct Missing: Decodable, FetchableRecord {
      var missing: String
    }
    enum Color: String, Decodable { case red }
    struct MissingColor: Decodable, FetchableRecord {
      var color: Color
    }
    try inBookshop { db, _ throws in
      #expect(
        errorText { try Missing.fetchOne(db, Book.all()) }?
          .hasPrefix(#"column not found: "missing" - row: [id:1 "#) == true)
      #expect(
        errorText { try MissingColor.fetchOne(db, Book.all()) }?
          .hasPrefix(#"column not found: "color" - row: [id:1 "#) == true)
    }
  }

  @Test func `Containers report their keys`() throws {
    struct AnyKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Keys: Decodable, FetchableRecord {
      var keys: [String]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        keys = container.allKeys.map(\.stringValue)
        #expect(keys.allSatisfy { container.contains(AnyKey(stringValue: $0)) })
        #expect(try !container.decodeNil(forKey: AnyKey(stringValue: "book")))
        #expect(try container.decodeNil(forKey: AnyKey(stringValue: "author")))
        let nested = try container.nestedContainer(
          keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "book"))
        #expect(try nested.decode(Int.self, forKey: AnyKey(stringValue: "id")) == 4)
        #expect(
          errorText {
            try container.nestedContainer(
              keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "score"))
          }?.contains("not implemented: building a nested JSON container for the column 'score'")
            == true)
        #expect(
          errorText {
            try container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "zz"))
          }?.contains("No keyed container found for key 'zz'") == true)
        #expect(
          errorText { try container.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "score")) }?
            .contains("unkeyed decoding is not supported") == true)
      }
    }
    try inBookshop { db, _ throws in
      try db.execute(sql: "INSERT INTO review (id, bookId, score) VALUES (9, 4, 1)")
      let keys = try Keys.fetchAll(
        db,
        Review.filter(Column("id") == 9)
          .including(required: Review.book.including(optional: Book.author)))
      #expect(keys.map(\.keys) == [["id", "bookId", "score", "body", "author", "book"]])
    }
  }
}

/// The key that is not found, and why.
private func missingKey(_ body: () throws -> some Any) -> String? {
  do {
    _ = try body()
    return nil
  } catch {
    guard case DecodingError.keyNotFound(let key, let context) = error else { return "\(error)" }
    return "\(key.stringValue): \(context.debugDescription)"
  }
}
