import Quarry
import QuarryTestSupport
import Testing

/// 'HasMany': each author has zero or more books.
struct HasMany {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    static let books: HasManyAssociation<Author, Book> = hasMany(Book.self)

    var id: Int64
    var name: String
  }

  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var authorId: Int64
    var title: String
  }

  @Test func authorsWithTheirBooks() throws {
    struct AuthorInfo: Decodable, Equatable, FetchableRecord {
      var author: Author
      var books: [Book]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id),
          title TEXT NOT NULL);
        INSERT INTO author VALUES (1, 'Melville'), (2, 'Austen'), (3, 'Harper');
        INSERT INTO book VALUES (1, 2, 'Emma'), (2, 1, 'Moby-Dick'), (3, 2, 'Persuasion');
        """)
    try dbQueue.read { db throws in
      let request = Author.orderByPrimaryKey().including(all: Author.books.order(Column("id")))
      #expect(
        try AuthorInfo.fetchAll(db, request) == [
          AuthorInfo(
            author: Author(id: 1, name: "Melville"),
            books: [Book(id: 2, authorId: 1, title: "Moby-Dick")]),
          AuthorInfo(
            author: Author(id: 2, name: "Austen"),
            books: [
              Book(id: 1, authorId: 2, title: "Emma"),
              Book(id: 3, authorId: 2, title: "Persuasion"),
            ]),
          AuthorInfo(author: Author(id: 3, name: "Harper"), books: []),
        ])
      let joined = Author.including(required: Author.books)
      #expect(
        try sql(of: joined, in: db)
          == RenderedSQL(
            """
            SELECT "author".*, "book".* FROM "author" \
            JOIN "book" ON "book"."authorId" = "author"."id"
            """))
      // A join multiplies the authors.
      let names = try joined.order(sql: "book.id").fetchAll(db).map(\.name)
      #expect(names == ["Austen", "Melville", "Austen"])
    }
  }
}
