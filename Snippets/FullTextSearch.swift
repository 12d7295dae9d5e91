// Full-text search: an index that follows the table of books.

import Quarry
import QuarryTables

// snippet.records
struct Book: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var title: String
  var summary: String

  // The index has the rowids of the books.
  static let index = hasOne(BookIndex.self, using: ForeignKey([Column.rowID]))
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct BookIndex: FetchableRecord, Decodable, TableRecord {
  static let book = belongsTo(Book.self, using: ForeignKey([Column.rowID], to: [Column("id")]))
  var title: String
}
// snippet.end

// snippet.configuration
var configuration = Configuration()
configuration.prepareDatabase { db in
  db.add(tokenizer: StopWordTokenizer.self)
}
// snippet.end

let library = try DatabaseQueue(configuration: configuration)
var migrator = DatabaseMigrator()

// snippet.index
migrator.registerMigration("books and their index") { db in
  try db.create(table: "book") { t in
    t.autoIncrementedPrimaryKey("id")
    t.column("title", .text).notNull()
    t.column("summary", .text).notNull()
  }
  try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
    t.synchronize(withTable: "book")
    t.tokenizer = .porter()
    t.prefixes = [2, 3]
    t.column("title")
    t.column("summary")
  }
}
// snippet.end

// snippet.recreate
migrator.registerMigration("an index without stop words") { db in
  try db.dropFullTextTable("bookIndex")
  try db.create(virtualTable: "bookIndex", using: FTS5()) { t in
    t.synchronize(withTable: "book")
    t.tokenizer = StopWordTokenizer.tokenizerDescriptor(arguments: ["the", "of"])
    t.prefixes = [2, 3]
    t.column("title")
    t.column("summary")
  }
}
// snippet.end
try migrator.migrate(library)

try library.write { db in
  db.trace { print($0.expandedDescription) }
  var book = Book(title: "The Old Harbor", summary: "Ships, and a man who mends their sails.")
  try book.insert(db)
}

// snippet.search
// The books that match best, while a word is being typed.
func books(matching text: String) throws -> [Book] {
  let pattern = FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)
  return try library.read { db in
    try Book
      .joining(required: Book.index.matching(pattern).order(Column.rank))
      .limit(20)
      .fetchAll(db)
  }
}

for book in try books(matching: "old har") { print(book.title) }
// snippet.end

_ = try library.read { db in
  let pattern = FTS5Pattern(matchingAllTokensIn: "harbor")
  // snippet.subquery
  // SELECT * FROM "book" WHERE "id" IN (SELECT "rowid" FROM "bookIndex" WHERE "bookIndex" MATCH …)
  let request = Book.filter(
    BookIndex.matching(pattern).select(Column.rowID).contains(Column("id")))
  // snippet.end
  return try request.fetchAll(db)
}

// snippet.functions
struct Hit: Decodable, FetchableRecord {
  var book: Book
  var extract: String
}

let hits: [Hit] = try library.read { db in
  let request =
    BookIndex
    .matching(FTS5Pattern(matchingAnyTokenIn: "ship sail"))
    .order(FTS5.bm25(weights: ["title": 10]))
    .select(FTS5.snippet(open: "[", close: "]", tokenCount: 8).forKey("extract"))
    .including(required: BookIndex.book)
  return try Hit.fetchAll(db, request)
}
for hit in hits { print(hit.book.title, hit.extract) }
// snippet.end

// snippet.tokenizer
final class StopWordTokenizer: FTS5WrapperTokenizer {
  static let name = "stopwords"
  let wrappedTokenizer: any FTS5Tokenizer
  private let stopWords: Set<String>

  init(db: Database, arguments: [String]) throws {
    wrappedTokenizer = try db.makeTokenizer(.unicode61())
    stopWords = Set(arguments)
  }

  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws {
    if stopWords.contains(token) { return }
    try tokenCallback(token, flags)
  }
}
// snippet.end

// snippet.stems
func makeFrenchIndex(_ db: Database) throws {
  db.add(tokenizer: SnowballTokenizer.self)  // or in prepareDatabase, for all connections
  try db.create(virtualTable: "livre", using: FTS5()) { t in
    t.tokenizer = .snowball(.french)
    t.column("titre")
  }
}
// snippet.end
if SnowballTokenizer.isAvailable { try library.write(makeFrenchIndex) }

// snippet.check
try library.write { db in
  let check = try db.checkFullTextIndex("bookIndex")
  if !check.isSound {
    print(check)
    try db.rebuildFullTextIndex("bookIndex")
  }
}
// snippet.end
