import Quarry
import QuarryTestSupport
import Testing

private struct Author: TableRecord {
  static let awards = hasMany(Award.self)
  static let books = hasMany(Book.self)
  static let novels = books.filter(Column("kind") == "novel").forKey("novels")
  static let essays = books.filter(Column("kind") == "essay").forKey("essays")
}

private struct Award: TableRecord {}

private struct Book: TableRecord {
  static let author = belongsTo(Author.self)
  static let notes = hasMany(Note.self)
}

private struct Note: TableRecord {}

private struct Title: Decodable, Equatable, FetchableRecord {
  var title: String
}

private struct AuthorInfo: Decodable, Equatable, FetchableRecord {
  var id: Int
  var awards: [Title]?
  var books: [BookInfo]?
}

private struct BookInfo: Decodable, Equatable, FetchableRecord {
  var title: String
  var notes: [Title]?
}

private struct WrittenBook: Decodable, FetchableRecord {
  var title: String
  var author: AuthorInfo
}

/// Two associations with the same type of elements, which are no records.
private struct Shelf: Decodable, FetchableRecord {
  enum Language: String, Decodable { case en, fr }
  struct Volume: Decodable {
    var title: String
    var language: Language
  }
  var novels: [Volume]
  var essays: [Volume]
}

/// Requests with the same SQL share a statement, and the row that moves over its rows.
@Suite("Prefetches of the same SQL")
struct AlikePrefetchTests {
  private func withAuthor(_ body: (Database) throws -> Void) throws {
    let queue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY);
        CREATE TABLE award (
          id INTEGER PRIMARY KEY, title TEXT, authorId INTEGER REFERENCES author);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT, kind TEXT, language TEXT,
          authorId INTEGER REFERENCES author);
        CREATE TABLE note (
          id INTEGER PRIMARY KEY, title TEXT, bookId INTEGER REFERENCES book);
        INSERT INTO author VALUES (1);
        INSERT INTO award VALUES (1, 'Booker', 1);
        INSERT INTO book VALUES
          (1, 'Emma', 'novel', 'en', 1), (2, 'Candide', 'novel', 'fr', 1),
          (3, 'Walden', 'essay', 'en', 1);
        INSERT INTO note VALUES (1, 'read', 3);
        """)
    try queue.inDatabase(body)
  }

  private static let awards = [Title(title: "Booker")]

  /// Fetches with two requests in turn, in both orders.
  private func check<Record: FetchableRecord & Equatable>(
    _ request: QueryInterfaceRequest<Record>, _ expected: Record,
    _ other: QueryInterfaceRequest<Record>, _ otherExpected: Record
  ) throws {
    try withAuthor { db throws in
      for _ in 1...2 {
        let records = try request.fetchAll(db)
        #expect(records == [expected])
        let others = try other.fetchAll(db)
        #expect(others == [otherExpected])
      }
    }
    try withAuthor { db throws in
      let others = try other.fetchAll(db)
      #expect(others == [otherExpected])
      let records = try request.fetchAll(db)
      #expect(records == [expected])
    }
  }

  @Test func `a property is nil where its association is not prefetched`() throws {
    let books = Author.books.filter(Column("kind") == "novel").order(Column("id"))
    let request = Author.including(all: Author.awards)
    try check(
      request.asRequest(of: AuthorInfo.self), AuthorInfo(id: 1, awards: Self.awards),
      request.including(all: books).asRequest(of: AuthorInfo.self),
      AuthorInfo(
        id: 1, awards: Self.awards,
        books: [BookInfo(title: "Emma"), BookInfo(title: "Candide")]))
  }

  @Test func `a property of prefetched records is nil where theirs is not prefetched`() throws {
    let books = Author.books.filter(Column("kind") == "essay")
    try check(
      Author.including(all: books).asRequest(of: AuthorInfo.self),
      AuthorInfo(id: 1, books: [BookInfo(title: "Walden")]),
      Author.including(all: books.including(all: Book.notes)).asRequest(of: AuthorInfo.self),
      AuthorInfo(id: 1, books: [BookInfo(title: "Walden", notes: [Title(title: "read")])]))
  }

  @Test func `a property of a joined record is nil where its association is not prefetched`() throws
  {
    let request = Book.filter(key: 1).including(all: Book.notes)
    let joined = request.including(required: Book.author).asRequest(of: WrittenBook.self)
    let both = request.including(required: Book.author.including(all: Author.awards))
      .asRequest(of: WrittenBook.self)
    try withAuthor { db throws in
      for _ in 1...2 {
        let authors = try joined.fetchAll(db).map(\.author)
        #expect(authors == [AuthorInfo(id: 1)])
        let honored = try both.fetchAll(db).map(\.author)
        #expect(honored == [AuthorInfo(id: 1, awards: Self.awards)])
      }
    }
  }

  private func codingPath(of error: DecodingError?) -> [String] {
    guard case .dataCorrupted(let context)? = error else { return [] }
    return context.codingPath.map(\.stringValue)
  }

  @Test func `the error of an element has the key of its own association`() throws {
    let request = Author.including(all: Author.novels).including(all: Author.essays)
      .asRequest(of: Shelf.self)
    try withAuthor { db throws in
      let shelf = try #require(try request.fetchOne(db))
      #expect(shelf.novels.map(\.title).sorted() == ["Candide", "Emma"])
      #expect(shelf.essays.map(\.title) == ["Walden"])
      try db.execute(sql: "UPDATE book SET language = 'la' WHERE kind = 'essay'")
      let essays = #expect(throws: DecodingError.self) { try request.fetchAll(db) }
      #expect(codingPath(of: essays) == ["essays", "language"])
      try db.execute(sql: "UPDATE book SET language = 'la' WHERE kind = 'novel'")
      let novels = #expect(throws: DecodingError.self) { try request.fetchAll(db) }
      #expect(codingPath(of: novels) == ["novels", "language"])
    }
  }
}
