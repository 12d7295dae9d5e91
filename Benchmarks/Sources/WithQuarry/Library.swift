import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

struct Author: Codable, FetchableRecord, TableRecord, AuthorValues {
  static let books = hasMany(Book.self)

  var id: Int64
  var name: String
  var country: String
  var birthYear: Int
}

struct Publisher: Codable, FetchableRecord, TableRecord {
  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, TableRecord, BookValues {
  static let author = belongsTo(Author.self)
  static let publisher = belongsTo(Publisher.self)

  var id: Int64
  var title: String
  var authorId: Int64
  var publisherId: Int64?
  var year: Int
}

/// A book with its author.
struct BookInfo: Decodable, FetchableRecord {
  var book: Book
  var author: Author
}

/// An author with all books.
struct AuthorInfo: Decodable, FetchableRecord {
  var author: Author
  var books: [Book]
}
