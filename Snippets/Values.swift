// Values: dates, numbers, texts, enums, JSON; how they are stored, and how they are read.

import Foundation
import Quarry
import QuarryFunctions

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let queue = try DatabaseQueue(configuration: traced)

// snippet.record
enum Genre: String, Codable, DatabaseValueConvertible {
  case novel, poems
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  struct Publisher: Codable {
    var name: String
    var city: String
  }

  var id: UUID
  var genre: Genre
  var price: Decimal
  var acquired: Date
  var publisher: Publisher  // a JSON object in one column
  var tags: [String]  // a JSON array
}

try queue.write { db in
  try db.create(table: "book") { t in
    t.primaryKey("id", .blob)
    t.column("genre", .text).notNull()
    t.column("price", .text).notNull()  // not .numeric, which makes a double of it
    t.column("acquired", .datetime).notNull()
    t.column("publisher", .jsonText).notNull()
    t.column("tags", .jsonText).notNull()
  }
}
// snippet.end

guard let id = UUID(uuidString: "6E0B84A2-0F5B-4C45-9B1B-0E3A8A8E4C11"),
  let price = Decimal(string: "12345678901234567890.12")
else { fatalError() }

// snippet.store
// INSERT INTO "book" … VALUES (x'6e0b84a2…','novel','12345678901234567890.12',
// …'2024-03-01 12:30:00.000','{"city":"Prague","name":"Meridian"}','["law","fear"]')
let book = Book(
  id: id, genre: .novel, price: price, acquired: Date(timeIntervalSince1970: 1_709_296_200),
  publisher: .init(name: "Meridian", city: "Prague"), tags: ["law", "fear"])
try queue.write { db in
  try book.insert(db)
  print(try Book.find(db, key: id).price == price)  // true
}
// snippet.end

// snippet.query
try queue.read { db in
  let prague = Book.filter(JSONColumn("publisher")["city"] == "Prague")
  print(try prague.fetchCount(db))  // 1

  // Dates are texts in UTC, which sort as dates do.
  let spring = Date(timeIntervalSince1970: 1_709_251_200)  // 2024-03-01 00:00:00 UTC
  print(try Book.filter(Column("acquired") >= spring).fetchCount(db))  // 1

  // SELECT STRFTIME('%Y-%m', "acquired") FROM "book"
  let months = Book.select(strftime("%Y-%m", Column("acquired")), as: String.self)
  print(try months.fetchAll(db))  // ["2024-03"]
}
// snippet.end

// snippet.embedded
struct Visitor: Codable, FetchableRecord, PersistableRecord {
  struct Address: Codable {
    var street: String
    var city: String?
  }

  var name: String
  var home: Address
  var work: Address?

  static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home, CodingKeys.work] }
}

try queue.write { db in
  try db.create(table: "visitor") { t in
    t.column("name", .text).notNull()
    t.column("home_street", .text).notNull()
    t.column("home_city", .text)
    t.column("work_street", .text)
    t.column("work_city", .text)
  }
  let home = Visitor.Address(street: "Via Roma", city: "Turin")
  try Visitor(name: "Anna", home: home, work: nil).insert(db)
  let inTurin = try Visitor.filter(Column("home_city") == "Turin").fetchAll(db)
  print(inTurin.count)  // 1
}
// snippet.end

// snippet.strategies
struct Visit: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var entered: Date

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .millisecondsSince1970
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .millisecondsSince1970
  }
}
// snippet.end
try queue.write { db in
  try db.create(table: "visit") { t in
    t.primaryKey("id", .integer)
    t.column("entered", .integer)
  }
  // INSERT INTO "visit" ("id", "entered") VALUES (1,1500)
  try Visit(id: 1, entered: Date(timeIntervalSince1970: 1.5)).insert(db)
  print(try Visit.find(db, key: 1).entered.timeIntervalSince1970)  // 1.5
}

try queue.read { db in
  // snippet.conversions
  let price = try Int.fetchOne(db, sql: "SELECT '120' AS price")
  print(price ?? 0)  // 120

  // An Int could not be read: the average has a fraction.
  let average = try Double.fetchOne(db, sql: "SELECT AVG(column1) FROM (VALUES (1), (2))")
  print(average ?? 0)  // 1.5

  let sum = try String.fetchOne(db, sql: "SELECT 0.1 + 0.2")
  print(sum ?? "")  // 0.30000000000000004

  let row = try Row.fetchOne(db, sql: "SELECT 'Chai' AS name")
  do {
    _ = try row?.decode(Int.self, forColumn: "name")
  } catch {
    print(error)  // could not decode Int from database value "Chai" - column: "name", …
  }
  // snippet.end
}

// snippet.own
struct Temperature: DatabaseValueConvertible {
  var celsius: Double

  var databaseValue: DatabaseValue { celsius.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Temperature? {
    Double.fromDatabaseValue(dbValue).map(Temperature.init)
  }
}
// snippet.end
let frost = try queue.read { db in
  try Temperature.fetchOne(db, sql: "SELECT ?", arguments: [Temperature(celsius: -4)])
}
print(frost?.celsius ?? 0)  // -4.0

// snippet.plain
struct AuthorTitles: Decodable, FetchableRecord {
  var name: String
  var books: [String]
}

struct Author: TableRecord {
  static let books = hasMany(Title.self)
}

struct Title: TableRecord {}
// snippet.end

try queue.write { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text)
  }
  try db.create(table: "title") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author")
    t.column("text", .text)
  }
  try db.execute(
    sql: """
      INSERT INTO author VALUES (1, 'Kafka');
      INSERT INTO title VALUES (1, 1, 'The Trial'), (2, 1, 'The Castle');
      """)

  // snippet.titles
  // SELECT "text", "authorId" AS "grdb_authorId" FROM "title" WHERE …
  let request = Author.including(all: Author.books.select(Column("text")).forKey("books"))
  let authors = try AuthorTitles.fetchAll(db, request)
  print(authors[0].books)  // ["The Trial", "The Castle"]
  // snippet.end
}
