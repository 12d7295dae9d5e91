import Quarry
import QuarryTestSupport
import Testing

/// 'Required Protocols': what each protocol grants.
struct RequiredProtocols {
  /// A table of books for types that are declared in each test.
  static func makeLibrary() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT NOT NULL);
        INSERT INTO author VALUES (1, 'Simenon'), (2, 'Melville');
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 39)
        INSERT INTO book SELECT n, CASE WHEN n <= 20 THEN 1 ELSE 2 END, 'Book ' || n FROM number;
        """)
  }

  /// Declares associations, and nothing more: rows are fetched.
  enum DeclaresOnly {
    struct Author: TableRecord {
      static let books = hasMany(Book.self)
    }

    struct Book: TableRecord {
      static let author = belongsTo(Author.self)
    }
  }

  @Test func tableRecordDeclaresAssociations() throws {
    try Self.makeLibrary().read { db throws in
      let request = DeclaresOnly.Book.including(required: DeclaresOnly.Book.author)
        .filter(key: 21)
      let row = try Row.fetchOne(db, request)
      #expect(row?.description == #"[id:21 authorId:2 title:"Book 21"]"#)
      #expect(row?.scopes["author"]?.description == #"[id:2 name:"Melville"]"#)
      let books = try DeclaresOnly.Author.joining(required: DeclaresOnly.Author.books)
        .fetchCount(db)
      #expect(books == 39)
    }
  }

  enum Fetches {
    struct Author: Decodable, Equatable, TableRecord, FetchableRecord {
      static let books = hasMany(Book.self)

      var id: Int64
      var name: String
    }

    struct Book: TableRecord {}
  }

  @Test func fetchableRecordFetches() throws {
    typealias Author = Fetches.Author
    let dbQueue = try Self.makeLibrary()
    // Who's prolific?
    let authors = try dbQueue.read { db throws in
      try Author
        .having(Author.books.count >= 20)
        .fetchAll(db)
    }
    #expect(authors == [Author(id: 1, name: "Simenon")])
    try dbQueue.read { db throws in
      #expect(
        try sql(of: Author.having(Author.books.count >= 20), in: db)
          == RenderedSQL(
            """
            SELECT "author".* FROM "author" \
            LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
            GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") >= ?
            """, [20]))
    }
  }

  enum Encodes {
    struct Author: Decodable, Equatable, TableRecord, FetchableRecord {
      var id: Int64
      var name: String
    }

    /// Read-only, written by hand: it encodes the columns of its foreign key.
    struct Book: TableRecord, EncodableRecord {
      static let author = belongsTo(Author.self)

      var authorId: Int64?

      /// The request for the author of a book.
      var author: QueryInterfaceRequest<Author> {
        request(for: Book.author)
      }

      func encode(to container: inout PersistenceContainer) {
        container["authorId"] = authorId
      }
    }
  }

  @Test func encodableRecordRequestsAssociatedRecords() throws {
    let dbQueue = try Self.makeLibrary()
    // Who wrote this book?
    let book = Encodes.Book(authorId: 2)
    let author = try dbQueue.read { db throws in
      try book.author.fetchOne(db)
    }
    #expect(author == Encodes.Author(id: 2, name: "Melville"))
    let anonymous = Encodes.Book(authorId: nil)
    try dbQueue.read { db throws in
      #expect(try anonymous.author.fetchOne(db) == nil)
    }
  }

  enum Persists {
    struct Author: Codable, TableRecord, FetchableRecord {
      var id: Int64
      var name: String
    }

    struct Book: Codable, FetchableRecord, PersistableRecord {
      static let author = belongsTo(Author.self)

      var id: Int64
      var authorId: Int64?
      var title: String
    }
  }

  @Test func persistableRecordsAreEncodable() throws {
    let author = try Self.makeLibrary().write { db in
      let book = Persists.Book(id: 100, authorId: 1, title: "Maigret")
      try book.insert(db)
      return try book.request(for: Persists.Book.author).fetchOne(db)
    }
    #expect(author?.name == "Simenon")
  }

  final class Author: Record {
    static let books = Author.hasMany(Book.self)

    let name: String

    override class var databaseTableName: String { "author" }

    required init(row: Row) throws {
      name = row["name"]
      try super.init(row: row)
    }
  }

  final class Book: Record {
    static let author = Book.belongsTo(Author.self)

    let authorId: Int64?

    override class var databaseTableName: String { "book" }

    required init(row: Row) throws {
      authorId = row["authorId"]
      try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) {
      container["authorId"] = authorId
    }
  }

  @Test func subclassesOfRecordAreReady() throws {
    try Self.makeLibrary().read { db throws in
      let authors = try Author.having(Author.books.count >= 20).fetchAll(db)
      #expect(authors.map(\.name) == ["Simenon"])
      let book = try #require(try Book.fetchOne(db, key: 39))
      let author = try book.request(for: Book.author).fetchOne(db)
      #expect(author?.name == "Melville")
    }
  }
}
