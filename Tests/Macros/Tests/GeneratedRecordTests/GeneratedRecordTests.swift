import Foundation
import QuarryMacros
import QuarryMigrations
import Testing

/// Shop.swift is what `quarry records --macros` writes for this schema: the tests of the tool
/// compare them.
@Suite("Records by macro that the command-line tool writes")
struct GeneratedRecordTests {
  struct Shelf: Decodable, FetchableRecord, Equatable {
    var author: Author
    var books: [Book]
  }

  @Test func `records are written, read and joined`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE author (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT DEFAULT 'IE');
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author ON DELETE CASCADE,
            title TEXT NOT NULL, year INTEGER, price REAL);
          CREATE VIEW cheap AS SELECT title, price FROM book WHERE price < 10;
          """)
      var author = Author(name: "Anna Seghers", country: "DE")
      try author.insert(db)
      var book = Book(authorId: 1, title: "Transit", year: 1944, price: 9)
      try book.insert(db)
      #expect(author.id == 1 && book.id == 1)
      let shelves = try Author.including(all: Author.books).asRequest(of: Shelf.self).fetchAll(db)
      #expect(shelves == [Shelf(author: author, books: [book])])
      try #expect(
        Cheap.filter { $0.price < 10 }.fetchAll(db) == [Cheap(title: "Transit", price: 9)])
      try #expect(db.schemaDifferences(of: [Author.self, Book.self, Cheap.self]).isEmpty)
    }
  }
}
