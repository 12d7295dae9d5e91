// Ten minutes: a record, its table, and what can be done with them.

// snippet.record
import Foundation
import Quarry

struct Book: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var isLent = false
  var acquired: Date?

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let title = Column(CodingKeys.title)
    static let isLent = Column(CodingKeys.isLent)
    static let acquired = Column(CodingKeys.acquired)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
// snippet.end

// snippet.table
let library = try DatabaseQueue(path: "library.sqlite")

var migrator = DatabaseMigrator()
migrator.registerMigration("books") { db in
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text).notNull()
    t.column("isLent", .boolean).notNull().defaults(to: false)
    t.column("acquired", .datetime)
  }
}
try migrator.migrate(library)
// snippet.end

try library.write { db in db.trace { print($0.expandedDescription) } }

// snippet.write
// A write is one transaction: all of it or nothing.
try library.write { db in
  var trial = Book(title: "The Trial", acquired: Date())
  try trial.insert(db)
  trial.isLent = true
  try trial.update(db)

  var emma = Book(title: "Emma")
  try emma.insert(db)
}
// snippet.end

// snippet.read
try library.read { db in
  // SELECT * FROM "book" WHERE "isLent" = 1 ORDER BY "title"
  let lent = try Book.filter { $0.isLent == true }.order { $0.title }.fetchAll(db)
  print(lent.map(\.title))  // ["The Trial"]

  // SELECT COUNT(*) FROM "book" WHERE "acquired" IS NULL
  print(try Book.filter { $0.acquired == nil }.fetchCount(db))  // 1

  // SELECT * FROM "book" WHERE "id" = 1
  print(try Book.find(db, key: 1).title)  // The Trial

  // SQL, where it says it better.
  let titles = try String.fetchAll(
    db, sql: "SELECT UPPER(title) FROM book WHERE title LIKE ?", arguments: ["E%"])
  print(titles)  // ["EMMA"]
}
// snippet.end
