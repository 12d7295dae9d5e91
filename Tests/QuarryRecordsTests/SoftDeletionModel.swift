import Foundation
import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

// A library whose records are deleted softly, and the same tables with conditions by hand.

struct Author: Codable, Equatable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  static let books = hasMany(Book.self)
  static let newestBook = books.order(Column("id")).last()
  static let tags = hasMany(Tag.self, through: books.forKey("taggedBooks"), using: Book.tags)
  var id: Int64
  var name: String
}

struct Book: Codable, Equatable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  static let author = belongsTo(Author.self)
  static let links = hasMany(BookTag.self)
  static let tags = hasMany(Tag.self, through: links, using: BookTag.tag)
  var id: Int64
  var authorId: Int64?
  var title: String
}

struct Tag: Codable, Equatable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  var id: Int64
  var name: String
}

struct BookTag: Codable, Equatable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
  static let tag = belongsTo(Tag.self)
  var bookId: Int64
  var tagId: Int64
}

private let isKept = Column("deletedAt") == nil

struct PlainAuthor: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "author"
  static let books = hasMany(PlainBook.self).filter(isKept)
  static let newestBook = books.order(Column("id")).last()
  static let tags = hasMany(
    PlainTag.self, through: books.forKey("taggedBooks"), using: PlainBook.tags)
  var id: Int64
  var name: String
  var deletedAt: String?
}

struct PlainBook: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  static let author = belongsTo(PlainAuthor.self).filter(isKept)
  static let links = hasMany(PlainBookTag.self).filter(isKept)
  static let tags = hasMany(PlainTag.self, through: links, using: PlainBookTag.tag)
  var id: Int64
  var authorId: Int64?
  var title: String
  var deletedAt: String?
}

struct PlainTag: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "tag"
  var id: Int64
  var name: String
  var deletedAt: String?
}

struct PlainBookTag: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "bookTag"
  static let tag = belongsTo(PlainTag.self).filter(isKept)
  var bookId: Int64
  var tagId: Int64
  var deletedAt: String?
}

let softSchema = """
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, deletedAt TEXT);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT NOT NULL,
    deletedAt TEXT);
  CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL, deletedAt TEXT);
  CREATE TABLE bookTag (
    bookId INTEGER NOT NULL REFERENCES book(id), tagId INTEGER NOT NULL REFERENCES tag(id),
    deletedAt TEXT);
  CREATE UNIQUE INDEX bookTagKey ON bookTag(bookId, tagId) WHERE deletedAt IS NULL;
  """

/// One author deleted, and one book and one tag of the others.
let softRows = """
  INSERT INTO author VALUES (1, 'Austen', NULL), (2, 'Brontë', NULL), (3, 'Collins', '2026-01-01');
  INSERT INTO book VALUES
    (1, 1, 'Emma', NULL), (2, 1, 'Sanditon', '2026-01-01'), (3, 2, 'Villette', '2026-01-01'),
    (4, 3, 'Armadale', NULL), (5, NULL, 'Beowulf', NULL);
  INSERT INTO tag VALUES (1, 'novel', NULL), (2, 'classic', '2026-01-01');
  INSERT INTO bookTag VALUES (1, 1, NULL), (1, 2, NULL), (2, 1, NULL), (4, 1, '2026-01-01');
  """

/// The library with its deleted rows.
func withSoftRows<T>(_ body: (Database) throws -> T) throws -> T {
  try makeDatabase(sql: softSchema + softRows).write(body)
}

/// A request has this SQL, and these rows, as text.
func expectRows(
  _ request: QueryInterfaceRequest<some Any>, _ db: Database, _ sql: String, _ rows: [String],
  _ location: SourceLocation = #_sourceLocation
) throws {
  let prepared = try QuarryTestSupport.sql(of: request, in: db)
  #expect(prepared.sql == sql, sourceLocation: location)
  let found = try Row.fetchAll(db, sql: prepared.sql, arguments: prepared.arguments).map { row in
    row.databaseValues.map { "\($0)" }.joined(separator: " ")
  }
  #expect(found == rows, sourceLocation: location)
}
