// The costs of common operations on this machine: swift run -c release Speed

import Foundation
import Quarry

struct Author: Codable, FetchableRecord, PersistableRecord {
  static let books = hasMany(Book.self)
  static let prizes = hasMany(Prize.self)

  var id: Int64
  var name: String
}

struct Prize: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var authorId: Int64
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let title = Column(CodingKeys.title)
    static let price = Column(CodingKeys.price)
  }

  static let author = belongsTo(Author.self)

  var id: Int64
  var authorId: Int64
  var title: String
  var price: Double
}

struct BookByHand: FetchableRecord {
  var id: Int64
  var authorId: Int64
  var title: String
  var price: Double

  init(row: Row) {
    id = row[0]
    authorId = row[1]
    title = row[2]
    price = row[3]
  }
}

struct AuthorInfo: Decodable, FetchableRecord {
  var author: Author
  var books: [Book]
}

let path = NSTemporaryDirectory() + "quarry-speed-\(UUID()).sqlite"
let shop = try DatabaseQueue(path: path)
let books = (1...20_000 as ClosedRange<Int64>).map { id in
  Book(id: id, authorId: id % 1_000 + 1, title: "Book \(id)", price: 9.5)
}

try shop.write { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
    t.column("title", .text).notNull()
    t.column("price", .double).notNull()
  }
  try db.create(table: "prize") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
  }
  try Author.insert(db, contentsOf: (1...1_000).map { Author(id: $0, name: "Author \($0)") })
}

func measure(
  _ name: String, per count: Int, after prepare: () throws -> Void = {}, _ work: () throws -> Void
) rethrows {
  var best = Duration.seconds(1_000)
  for _ in 0..<5 {
    try prepare()
    best = min(best, try ContinuousClock().measure { try work() })
  }
  let microseconds = best / .microseconds(1) / Double(count)
  let padded = name.padding(toLength: 62, withPad: " ", startingAt: 0)
  print(padded, String(format: "%10.2f µs", microseconds))
}

func deleteBooks() throws {
  _ = try shop.write { db in try Book.deleteAll(db) }
}

// Insertions
try measure("insert, each in a transaction of its own", per: 50, after: deleteBooks) {
  for book in books.prefix(50) { try shop.write { db in try book.insert(db) } }
}
try measure("insert, one by one in one transaction", per: books.count, after: deleteBooks) {
  try shop.write { db in for book in books { try book.insert(db) } }
}
try measure("insert(contentsOf:)", per: books.count, after: deleteBooks) {
  try shop.write { db in try Book.insert(db, contentsOf: books) }
}
try shop.write { db in
  try Prize.insert(db, contentsOf: (1...10_000).map { Prize(id: $0, authorId: $0 % 1_000 + 1) })
}

// One record
try measure("read of one record by key, each in a read", per: 2_000) {
  for id in 1...2_000 { _ = try shop.read { db in try Book.fetchOne(db, key: id) } }
}
try shop.read { db in
  try measure("one record by key, inside of a read", per: 2_000) {
    for id in 1...2_000 { _ = try Book.fetchOne(db, key: id) }
  }
}

// Many records
try shop.read { db in
  try measure("fetchAll of Codable records, per record", per: books.count) {
    _ = try Book.fetchAll(db)
  }
  try measure("fetchAll of records with init(row:), per record", per: books.count) {
    _ = try BookByHand.fetchAll(db, sql: "SELECT * FROM book")
  }
  try measure("Row.fetchAll, per row", per: books.count) {
    _ = try Row.fetchAll(db, sql: "SELECT * FROM book")
  }
  try measure("fetchAll of one column, per value", per: books.count) {
    _ = try String.fetchAll(db, Book.select { $0.title })
  }
  try measure("fetchCount, per row", per: books.count) { _ = try Book.fetchCount(db) }
}

// Associations
try shop.read { db in
  try measure("books of 1,000 authors: including(all:), per book", per: books.count) {
    _ = try AuthorInfo.fetchAll(db, Author.including(all: Author.books))
  }
  try measure("books of 1,000 authors: a request each, per book", per: books.count) {
    for author in try Author.fetchAll(db) { _ = try author.request(for: Author.books).fetchAll(db) }
  }
}

try shop.read { db in
  let request = Author.annotated(with: Author.books.count, Author.prizes.count)
  try measure("two counts for each author, joined, per author", per: 1_000) {
    _ = try Row.fetchAll(db, request)
  }
  try measure("two counts for each author, in subqueries, per author", per: 1_000) {
    _ = try Row.fetchAll(db, request.withAggregatesInSubqueries())
  }
}

// Indexes
try shop.read { db in
  try measure("a book by title, of 20,000, without an index", per: 1) {
    _ = try Book.filter { $0.title == "Book 19900" }.fetchOne(db)
  }
}
try shop.write { db in try db.create(indexOn: "book", columns: ["title"]) }
try shop.read { db in
  try measure("a book by title, of 20,000, with an index", per: 1) {
    _ = try Book.filter { $0.title == "Book 19900" }.fetchOne(db)
  }
}

// Changes
try measure("update of each record, one by one in one transaction", per: 2_000) {
  try shop.write { db in for book in books.prefix(2_000) { try book.update(db) } }
}
try measure("updateAll, per row", per: books.count) {
  try shop.write { db in _ = try Book.updateAll(db) { [$0.price += 1] } }
}

try shop.close()
try FileManager.default.removeItem(atPath: path)
