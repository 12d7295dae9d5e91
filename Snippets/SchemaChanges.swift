// Changes of a schema beyond ALTER TABLE: tables made anew, triggers, and checks of both
// beforehand.

import Quarry
import QuarryMigrations

struct Author: Codable, FetchableRecord, PersistableRecord {
  static let books = hasMany(Book.self)
  var id: Int64
  var name: String
  var bookCount: Int
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  static let author = belongsTo(Author.self)
  var id: Int64
  var title: String
  var price: Double
  var authorId: Int64
}

var migrator = DatabaseMigrator()
migrator.registerMigration("Library") { db in
  try db.create(table: "author") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
    t.column("bookCount", .integer).notNull().defaults(to: 0)
  }
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text)
    t.column("price", .text)
    t.belongsTo("author")
  }
}

let queue = try DatabaseQueue()
try migrator.migrate(queue)
try queue.write { db in
  try db.execute(
    sql: """
      INSERT INTO author (id, name) VALUES (1, 'Franz Kafka');
      INSERT INTO book VALUES (1, 'The Trial', '9.5', 1), (2, 'The Castle', NULL, 1);
      """)
}

// snippet.rebuild
migrator.registerMigration("Prices are numbers") { db in
  try db.rebuild(table: "book", copying: [Column("price").set(to: Column("price") ?? 0)]) { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text).notNull()
    t.column("price", .double).notNull().check { $0 >= 0 }
    t.belongsTo("author", onDelete: .cascade).notNull()
  }
}
// snippet.end

// snippet.trigger
migrator.registerMigration("Books are counted") { db in
  try db.create(trigger: "bookInsert", .after, .insert, on: "book") { t in
    t.update(
      Table("author").filter(Column("id") == t.new["authorId"]), [Column("bookCount") += 1])
  }
}
// snippet.end

// snippet.rehearsal
// On a copy: statements, times, violated foreign keys, errors.
let rehearsal = try migrator.rehearse(queue)
print(rehearsal.isSuccessful)

// The SQL alone
print(try migrator.dryRun(queue, upTo: "Prices are numbers"))
// snippet.end

// snippet.progress
try migrator.migrate(queue) { progress in
  // An error thrown here stops the migration, which leaves nothing behind.
  if progress.phase == .started { print("\(progress.index + 1)/\(progress.count)") }
}
// snippet.end

// snippet.differences
let differences = try queue.read { db in
  try db.schemaDifferences(
    of: [Author.self, Book.self], associations: [Author.books, Book.author])
}
for difference in differences { print(difference) }
// snippet.end
