// Records that are saved with their associated records.

import Quarry
import QuarryRecords

// snippet.records
struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  static let books = hasMany(Book.self)
  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  static let chapters = hasMany(Chapter.self)
  static let bookGenres = hasMany(BookGenre.self)
  static let genres = hasMany(Genre.self, through: bookGenres, using: BookGenre.genre)
  var id: Int64?
  var authorId: Int64?
  var title: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
// snippet.end

struct Chapter: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var bookId: Int64?
  var number: Int
  var title: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Genre: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
}

struct BookGenre: Codable, FetchableRecord, PersistableRecord {
  static let genre = belongsTo(Genre.self)
  var bookId: Int64
  var genreId: Int64
}

// snippet.value
struct AuthorInfo: Decodable, FetchableRecord {
  var author: Author
  var books: [Book]

  static let graph = SavedGraph(\AuthorInfo.author)
    .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
}
// snippet.end

// snippet.levels
struct BookInfo: Decodable, FetchableRecord {
  var book: Book
  var chapters: [Chapter]
  var genres: [Genre]

  static let graph = SavedGraph(\BookInfo.book)
    .having(many: \.chapters, Book.chapters, key: \.bookId, missing: .delete)
    .linking(many: \.genres, Book.genres, saving: .untouched, missing: .unlink)
}

struct Work: Decodable, FetchableRecord {
  var author: Author
  var books: [BookInfo]

  static let graph = SavedGraph(\Work.author)
    .having(many: \.books, Author.books, as: BookInfo.graph, key: \.authorId, missing: .refuse)
}
// snippet.end

var configuration = Configuration()
configuration.prepareDatabase { db in
  db.trace { print($0, $0.expandedDescription, separator: "\n") }
}
let queue = try DatabaseQueue(configuration: configuration)
var migrator = DatabaseMigrator()
migrator.registerMigration("library") { db in
  try db.create(table: "author") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.belongsTo("author")
    t.column("title", .text).notNull().unique()
  }
  try db.create(table: "chapter") { t in
    t.autoIncrementedPrimaryKey("id")
    t.belongsTo("book").notNull()
    t.column("number", .integer).notNull()
    t.column("title", .text).notNull()
    t.uniqueKey(["bookId", "number"])
  }
  try db.create(table: "genre") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
  }
  try db.create(table: "bookGenre") { t in
    t.primaryKey {
      t.belongsTo("book")
      t.belongsTo("genre")
    }
  }
}
try migrator.migrate(queue)

try queue.write { db in
  // snippet.insert
  var info = AuthorInfo(
    author: Author(name: "Jane Austen"), books: [Book(title: "Emma"), Book(title: "Sanditon")])
  try info.save(db, AuthorInfo.graph)
  print(info.books.map(\.authorId))  // [Optional(1), Optional(1)]
  // snippet.end
}

try queue.write { db in
  // snippet.change
  let request = Author.filter(key: 1).including(all: Author.books).asRequest(of: AuthorInfo.self)
  guard var info = try request.fetchOne(db) else { return }
  info.books[0].title = "Emma: A Novel"
  info.books[1] = Book(title: "Persuasion")

  // DELETE FROM "book" WHERE "id" = 2

  // UPDATE "book" SET "authorId"=1, "title"='Emma: A Novel' WHERE "id"=1

  // INSERT INTO "book" ("id", "authorId", "title") VALUES (NULL,1,'Persuasion')
  try info.save(db, AuthorInfo.graph)
  // snippet.end
}

try queue.write { db in
  try Genre(id: 1, name: "novel").insert(db)

  // snippet.deep
  var work = Work(
    author: Author(name: "George Eliot"),
    books: [
      BookInfo(
        book: Book(title: "Romola"),
        chapters: [
          Chapter(number: 1, title: "The Shipwrecked Stranger"),
          Chapter(number: 2, title: "Breakfast for Love"),
        ],
        genres: [Genre(id: 1, name: "novel")])
    ])
  try work.save(db, Work.graph)
  print(work.books[0].chapters.map(\.bookId))  // [Optional(4), Optional(4)]
  // snippet.end

  // snippet.error
  work.books[0].chapters[1].title = "Breakfast"
  work.books.append(BookInfo(book: Book(title: "Persuasion"), chapters: [], genres: []))
  do {
    try work.save(db, Work.graph)
  } catch let error as GraphSaveError {
    print(error.path)  // author.books[1].title
    print(error.reason)  // failure
    if let cause = error.underlyingError as? DatabaseError {
      print(cause.constraint?.columns ?? [])  // ["title"]
    }
  }
  // snippet.end

  // snippet.exchange
  work.books.removeLast()
  work.books[0].chapters[0].number = 2
  work.books[0].chapters[1].number = 1
  try db.inSavepoint {
    var free = work
    for index in free.books[0].chapters.indices {
      free.books[0].chapters[index].number = -1 - index  // numbers that no chapter has
    }
    try free.save(db, Work.graph)
    try work.save(db, Work.graph)
    return .commit
  }
  // snippet.end
  print(try Chapter.order(Column("number")).fetchAll(db).map(\.id))  // [Optional(2), Optional(1)]
}
