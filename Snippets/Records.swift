// Records: Swift types for the rows of a table.

import Quarry
import QuarryRecords

var traced = Configuration()
traced.prepareDatabase { db in db.trace { print($0.expandedDescription) } }
let shop = try DatabaseQueue(configuration: traced)

try shop.write { db in
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("isbn", .text).unique()
    t.column("title", .text).notNull()
    t.column("copies", .integer).notNull().defaults(to: 0)
  }
  try db.create(table: "shelfMark") { t in
    t.primaryKey(["hall", "number"])
    t.column("hall", .text)
    t.column("number", .integer)
    t.column("bookId", .integer).notNull().references("book")
  }
}

// snippet.record
struct Book: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var isbn: String?
  var title: String
  var copies = 0

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let isbn = Column(CodingKeys.isbn)
    static let title = Column(CodingKeys.title)
    static let copies = Column(CodingKeys.copies)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
// snippet.end

// snippet.compound
struct ShelfMark: Codable, FetchableRecord, PersistableRecord {
  var hall: String
  var number: Int
  var bookId: Int64
}
// snippet.end

// snippet.partial
struct BookTitle: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }

  var id: Int64
  var title: String
}
// snippet.end

try shop.write { db in
  // snippet.insert
  var book = Book(id: nil, isbn: "978-1", title: "The Trial")
  try book.insert(db)  // sets the id, by didInsert
  print(book.id ?? 0)  // 1

  // With default and generated values, not those that AFTER triggers write: INSERT … RETURNING *
  let emma = try Book(title: "Emma").insertAndFetch(db)
  // snippet.end
  print(emma.title)

  // snippet.update
  book.copies = 3
  try book.update(db)

  // Only the columns that change: UPDATE "book" SET "copies"=4 WHERE "id"=1
  try book.updateChanges(db) { $0.copies = 4 }

  try book.save(db)  // an update, or an insertion where there is no such row
  // snippet.end

  // snippet.upsert
  // INSERT INTO "book" … ON CONFLICT("isbn")
  // DO UPDATE SET "copies" = "copies" + "excluded"."copies" …
  var delivery = Book(isbn: "978-1", title: "The Trial", copies: 10)
  let stocked = try delivery.upsertAndFetch(
    db, onConflict: ["isbn"], updating: .noColumnUnlessSpecified
  ) { excluded in
    [Column("copies") += excluded["copies"]]
  }
  print(stocked.copies)  // 14
  // snippet.end

  // snippet.fetch
  let all = try Book.fetchAll(db)
  let first = try Book.fetchOne(db, key: 1)  // nil where there is no such row
  let found = try Book.find(db, key: 1)  // an error where there is none
  let byISBN = try Book.fetchOne(db, key: ["isbn": "978-1"])  // any unique key
  let count = try Book.fetchCount(db)
  // snippet.end
  print(all.count, first == nil, found.title, byISBN?.copies ?? 0, count)

  // snippet.use
  try ShelfMark(hall: "North", number: 7, bookId: 1).insert(db)
  let mark = try ShelfMark.find(db, key: ["hall": "North", "number": 7])
  // snippet.end

  // snippet.delete
  try mark.delete(db)  // true if there was a row
  try Book.deleteOne(db, key: 2)
  try Book.filter { $0.copies == 0 }.deleteAll(db)  // the number of deleted rows
  // snippet.end

  try db.create(table: "soldBook") { t in
    t.primaryKey("id", .integer)
    t.column("isbn", .text)
    t.column("title", .text).notNull()
    t.column("copies", .integer).notNull()
  }
  // snippet.table
  // INSERT INTO "soldBook" ("id", "isbn", "title", "copies") VALUES (1,'978-1','The Trial',14)
  var sold = try Book.find(db, key: 1)
  try sold.insert(db, into: "soldBook")

  sold.copies = 0
  try sold.update(db, in: "soldBook")
  print(try Table<Book>("soldBook").fetchAll(db).map(\.copies))  // [0]
  print(try Book.find(db, key: 1).copies)  // 14

  try sold.delete(db, from: "soldBook")
  // snippet.end

  print(try BookTitle.fetchAll(db))
}
