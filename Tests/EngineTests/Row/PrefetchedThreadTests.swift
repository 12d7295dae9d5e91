import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  static let books = hasMany(Book.self)
}

private struct Book: Codable, FetchableRecord, PersistableRecord, Equatable {
  var id: Int64
  var authorId: Int64
  var title: String
  static let loans = hasMany(Loan.self)
  static let author = belongsTo(Author.self)
}

private struct Loan: Codable, FetchableRecord, PersistableRecord, Equatable {
  var id: Int64
  var bookId: Int64
}

private struct Shelf: Decodable, FetchableRecord {
  struct Item: Decodable {
    var book: Book
    var loans: [Loan]
  }
  var name: String
  var books: [Item]
}

/// As `Shelf`, by hand.
private struct HandShelf: FetchableRecord {
  struct Item: FetchableRecord {
    var title: String
    var loans: [Loan]
    init(row: Row) {
      title = row["title"]
      loans = row["loans"]
    }
  }
  var name: String
  var books: [Item]
  init(row: Row) {
    name = row["name"]
    books = row["books"]
  }
}

@Suite("Rows of one fetch in several threads")
struct PrefetchedThreadTests {
  private static let authorCount = 64

  private static func makeDatabase() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT);
          CREATE TABLE loan (id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book(id));
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(authorCount))
          INSERT INTO author SELECT i, 'author ' || i FROM n;
          INSERT INTO book SELECT id * 2 + k, id, 'book ' || (id * 2 + k)
          FROM author, (SELECT 0 AS k UNION ALL SELECT 1);
          INSERT INTO loan SELECT id * 3 + k, id
          FROM book, (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2);
          """)
    }
    return database
  }

  /// Decodes each row in some thread. Returns a text for each.
  private func inThreads(_ rows: [Row], _ decode: @escaping (Row) throws -> String) -> [String] {
    nonisolated(unsafe) let rows = rows
    nonisolated(unsafe) let decode = decode
    let texts = Log<(Int, String)>()
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let text = (try? decode(rows[index])) ?? "an error"
      texts.append((index, text))
    }
    return texts.elements.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static var expected: [String] {
    (1...authorCount).map { author in
      let books = [author * 2, author * 2 + 1].map { book in
        "book \(book) \([book * 3, book * 3 + 1, book * 3 + 2])"
      }
      return "author \(author): \(books)"
    }
  }

  @Test func `prefetched records are decoded from rows in different threads`() throws {
    let request = Author.order(Column("id"))
      .including(
        all: Author.books.order(Column("id")).including(all: Book.loans.order(Column("id"))))
    let database = try Self.makeDatabase()
    for _ in 0..<20 {
      let rows = try database.read { db in try Row.fetchAll(db, request) }
      let coded = inThreads(rows) { row in
        let shelf = try Shelf(row: row)
        return "\(shelf.name): \(shelf.books.map { "\($0.book.title) \($0.loans.map(\.id))" })"
      }
      #expect(coded == Self.expected)
      let byHand = inThreads(rows) { row in
        let shelf = try HandShelf.decodeWithErrors(from: row)
        return "\(shelf.name): \(shelf.books.map { "\($0.title) \($0.loans.map(\.id))" })"
      }
      #expect(byHand == Self.expected)
    }
  }

  @Test func `rows of scopes are decoded from rows in different threads`() throws {
    let request = Book.order(Column("id")).including(required: Book.author)
      .including(all: Book.loans)
    struct Info: Decodable, FetchableRecord {
      var book: Book
      var author: Author
      var loans: [Loan]
    }
    let database = try Self.makeDatabase()
    let rows = try database.read { db in try Row.fetchAll(db, request) }
    let texts = inThreads(rows) { row in
      let info = try Info(row: row)
      return "\(info.book.id) \(info.author.id) \(info.loans.count)"
    }
    let expected = rows.map { row in "\(row["id"] as Int) \(row["authorId"] as Int) 3" }
    #expect(texts == expected)
  }

  @Test func `records that contain their own kind are decoded from one row`() throws {
    let database = try DatabaseQueue()
    let rows = try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE node (id INTEGER PRIMARY KEY, parentId INTEGER REFERENCES node(id));
          INSERT INTO node VALUES (1, NULL), (2, 1), (3, 1), (4, 2), (5, 3), (6, 3);
          """)
      return try Row.fetchAll(
        db,
        Node.filter(Column("id") == 1)
          .including(
            all: Node.nodes.order(Column("id")).including(all: Node.nodes.order(Column("id")))))
    }
    #expect(try Node(row: rows[0]).text == "1[2[4[]] 3[5[] 6[]]]")
  }
}

/// A record with records of its own type inside.
private struct Node: Decodable, FetchableRecord, TableRecord {
  static let nodes = hasMany(Node.self).forKey("nodes")
  var id: Int64
  var nodes: [Node]?
  var text: String { "\(id)[\((nodes ?? []).map(\.text).joined(separator: " "))]" }
}
