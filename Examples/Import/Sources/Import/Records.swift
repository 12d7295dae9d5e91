import Foundation
import Quarry

/// A line of the file: so many copies of a book were sold for a price.
struct Sale: Codable, FetchableRecord, PersistableRecord {
  var isbn: String
  var day: String
  var copies: Int
  var price: Double
}

/// How far a file is imported.
struct ImportState: Codable, FetchableRecord, PersistableRecord {
  var file: String
  /// The size of the file, which must stay the same.
  var size: Int64
  /// Where the next line begins, in bytes.
  var offset: Int64 = 0
  /// The number of the next line, from 1.
  var line = 1
  var imported = 0
  var rejected = 0

  var isComplete: Bool { offset == size }
}

/// A line that is no sale.
struct RejectedLine: Codable, Equatable, FetchableRecord, PersistableRecord {
  var file: String
  var line: Int
  var reason: String

  enum Columns {
    static let file = Column(CodingKeys.file)
    static let line = Column(CodingKeys.line)
  }
}

extension DatabaseMigrator {
  static var shop: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sales and their imports") { db in
      try db.create(table: "sale") { t in
        t.column("isbn", .text).notNull()
        t.column("day", .text).notNull()
        t.column("copies", .integer).notNull()
        t.column("price", .double).notNull()
      }
      try db.create(table: "importState") { t in
        t.primaryKey("file", .text)
        t.column("size", .integer).notNull()
        t.column("offset", .integer).notNull()
        t.column("line", .integer).notNull()
        t.column("imported", .integer).notNull()
        t.column("rejected", .integer).notNull()
      }
      try db.create(table: "rejectedLine") { t in
        t.primaryKey {
          t.column("file", .text)
          t.column("line", .integer)
        }
        t.column("reason", .text).notNull()
      }
    }
    return migrator
  }
}

extension Sale {
  struct Mistake: Error {
    var reason: String
  }

  static let header = ["isbn", "day", "copies", "price"]

  /// Creates a sale from the fields of a line.
  init(_ fields: [String]) throws {
    guard fields.count == Self.header.count else {
      throw Mistake(reason: "\(fields.count) fields instead of \(Self.header.count)")
    }
    isbn = fields[0]
    day = fields[1]
    guard isbn.count == 13, isbn.allSatisfy(\.isWholeNumber) else {
      throw Mistake(reason: "isbn: '\(isbn)' has not 13 digits")
    }
    guard day.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else {
      throw Mistake(reason: "day: '\(day)' is no day")
    }
    guard let copies = Int(fields[2]), copies > 0 else {
      throw Mistake(reason: "copies: '\(fields[2])' is no number of copies")
    }
    guard let price = Double(fields[3]), price.isFinite, price >= 0 else {
      throw Mistake(reason: "price: '\(fields[3])' is no price")
    }
    self.copies = copies
    self.price = price
  }
}
