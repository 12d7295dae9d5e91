import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

// The records of the library, decoded by hand.

struct IndexedAuthor: FetchableRecord, TableRecord, AuthorValues {
  static let databaseTableName = "author"
  static let books = hasMany(IndexedBook.self, key: "books")

  var id: Int64
  var name: String
  var country: String
  var birthYear: Int

  init(row: Row) {
    id = row[0]
    name = row[1]
    country = row[2]
    birthYear = row[3]
  }
}

struct IndexedBook: FetchableRecord, TableRecord, BookValues {
  static let databaseTableName = "book"
  static let author = belongsTo(IndexedAuthor.self, key: "author")

  var id: Int64
  var title: String
  var authorId: Int64
  var publisherId: Int64?
  var year: Int

  init(row: Row) {
    id = row[0]
    title = row[1]
    authorId = row[2]
    publisherId = row[3]
    year = row[4]
  }
}

struct IndexedBookInfo: FetchableRecord, RowValues {
  var book: IndexedBook
  var author: IndexedAuthor

  init(row: Row) {
    book = IndexedBook(row: row)
    author = row["author"]
  }

  func add(to checksum: inout Checksum) {
    book.add(to: &checksum)
    author.add(to: &checksum)
  }
}

struct IndexedAuthorInfo: FetchableRecord, RowValues {
  var author: IndexedAuthor
  var books: [IndexedBook]

  init(row: Row) {
    author = IndexedAuthor(row: row)
    books = row["books"]
  }

  func add(to checksum: inout Checksum) {
    author.add(to: &checksum)
    for book in books { book.add(to: &checksum) }
  }
}
