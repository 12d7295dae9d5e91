import Quarry
import QuarryTestSupport
import Testing

/// 'Requesting Associated Records': from one record to the records of its associations.
struct RequestingAssociatedRecords {
  struct Book: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    /// The association from a book to its author
    static let author = belongsTo(Author.self)
    static let cover = hasOne(Cover.self)
    static let designer = hasOne(Designer.self, through: cover, using: Cover.designer)

    var id: Int64
    var authorId: Int64?
    var kind: BookKind
    var publishDate: String

    /// The request for the author of a book
    var author: QueryInterfaceRequest<Author> {
      request(for: Book.author)
    }
  }

  enum BookKind: String, Codable, DatabaseValueConvertible {
    case novel, poems
  }

  struct Author: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    /// The association from an author to its books
    static let books = hasMany(Book.self)
    static let covers = hasMany(Cover.self, through: books, using: Book.cover)

    var id: Int64

    /// The request for the books of an author
    var books: QueryInterfaceRequest<Book> {
      request(for: Author.books)
    }
  }

  struct Cover: Codable, Equatable, FetchableRecord, TableRecord {
    static let designer = belongsTo(Designer.self)

    var bookId: Int64
    var designerId: Int64
  }

  struct Designer: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
  }

  static let book = Book(id: 1, authorId: 1, kind: .novel, publishDate: "1851")
  static let author = Author(id: 1)

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY);
        CREATE TABLE designer (id INTEGER PRIMARY KEY);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), kind TEXT NOT NULL,
          publishDate TEXT NOT NULL);
        CREATE TABLE cover (
          bookId INTEGER NOT NULL UNIQUE REFERENCES book(id),
          designerId INTEGER NOT NULL REFERENCES designer(id));
        INSERT INTO author VALUES (1), (2);
        INSERT INTO designer VALUES (10), (20);
        INSERT INTO book VALUES
          (1, 1, 'novel', '1851'), (2, 1, 'poems', '1891'), (3, 1, 'novel', '1924'),
          (4, 2, 'novel', '1994'), (5, NULL, 'poems', '1000');
        INSERT INTO cover VALUES (1, 20), (3, 10), (4, 10);
        """)
  }

  @Test func belongsTo() throws {
    try dbQueue.read { db throws in
      let author = try Self.book.author.fetchOne(db)
      #expect(author == Self.author)
      #expect(
        try sql(of: Self.book.author, in: db)
          == RenderedSQL(#"SELECT * FROM "author" WHERE "id" = ?"#, [1]))
      let anonymous = Book(id: 5, authorId: nil, kind: .poems, publishDate: "1000")
      #expect(
        try sql(of: anonymous.author, in: db)
          == RenderedSQL(#"SELECT * FROM "author" WHERE ?"#, [0]))
      #expect(try anonymous.author.fetchOne(db) == nil)
    }
  }

  @Test func hasMany() throws {
    try dbQueue.read { db throws in
      let books = try Self.author.books.fetchAll(db)
      #expect(books.map(\.id) == [1, 2, 3])
      #expect(
        try sql(of: Self.author.books, in: db)
          == RenderedSQL(#"SELECT * FROM "book" WHERE "authorId" = ?"#, [1]))
    }
  }

  @Test func hasOne() throws {
    try dbQueue.read { db throws in
      let request = Self.book.request(for: Book.cover)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(#"SELECT * FROM "cover" WHERE "bookId" = ?"#, [1]))
      #expect(try request.fetchOne(db) == Cover(bookId: 1, designerId: 20))
    }
  }

  @Test func hasOneThrough() throws {
    try dbQueue.read { db throws in
      let request = Self.book.request(for: Book.designer)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "designer".* FROM "designer" JOIN "cover" \
            ON ("cover"."designerId" = "designer"."id") AND ("cover"."bookId" = ?)
            """, [1]))
      #expect(try request.fetchOne(db) == Designer(id: 20))
    }
  }

  @Test func hasManyThrough() throws {
    try dbQueue.read { db throws in
      let request = Self.author.request(for: Author.covers)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "cover".* FROM "cover" JOIN "book" \
            ON ("book"."id" = "cover"."bookId") AND ("book"."authorId" = ?)
            """, [1]))
      #expect(try request.fetchAll(db).map(\.designerId).sorted() == [10, 20])
    }
  }

  @Test func filteredAndOrdered() throws {
    let author = Self.author
    try dbQueue.read { db throws in
      let request =
        author
        .books
        .filter(Column("kind") == BookKind.novel)
        .order(Column("publishDate").desc)
      let novels = try request.fetchAll(db)
      #expect(novels.map(\.id) == [3, 1])
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT * FROM "book" WHERE ("authorId" = ?) AND ("kind" = ?) \
            ORDER BY "publishDate" DESC
            """, [1, "novel"]))
    }
  }
}
