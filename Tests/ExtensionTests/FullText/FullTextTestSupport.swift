import Quarry
import QuarryTestSupport

/// A document of a full-text table `doc(title, body)`.
struct Doc: Codable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "doc"
  var title: String?
  var body: String?
}

/// A book with its index, in the database of ``withIndexedBooks(_:_:)``.
struct IndexedBook: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "book"
  static let index = hasOne(BookIndex.self, using: ForeignKey([Column.rowID]))
  var id: Int64?
  var title: String?
  var year: Int?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The full-text table of books.
struct BookIndex: Codable, Hashable, FetchableRecord, TableRecord {
  static let book = belongsTo(
    IndexedBook.self, using: ForeignKey([Column.rowID], to: [Column("id")]))
  var title: String?
}

/// The modules that can follow another table.
enum Engine: String, CaseIterable, Sendable {
  case fts4, fts5
}

extension Database {
  /// The statements of an application that `body` executes: no comments of SQLite, no look-ups, no
  /// transactions.
  func writingStatements(during body: () throws -> Void) rethrows -> [String] {
    try statements(during: body).filter { sql in
      ["CREATE", "INSERT", "DROP", "ALTER", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
  }

  /// Creates the table `bookIndex` over the titles of `book`.
  func createBookIndex(_ engine: Engine, options: VirtualTableOptions = []) throws {
    switch engine {
    case .fts4:
      try create(virtualTable: "bookIndex", options: options, using: FTS4()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
    case .fts5:
      try create(virtualTable: "bookIndex", options: options, using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
    }
  }

  /// The rowids of `bookIndex` that a pattern matches.
  func booksMatching(_ pattern: String) throws -> [Int64] {
    try Int64.fetchAll(
      self, sql: "SELECT rowid FROM bookIndex WHERE bookIndex MATCH ? ORDER BY rowid",
      arguments: [pattern])
  }
}

/// A database with `book(id, title, year)`: 1 *Old Man and Sea*, 2 *Sea Wolf*, 3 *River Street*.
func withBooks<T>(
  configuration: Configuration = Configuration(), _ body: (Database) throws -> T
) throws -> T {
  try DatabaseQueue(configuration: configuration).writeWithoutTransaction { db throws -> T in
    try db.execute(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
        INSERT INTO book VALUES
          (1, 'Old Man and Sea', 1952), (2, 'Sea Wolf', 1904), (3, 'River Street', 2010);
        """)
    return try body(db)
  }
}

/// A database of books, indexed in `bookIndex`.
func withIndexedBooks<T>(
  _ engine: Engine, configuration: Configuration = Configuration(),
  _ body: (Database) throws -> T
) throws -> T {
  try withBooks(configuration: configuration) { db throws -> T in
    try db.createBookIndex(engine)
    return try body(db)
  }
}

/// A database with a full-text table `doc(title, body)`.
func withDocuments<T>(using module: String, _ body: (Database) throws -> T) throws -> T {
  try DatabaseQueue().write { db throws -> T in
    try db.create(virtualTable: "doc", using: "\(module)(title, body)")
    try db.execute(
      sql: """
        INSERT INTO doc (rowid, title, body) VALUES
          (1, 'The Sea', 'An old man and the sea'), (2, 'Rivers', 'A river runs to the sea'),
          (3, 'Gardens', 'Roses and an old oak')
        """)
    return try body(db)
  }
}

extension DatabaseError {
  /// The primary code, then the message.
  var text: String { "\(resultCode.rawValue) \(message ?? "")" }
}
