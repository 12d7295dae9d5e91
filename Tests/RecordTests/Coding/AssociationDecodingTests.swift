import Quarry
import QuarryTestSupport
import Testing

private struct BookInfo: Decodable, FetchableRecord {
  var book: Book
  var author: Author
}

private struct OptionalBookInfo: Decodable, FetchableRecord {
  var book: Book
  var author: Author?
}

private struct AuthorInfo: Decodable, FetchableRecord {
  var id: Int64
  var books: [Book]
}

private struct HandWrittenInfo: FetchableRecord {
  var book: Book
  var author: Author

  init(row: Row) throws {
    book = try Book(row: row)
    author = try row.decode(forKey: "author")
  }
}

private struct HandWrittenAuthorInfo: FetchableRecord {
  var books: [Book]

  init(row: Row) { books = row["books"] }
}

/// A record with an association whose rows are NULL.
private struct Writer: Codable, FetchableRecord {
  var id: Int64
  var name: String
}

private struct StrictInfo: Decodable, FetchableRecord {
  var author: Writer
}

@Suite("Associations that a record misses", .onQueueAndPool)
struct AssociationDecodingTests {
  private let anonymous = Book.filter(key: 4)

  @Test func `An element of nulls is nil unless a record is joined to it`() throws {
    struct PublishedBook: Decodable, FetchableRecord {
      var title: String?
      var publisher: Publisher?
    }
    struct Shelf: Decodable, FetchableRecord {
      var books: [PublishedBook?]
    }
    try makeBookshopDatabase().write { db throws in
      try db.execute(
        sql: "UPDATE book SET title = NULL; UPDATE book SET publisherId = NULL WHERE id = 2")
      let books = Author.books.select(Column("title")).order(Column("id"))
        .including(optional: Book.publisher)
      let request = Author.filter(key: 1).including(all: books).asRequest(of: Shelf.self)
      let shelf = try #require(try request.fetchOne(db))
      #expect(shelf.books.map { $0?.publisher?.name } == ["Meridian", nil])
      #expect(shelf.books.map { $0 == nil } == [false, true])
    }
  }

  @Test func `A missing key is reported with the SQL`() throws {
    try makeBookshopDatabase().read { db in
      let error = try #require(
        errorText { try Book.all().asRequest(of: BookInfo.self).fetchAll(db) })
      #expect(error.contains(#"SELECT * FROM "book""#))
    }
  }

  @Test func `A hand-written record reports the scopes that there are`() throws {
    try makeBookshopDatabase().read { db in
      let request = Book.including(optional: Book.publisher).asRequest(of: HandWrittenInfo.self)
      let error = try #require(errorText { try request.fetchOne(db) })
      #expect(
        error.hasPrefix(
          #"scope not found: "author" - available scopes: ["publisher"]\#n"#))
      #expect(error.contains(#"sql: `SELECT "book".*, "publisher".* FROM "book" LEFT JOIN"#))
    }
  }

  @Test func `A required record without row is an error`() throws {
    try makeBookshopDatabase().read { db in
      let request = anonymous.including(optional: Book.author)
      let error = try #require(
        errorText { try request.asRequest(of: HandWrittenInfo.self).fetchOne(db) })
      #expect(error.hasPrefix(#"scope "author" only contains null values - row: [id:4 "#))
      #expect(error.contains(#"FROM "book" LEFT JOIN "author""#))
      let text = try #require(
        errorText { try request.asRequest(of: BookInfo.self).fetchOne(db) })
      #expect(text.contains(#"could not decode Int64 from database value NULL - column: "id""#))
      #expect(text.contains(#"FROM "book" LEFT JOIN "author""#))
      #expect(try request.asRequest(of: OptionalBookInfo.self).fetchOne(db)?.author == nil)
    }
  }

  @Test func `A NULL in an associated record is reported with the column of its scope`() throws {
    try makeBookshopDatabase().write { db in
      try db.execute(sql: "UPDATE author SET name = NULL WHERE id = 1")
      let request = Book.including(required: Book.author).asRequest(of: StrictInfo.self)
      let error = try #require(errorText { try request.fetchAll(db) })
      #expect(
        error.hasPrefix(
          """
          could not decode String from database value NULL - column: "name", column index: 1, \
          row: [id:1 name:NULL country:"FR" birthYear:1929]
          """))
      #expect(error.contains("record: Writer"))
    }
  }

  @Test func `Children that are not prefetched are reported with the key and the SQL`() throws {
    try makeBookshopDatabase().read { db in
      let request = Author.including(all: Author.reviews)
      let error = try #require(
        errorText { try request.asRequest(of: AuthorInfo.self).fetchAll(db) })
      #expect(error.contains(#"Available keys for prefetched rows: ["reviews"]"#))
      #expect(error.contains(#"SELECT * FROM "author""#))
      let text = try #require(
        errorText { try request.asRequest(of: HandWrittenAuthorInfo.self).fetchAll(db) })
      #expect(text.hasPrefix(#"key for prefetched rows not found: "books""#))
      #expect(text.contains(#" - available keys: ["reviews"]\#n"#))
    }
  }

  @Test func `A NULL in a prefetched row is an error of the fetch`() throws {
    struct Titled: Codable, FetchableRecord {
      var title: String
    }
    struct Shelf: Decodable, FetchableRecord {
      var books: [Titled]
    }
    try makeBookshopDatabase().write { db in
      try db.execute(sql: "UPDATE book SET title = NULL WHERE id = 2")
      let request = Author.including(all: Author.books).asRequest(of: Shelf.self)
      let error = try #require(errorText { try request.fetchAll(db) })
      #expect(
        error.hasPrefix("could not decode String from database value NULL - column: \"title\""))
      #expect(error.contains("row: [id:2 title:NULL"))
    }
  }
}
