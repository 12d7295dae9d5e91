import Quarry
import QuarryTestSupport

/// The tables of the tests of observation: authors, books and reviews that go with them, shelves
/// without rowids.
let shopSchema = """
  CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, country TEXT);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, year INTEGER, price DOUBLE,
    authorId INTEGER REFERENCES author(id) ON DELETE CASCADE);
  CREATE TABLE review (
    id INTEGER PRIMARY KEY, bookId INTEGER REFERENCES book(id) ON DELETE CASCADE, score INTEGER);
  CREATE TABLE shelf (
    room TEXT NOT NULL, num INTEGER NOT NULL, label TEXT, PRIMARY KEY (room, num)) WITHOUT ROWID;
  CREATE TABLE country (code TEXT NOT NULL PRIMARY KEY, name TEXT);
  CREATE TABLE note (text TEXT);
  """

/// Calls `body` with a new shop in memory, outside of transactions.
func withShop<T>(_ body: (Database) throws -> T) throws -> T {
  let queue = try DatabaseQueue()
  return try queue.writeWithoutTransaction { db in
    try db.execute(sql: shopSchema)
    return try body(db)
  }
}

/// Calls `body` with new shops of all kinds.
func withShop(_ kind: ConnectionKind, _ body: (any DatabaseWriter) throws -> Void) throws {
  try kind.withDatabase { writer in
    try writer.write { db in try db.execute(sql: shopSchema) }
    try body(writer)
  }
}

struct Author: Codable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var name: String?
  var country: String?
  static let books = hasMany(Book.self)
  static let reviews = hasMany(Review.self, through: books, using: Book.reviews)
  var books: QueryInterfaceRequest<Book> { request(for: Author.books) }
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var title: String?
  var year: Int?
  var price: Double?
  var authorId: Int64?
  static let author = belongsTo(Author.self)
  static let reviews = hasMany(Review.self)
}

struct Review: Codable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var bookId: Int64?
  var score: Int?
}
