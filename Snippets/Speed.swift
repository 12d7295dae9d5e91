// Costs of common operations on this machine: swift run -c release Speed

import Foundation
import Quarry

struct Author: Codable, FetchableRecord, PersistableRecord {
  static let books = hasMany(Book.self)

  var id: Int64
  var name: String
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
  try Author.insert(db, contentsOf: (1...1_000).map { Author(id: $0, name: "Author \($0)") })
}

func measure(_ name: String, per count: Int, _ work: () throws -> Void) rethrows {
  let times = try (0..<3).map { _ in try ContinuousClock().measure { try work() } }
  let microseconds = (times.min() ?? .zero) / .microseconds(1) / Double(count)
  print(
    name.padding(toLength: 62, withPad: " ", startingAt: 0),
    String(format: "%9.2f µs", microseconds))
}

let some = books.prefix(50)

// Insertions
try measure("insert, each in a transaction of its own", per: some.count) {
  try shop.write { db in _ = try Book.deleteAll(db) }
  for book in some { try shop.write { db in try book.insert(db) } }
}
try measure("insert, one by one in one transaction", per: books.count) {
  try shop.write { db in
    try Book.deleteAll(db)
    for book in books { try book.insert(db) }
  }
}
try measure("insert(contentsOf:)", per: books.count) {
  try shop.write { db in
    try Book.deleteAll(db)
    try Book.insert(db, contentsOf: books)
  }
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

// Changes
try measure("update of each record, one by one in one transaction", per: 2_000) {
  try shop.write { db in for book in books.prefix(2_000) { try book.update(db) } }
}
try measure("updateAll, per row", per: books.count) {
  try shop.write { db in _ = try Book.updateAll(db) { [$0.price += 1] } }
}

try shop.close()
try FileManager.default.removeItem(atPath: path)
