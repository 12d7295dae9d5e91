import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

struct Author: Codable, FetchableRecord, EncodableRecord, TableRecord, AuthorValues {
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
struct BookInfo: Decodable, FetchableRecord, RowValues {
  var book: Book
  var author: Author

  func add(to checksum: inout Checksum) {
    book.add(to: &checksum)
    author.add(to: &checksum)
  }
}

/// An author with all books.
struct AuthorInfo: Decodable, FetchableRecord, RowValues {
  var author: Author
  var books: [Book]

  func add(to checksum: inout Checksum) {
    author.add(to: &checksum)
    for book in books { book.add(to: &checksum) }
  }
}
