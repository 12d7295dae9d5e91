import Hummingbird
import Quarry

// The records are what the database stores, and what the service sends.

struct Author: Codable, FetchableRecord, MutablePersistableRecord, ResponseEncodable {
  var id: Int64?
  var name: String

  enum Columns {
    static let name = Column(CodingKeys.name)
  }

  static let books = hasMany(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: Codable, FetchableRecord, MutablePersistableRecord, ResponseEncodable {
  var id: Int64?
  var authorId: Int64
  var title: String
  var stock: Int

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let stock = Column(CodingKeys.stock)
  }

  static let author = belongsTo(Author.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// What `Author.annotated(with: Author.books.count)` fetches.
struct AuthorInfo: Codable, FetchableRecord, ResponseEncodable {
  var author: Author
  var bookCount: Int
}

/// What `Author.including(all: Author.books)` fetches.
struct AuthorWithBooks: Codable, FetchableRecord, ResponseEncodable {
  var author: Author
  var books: [Book]
}

/// What `Book.including(required: Book.author)` fetches.
struct BookWithAuthor: Codable, FetchableRecord, ResponseEncodable {
  var book: Book
  var author: Author
}

extension DatabaseMigrator {
  /// The schema is the last one to say no: names are there once, books have authors, and stocks
  /// can't be negative.
  static var shop: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("authors and books") { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique().check { length($0) > 0 }
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("author").notNull()
        t.column("title", .text).notNull().indexed().check { length($0) > 0 }
        t.column("stock", .integer).notNull().check { $0 >= 0 }
      }
    }
    return migrator
  }
}
