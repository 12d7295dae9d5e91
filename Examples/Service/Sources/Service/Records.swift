import Hummingbird
import Quarry

struct Author: Codable, Equatable, FetchableRecord, MutablePersistableRecord, ResponseCodable {
  var id: Int64?
  var name: String

  static let books = hasMany(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: Codable, Equatable, FetchableRecord, MutablePersistableRecord, ResponseCodable {
  var id: Int64?
  var authorId: Int64
  var title: String
  var year: Int?

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
  }

  static let author = belongsTo(Author.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct BookWithAuthor: Codable, Equatable, FetchableRecord, ResponseCodable {
  var book: Book
  var author: Author
}

/// A row of the view `shelf`.
struct Shelf: Codable, Equatable, FetchableRecord, TableRecord, ResponseCodable {
  var author: String
  var bookCount: Int
}

extension DatabaseMigrator {
  static var shop: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("authors and books") { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().unique()
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("author").notNull()
        t.column("title", .text).notNull().check { length($0) > 0 }
        t.column("year", .integer)
      }
    }
    migrator.registerMigration("shelves") { db in
      try db.create(
        view: "shelf",
        as: SQLRequest<Row>(
          sql: """
            SELECT author.name AS author, COUNT(book.id) AS bookCount
            FROM author LEFT JOIN book ON book.authorId = author.id GROUP BY author.id
            """))
    }
    return migrator
  }
}
