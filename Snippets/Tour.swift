import Quarry

// Records are plain types.
struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String

  static let books = hasMany(Book.self)
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Book: Codable, FetchableRecord, PersistableRecord {
  var authorId: Int64
  var title: String
  var year: Int

  enum Columns {
    static let title = Column(CodingKeys.title)
    static let year = Column(CodingKeys.year)
  }
  static let author = belongsTo(Author.self)
}

// The schema grows by migrations.
let library = try DatabaseQueue()  // in memory: give a path for a file
var migrator = DatabaseMigrator()
migrator.registerMigration("authors and books") { db in
  try db.create(table: "author") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull()
  }
  try db.create(table: "book") { t in
    t.belongsTo("author").notNull()
    t.column("title", .text).notNull()
    t.column("year", .integer).notNull()
  }
}
try migrator.migrate(library)

try library.write { db in
  var author = Author(name: "Franz Kafka")
  try author.insert(db)
  try Book(authorId: author.id ?? 0, title: "The Trial", year: 1925).insert(db)
}

// Requests are values. Associations follow the foreign keys of the schema.
struct BookWithAuthor: Decodable, FetchableRecord {
  var book: Book
  var author: Author
}
let books = try library.read { db in
  let request = Book.filter { $0.year >= 1900 }.order { $0.title }.including(required: Book.author)
  return try BookWithAuthor.fetchAll(db, request)
}
for entry in books { print(entry.author.name, entry.book.title, entry.book.year) }
