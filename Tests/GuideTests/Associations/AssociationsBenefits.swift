import Quarry
import QuarryTestSupport
import Testing

/// 'Associations Benefits': the same questions with and without associations.
struct AssociationsBenefits {
  struct Author: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let books = hasMany(Book.self)

    var id: Int64
    var name: String

    var books: QueryInterfaceRequest<Book> {
      request(for: Author.books)
    }
  }

  struct Book: Codable, Hashable, FetchableRecord, TableRecord, EncodableRecord {
    static let author = belongsTo(Author.self)

    var id: Int64
    var authorId: Int64?
    var title: String

    var author: QueryInterfaceRequest<Author> {
      request(for: Book.author)
    }
  }

  static let melville = Author(id: 1, name: "Herman Melville")
  static let leGuin = Author(id: 2, name: "Ursula K. Le Guin")
  static let mobyDick = Book(id: 1, authorId: 1, title: "Moby-Dick")
  static let leftHand = Book(id: 2, authorId: 2, title: "The Left Hand of Darkness")
  static let beowulf = Book(id: 3, authorId: nil, title: "Beowulf")
  static let dispossessed = Book(id: 4, authorId: 2, title: "The Dispossessed")

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT NOT NULL);
        INSERT INTO author VALUES (1, 'Herman Melville'), (2, 'Ursula K. Le Guin');
        INSERT INTO book VALUES
          (1, 1, 'Moby-Dick'), (2, 2, 'The Left Hand of Darkness'), (3, NULL, 'Beowulf'),
          (4, 2, 'The Dispossessed');
        """)
  }

  @Test func booksOfAnAuthorWithoutAssociation() throws {
    let author = Self.leGuin
    try dbQueue.read { db throws in
      let books =
        try Book
        .filter(Column("authorId") == author.id)
        .fetchAll(db)
      #expect(books == [Self.leftHand, Self.dispossessed])
    }
  }

  @Test func pairsWithoutAssociation() throws {
    struct BookInfo: Equatable {
      var book: Book
      var author: Author?
    }
    try dbQueue.read { db throws in
      let books = try Book.fetchAll(db)
      let bookInfos = try books.map { book -> BookInfo in
        let author = try Author.fetchOne(db, key: book.authorId)
        return BookInfo(book: book, author: author)
      }
      #expect(
        bookInfos == [
          BookInfo(book: Self.mobyDick, author: Self.melville),
          BookInfo(book: Self.leftHand, author: Self.leGuin),
          BookInfo(book: Self.beowulf, author: nil),
          BookInfo(book: Self.dispossessed, author: Self.leGuin),
        ])
    }
  }

  @Test func booksOfAnAuthor() throws {
    let author = Self.leGuin
    try dbQueue.read { db throws in
      let books = try author.books.fetchAll(db)
      #expect(books == [Self.leftHand, Self.dispossessed])
      #expect(
        try sql(of: author.books, in: db)
          == RenderedSQL(#"SELECT * FROM "book" WHERE "authorId" = ?"#, [2]))
    }
  }

  @Test func authorOfABook() throws {
    try dbQueue.read { db throws in
      #expect(try Self.mobyDick.author.fetchOne(db) == Self.melville)
      #expect(try Self.beowulf.author.fetchOne(db) == nil)
    }
  }

  @Test func pairs() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      let book: Book
      let author: Author?
    }
    try dbQueue.read { db throws in
      let request = Book.including(optional: Book.author)
      let bookInfos = try BookInfo.fetchAll(db, request)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "author".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."authorId"
            """))
      #expect(
        bookInfos == [
          BookInfo(book: Self.mobyDick, author: Self.melville),
          BookInfo(book: Self.leftHand, author: Self.leGuin),
          BookInfo(book: Self.beowulf, author: nil),
          BookInfo(book: Self.dispossessed, author: Self.leGuin),
        ])
    }
  }
}
