// SQL functions, aggregates and collations in Swift.

import Foundation
import Quarry
import QuarryFunctions

// snippet.function
let initials = DatabaseFunction("initials", argumentCount: 1, pure: true) { values in
  guard let name = String.fromDatabaseValue(values[0]) else { return nil }
  return name.split(separator: " ").compactMap(\.first).map(String.init).joined()
}
// snippet.end

// snippet.aggregate
struct Longest: DatabaseAggregate {
  var text: String?

  mutating func step(_ values: [DatabaseValue]) {
    guard let other = String.fromDatabaseValue(values[0]) else { return }
    if other.count > text?.count ?? 0 { text = other }
  }

  func finalize() -> (any DatabaseValueConvertible)? { text }
}

let longest = DatabaseFunction("longest", argumentCount: 1, aggregate: Longest.self)
// snippet.end

// snippet.collation
let withoutArticle = DatabaseCollation("withoutArticle") { left, right in
  func key(_ title: String) -> String {
    title.hasPrefix("The ") ? String(title.dropFirst(4)) : title
  }
  return key(left).compare(key(right))
}
// snippet.end

// snippet.trust
let shortened = DatabaseFunction("shortened", argumentCount: 1, pure: true, trust: .innocuous) {
  values in
  String.fromDatabaseValue(values[0]).map { String($0.prefix(10)) }
}
let deleteFile = DatabaseFunction("deleteFile", argumentCount: 1, trust: .directOnly) { values in
  guard let path = String.fromDatabaseValue(values[0]) else { return nil }
  try FileManager.default.removeItem(atPath: path)
  return path
}
// snippet.end

// snippet.configuration
var configuration = Configuration()
configuration.prepareDatabase { db in
  db.add(function: initials)
  db.add(function: longest)
  db.add(function: .regexp)
  db.add(collation: withoutArticle)
}
// snippet.end
configuration.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let shop = try DatabaseQueue(configuration: configuration)

try shop.write { db in
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.column("title", .text)
    t.column("author", .text)
  }
  try db.execute(
    sql: """
      INSERT INTO book (title, author)
      VALUES ('The Trial', 'Franz Kafka'), ('Emma', 'Jane Austen'), ('Orlando', 'Virginia Woolf')
      """)
}

struct Book: TableRecord {
  enum Columns {
    static let title = Column("title")
    static let author = Column("author")
  }
}

try shop.read { db in
  // snippet.use
  // SELECT initials("author") FROM "book" ORDER BY "title" COLLATE withoutArticle
  let letters =
    try Book
    .order { $0.title.collating(withoutArticle) }
    .select({ initials($0.author) }, as: String.self)
    .fetchAll(db)
  print(letters)  // ["JA", "VW", "FK"]

  // SELECT longest("title") FROM "book"
  print(try Book.select({ longest($0.title) }, as: String.self).fetchOne(db) ?? "")  // The Trial

  // SELECT COUNT(*) FROM "book" WHERE "title" REGEXP '^[A-M]'
  print(try Book.filter { $0.title.regexp("^[A-M]") }.fetchCount(db))  // 1

  print(try String.fetchAll(db, sql: "SELECT initials(author) FROM book"))  // ["FK", "JA", "VW"]
  // snippet.end

  // snippet.builtin
  // SELECT UPPER("title"), LENGTH("title"), INSTR("author", ' '), "GLOB"('E*', "title") FROM …
  let row = try Row.fetchOne(
    db,
    Book.filter { $0.title == "Emma" }.select {
      [
        upper($0.title), length($0.title), instr($0.author, " "),
        SQLExpression.function("GLOB", "E*", $0.title),
      ]
    })
  // snippet.end
  print(row ?? [:])
}
