import Quarry
import QuarryTestSupport

/// Books with their author, cover image and prizes: the tree of association keys of the associations guide.
enum Bookshelf {
  struct Country: Codable, Hashable, FetchableRecord, TableRecord {
    var code: String
    var name: String
  }

  struct Author: Codable, Hashable, FetchableRecord, TableRecord {
    static let country = belongsTo(Country.self)
    static let books = hasMany(Book.self)

    var id: Int64
    var name: String
    var countryCode: String?
  }

  struct Book: Codable, Hashable, FetchableRecord, TableRecord {
    static let author = belongsTo(Author.self)
    static let coverImage = hasOne(CoverImage.self)
    static let prizes = hasMany(Prize.self)

    var id: Int64
    var authorId: Int64
    var title: String
  }

  struct CoverImage: Codable, Hashable, FetchableRecord, TableRecord {
    var id: Int64
    var imageId: Int64
    var path: String
  }

  struct Prize: Codable, Hashable, FetchableRecord, TableRecord {
    var id: Int64
    var bookId: Int64
  }

  static let us = Country(code: "US", name: "United States of America")
  static let melville = Author(id: 2, name: "Herman Melville", countryCode: "US")
  static let homer = Author(id: 1, name: "Homer", countryCode: nil)
  static let mobyDick = Book(id: 1, authorId: 2, title: "Moby-Dick")
  static let odyssey = Book(id: 2, authorId: 1, title: "Odyssey")
  static let omoo = Book(id: 3, authorId: 2, title: "Omoo")
  static let cover = CoverImage(id: 9, imageId: 2, path: "odyssey.png")

  static func make() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE author (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, countryCode TEXT REFERENCES country(code));
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id),
          title TEXT NOT NULL);
        CREATE TABLE coverImage (
          id INTEGER PRIMARY KEY, imageId INTEGER NOT NULL UNIQUE REFERENCES book(id), path TEXT);
        CREATE TABLE prize (id INTEGER PRIMARY KEY, bookId INTEGER NOT NULL REFERENCES book(id));
        INSERT INTO country VALUES ('US', 'United States of America');
        INSERT INTO author VALUES (1, 'Homer', NULL), (2, 'Herman Melville', 'US');
        INSERT INTO book VALUES (1, 2, 'Moby-Dick'), (2, 1, 'Odyssey'), (3, 2, 'Omoo');
        INSERT INTO coverImage VALUES (9, 2, 'odyssey.png');
        INSERT INTO prize VALUES (1, 1), (2, 1), (3, 1), (4, 3);
        """)
  }
}
