import Quarry
import QuarryTestSupport

/// Authors who write books and make paintings: what the chapters on aggregates fetch.
///
/// | author | books | paintings |
/// | --- | --- | --- |
/// | 1 Arthur | novels of 1998 and 2012, a poem of 2005 | none |
/// | 2 Barbara | a theatre play of 2009 | 1, 2 |
/// | 3 Craig | none | 3 |
/// | 4 Diana | none | none |
enum Studio {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord, EncodableRecord {
    static let books = hasMany(Book.self)
    static let paintings = hasMany(Painting.self)

    var id: Int64
    var name: String

    var books: QueryInterfaceRequest<Book> {
      request(for: Author.books)
    }
  }

  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var authorId: Int64
    var year: Int
    var kind: String
    var price: Double?
    var awards: Int?
  }

  struct Painting: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var authorId: Int64
  }

  static let arthur = Author(id: 1, name: "Arthur")
  static let barbara = Author(id: 2, name: "Barbara")
  static let craig = Author(id: 3, name: "Craig")
  static let diana = Author(id: 4, name: "Diana")

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id),
          year INTEGER NOT NULL, kind TEXT NOT NULL, price DOUBLE, awards INTEGER);
        CREATE TABLE painting (
          id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id));
        INSERT INTO author VALUES (1, 'Arthur'), (2, 'Barbara'), (3, 'Craig'), (4, 'Diana');
        INSERT INTO book VALUES
          (1, 1, 1998, 'novel', 10, 1), (2, 1, 2012, 'novel', 20, 2), (3, 1, 2005, 'poems', 6, NULL),
          (4, 2, 2009, 'theatrePlay', NULL, 4);
        INSERT INTO painting VALUES (1, 2), (2, 2), (3, 3);
        """)
  }

  static let joinBook = #"LEFT JOIN "book" ON "book"."authorId" = "author"."id""#
  static let joinPainting = #"LEFT JOIN "painting" ON "painting"."authorId" = "author"."id""#
}
