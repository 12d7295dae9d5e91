// Versions, soft deletion and the history of records.

import Foundation
import Quarry
import QuarryRecords

// snippet.version
struct Article: Codable, FetchableRecord, VersionedRecord {
  var id: Int64
  var title: String
  var stock: Int
  var version = 1
}
// snippet.end

// snippet.softDeletion
struct Author: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  static let books = hasMany(Book.self)
  var id: Int64
  var name: String
}

struct Book: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  static let author = belongsTo(Author.self)
  var id: Int64
  var authorId: Int64
  var isbn: String
  var title: String
}
// snippet.end

// snippet.dates
struct Note: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var text: String
  var created: Date?
  var changed: Date?

  mutating func willInsert(_ db: Database) throws {
    created = try db.transactionDate
    changed = created
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

  /// Updates the columns that differ, and the date if there are any.
  @discardableResult
  mutating func change(_ db: Database, _ modify: (inout Note) throws -> Void) throws -> Bool {
    try updateChanges(db) { note in
      let old = note
      try modify(&note)
      if !note.databaseEquals(old) { note.changed = try db.transactionDate }
    }
  }
}
// snippet.end

struct AuthorWithBooks: Decodable, FetchableRecord {
  var author: Author
  var books: [Book]
}

var configuration = Configuration()
configuration.prepareDatabase { db in
  db.trace { print($0, $0.expandedDescription, separator: "\n") }
}
let queue = try DatabaseQueue(configuration: configuration)
var migrator = DatabaseMigrator()

// snippet.versionColumn
migrator.registerMigration("articles") { db in
  try db.create(table: "article") { t in
    t.primaryKey("id", .integer)
    t.column("title", .text).notNull()
    t.column("stock", .integer).notNull()
    t.column("version", .integer).notNull().defaults(to: 1)
  }
}
// snippet.end

// snippet.deletionColumn
migrator.registerMigration("books") { db in
  try db.create(table: "author") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
    t.column("deletedAt", .datetime)
  }
  try db.create(table: "book") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("author").notNull()
    t.column("isbn", .text).notNull()
    t.column("title", .text).notNull()
    t.column("deletedAt", .datetime)
  }
  // Of the books that are not deleted, each has an ISBN of its own.
  try db.create(
    index: "bookISBN", on: "book", columns: ["isbn"], options: .unique,
    condition: Column("deletedAt") == nil)
}
// snippet.end

// snippet.history
migrator.registerMigration("history of books") { db in
  try db.createHistory(of: "book")
}
// snippet.end

// snippet.historyColumn
migrator.registerMigration("subtitles") { db in
  try db.updateHistory(of: "book") {
    try db.alter(table: "book") { t in t.add(column: "subtitle", .text) }
  }
}
// snippet.end

// snippet.historyRename
migrator.registerMigration("names of books") { db in
  try db.updateHistory(of: "book") {
    for table in ["book", "book_history"] {
      try db.alter(table: table) { t in t.rename(column: "subtitle", to: "series") }
    }
  }
}
// snippet.end

migrator.registerMigration("notes") { db in
  try db.create(table: "note") { t in
    t.primaryKey("id", .integer)
    t.column("text", .text).notNull()
    t.column("created", .datetime).notNull()
    t.column("changed", .datetime).notNull()
  }
}

try migrator.migrate(queue)

try queue.write { db in
  // snippet.change
  // INSERT INTO "note" ("id", "text", "created", "changed") VALUES (NULL,'Milk','…','…')
  var note = try Note(text: "Milk").inserted(db)

  // UPDATE "note" SET "text"='Bread'… WHERE "id"=1
  try note.change(db) { $0.text = "Bread" }
  print(try note.change(db) { $0.text = "Bread" })  // false
  // snippet.end
}

try queue.write { db in
  // snippet.conflict
  var mine = try Article(id: 1, title: "Lamp", stock: 5).inserted(db)
  var theirs = try Article.find(db, key: 1)

  // UPDATE "article" SET "title"='Lamp', "stock"=4, "version"="version"+1 WHERE "id"=1
  // AND "version"=1
  theirs.stock -= 1
  try theirs.update(db)
  print(theirs.version)  // 2

  mine.stock -= 2
  do {
    try mine.update(db)
  } catch let error as StaleRecordError {
    print(error.version, error.currentVersion ?? .null)  // 1 2
  }
  // snippet.end
}

// snippet.retry
func sell(_ count: Int, of id: Int64) throws {
  while true {
    do {
      var article = try queue.read { db in try Article.find(db, key: id) }
      article.stock -= count
      try queue.write { [article] db in try article.update(db) }
      return
    } catch is StaleRecordError {
      // Somebody else was faster: once more, with the current row.
    }
  }
}
// snippet.end
try sell(2, of: 1)
print(try queue.read { db in try Article.find(db, key: 1).stock })  // 2

try queue.write { db in
  // snippet.requests
  try Author(id: 1, name: "Jane Austen").insert(db)
  let book = Book(id: 1, authorId: 1, isbn: "1", title: "Emma")
  try book.insert(db)
  try Book(id: 2, authorId: 1, isbn: "2", title: "Persuasion").insert(db)

  // UPDATE "book" SET "deletedAt" = … WHERE ("id" = 1) AND ("deletedAt" IS NULL)
  try book.delete(db)

  // SELECT * FROM "book" WHERE "deletedAt" IS NULL
  print(try Book.fetchAll(db).map(\.title))  // ["Persuasion"]
  print(try Book.fetchOne(db, key: 1) == nil)  // true

  // SELECT "author".*, "book".* FROM "author"
  // LEFT JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL)
  // WHERE "author"."deletedAt" IS NULL
  _ = try Row.fetchAll(db, Author.including(optional: Author.books))

  // All books, of authors that are not deleted
  let request = Author.including(all: Author.books.withDeleted())
  print(try AuthorWithBooks.fetchAll(db, request).map(\.books.count))  // [2]

  print(try Book.onlyDeleted().fetchAll(db).map(\.title))  // ["Emma"]
  // snippet.end

  // snippet.restore
  // UPDATE "book" SET "deletedAt" = NULL WHERE ("deletedAt" IS NOT NULL) AND ("id" = 1)
  try book.restore(db)

  // DELETE FROM "book" WHERE "id"=1
  try book.forceDelete(db)

  // Rows that were deleted a month ago
  let limit = Date(timeIntervalSinceNow: -30 * 24 * 3600)
  try Book.onlyDeleted().filter(Column("deletedAt") < limit).forceDeleteAll(db)
  // snippet.end

  // snippet.entries
  // SELECT * FROM "book_history" WHERE "id" = 1 ORDER BY "historyId"
  for entry in try Book.history(key: 1).fetchAll(db) {
    print(entry.operation, entry.record.title)
  }
  // snippet.end
}
