// The library of the examples: authors, their books, and what belongs to them.

import Foundation
import Quarry

struct Author: Codable, Identifiable, FetchableRecord, PersistableRecord {
  static let books = hasMany(Book.self)
  static let prizes = hasMany(Prize.self)
  var id: Int64
  var name: String
}

struct Prize: Codable, FetchableRecord, PersistableRecord {
  var authorId: Int64
}

struct Book: Codable, Identifiable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let title = Column(CodingKeys.title)
    static let year = Column(CodingKeys.year)
    static let isSold = Column("isSold")
  }

  static let author = belongsTo(Author.self)
  static let person = belongsTo(Person.self)
  static let publisher = belongsTo(Publisher.self)
  var id: Int64
  var authorId: Int64
  var title: String?
  var year: Int?
}

struct Publisher: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct Person: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
}

struct ArchivedBook: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
}

struct Review: Codable, FetchableRecord, PersistableRecord {
  var bookId: Int64
  var score: Int
}

struct Shop: Codable, FetchableRecord, PersistableRecord {
  var name: String
}

struct StockMove: Codable, FetchableRecord, PersistableRecord {
  var shop: String
  var isbn: String
}

struct Library: Codable, FetchableRecord, PersistableRecord {
  static let address = hasOne(Address.self)
  var id: Int64
}

struct Address: Codable, FetchableRecord, PersistableRecord {
  var libraryId: Int64
}

struct Employee: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var managerId: Int64?
}

struct Document: Codable, FetchableRecord, PersistableRecord {
  var title: String
  var body: String
}

struct Tag: Decodable, FetchableRecord {}

let author = Author(id: 1, name: "Franz Kafka")
let book = Book(id: 1, authorId: 1)
let recent = CommonTableExpression<Book>(named: "recent", request: Book.all())
let cte1 = CommonTableExpression(named: "cte1", request: Book.all())
let cte2 = CommonTableExpression(named: "cte2", request: Author.all())
let latestMessage = CommonTableExpression(named: "latestMessage", request: Message.all())
let defaultTitle = "Untitled"
let firstYear = 1800
