import Quarry
import QuarryRecords
import QuarryTestSupport

/// A library whose values contain associated records.
enum Shop {
  struct Country: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "country"
    var code: String
    var name: String
  }

  struct Author: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "author"
    static let country = belongsTo(Country.self)
    static let books = hasMany(Book.self)
    static let profile = hasOne(Profile.self)
    var id: Int64?
    var name: String
    var countryCode: String?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Profile: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "profile"
    var authorId: Int64?
    var text: String
  }

  struct Book: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "book"
    static let author = belongsTo(Author.self)
    static let chapters = hasMany(Chapter.self)
    static let links = hasMany(BookGenre.self)
    static let genres = hasMany(Genre.self, through: links, using: BookGenre.genre)
    var id: Int64?
    var authorId: Int64?
    var title: String
    var position: Int?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Chapter: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "chapter"
    var id: Int64?
    var bookId: Int64 = 0
    var title: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct Genre: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "genre"
    var id: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  struct BookGenre: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "bookGenre"
    static let genre = belongsTo(Genre.self)
    var bookId: Int64
    var genreId: Int64
  }

  /// An author with books.
  struct AuthorInfo: Decodable, Equatable, FetchableRecord {
    var author: Author
    var books: [Book]

    static func graph(_ missing: MissingRows, moving: Bool = false) -> SavedGraph<Self, Author> {
      SavedGraph(\AuthorInfo.author)
        .having(many: \.books, Author.books, key: \.authorId, missing: missing, moving: moving)
    }

    static func find(_ db: Database, _ id: Int64) throws -> AuthorInfo {
      try Author.filter(key: id).including(all: Author.books.order(Column("id")))
        .asRequest(of: AuthorInfo.self).fetchOne(db)
        ?? AuthorInfo(author: Author(name: ""), books: [])
    }
  }

  /// A book with chapters and genres.
  struct BookInfo: Decodable, Equatable, FetchableRecord {
    var book: Book
    var chapters: [Chapter] = []
    var genres: [Genre] = []

    static func chapterGraph(_ missing: MissingRows, moving: Bool = false) -> SavedGraph<Self, Book>
    {
      SavedGraph(\BookInfo.book)
        .having(many: \.chapters, Book.chapters, key: \.bookId, missing: missing, moving: moving)
    }

    static func genreGraph(
      _ saving: LinkedRecords, _ missing: MissingLinks,
      columns: [String: (any DatabaseValueConvertible)?] = [:]
    ) -> SavedGraph<Self, Book> {
      SavedGraph(\BookInfo.book)
        .linking(
          many: \.genres, Book.genres, saving: saving, columns: columns, missing: missing)
    }
  }

  /// An author with books that have chapters.
  struct Work: Decodable, Equatable, FetchableRecord {
    var author: Author
    var books: [BookInfo]

    static func graph(books: MissingRows, chapters: MissingRows) -> SavedGraph<Self, Author> {
      SavedGraph(\Work.author)
        .having(
          many: \.books, Author.books, as: BookInfo.chapterGraph(chapters), key: \.authorId,
          missing: books)
    }
  }

  static let schema = """
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE author (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, countryCode TEXT REFERENCES country(code));
    CREATE TABLE profile (authorId INTEGER PRIMARY KEY REFERENCES author(id), text TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT NOT NULL UNIQUE,
      position INTEGER, note TEXT DEFAULT 'new', UNIQUE (authorId, position));
    CREATE TABLE chapter (
      id INTEGER PRIMARY KEY, bookId INTEGER NOT NULL REFERENCES book(id), title TEXT NOT NULL);
    CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE bookGenre (
      bookId INTEGER NOT NULL REFERENCES book(id), genreId INTEGER NOT NULL REFERENCES genre(id),
      weight INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (bookId, genreId));
    """

  /// Two authors with books, and a book without author.
  static let rows = """
    INSERT INTO author (id, name) VALUES (1, 'Austen'), (2, 'Bronte');
    INSERT INTO book (id, authorId, title, note) VALUES
      (1, 1, 'Emma', 'a'), (2, 1, 'Persuasion', 'b'), (3, 2, 'Villette', 'c'),
      (4, NULL, 'Beowulf', 'd');
    INSERT INTO chapter VALUES (1, 1, 'E1'), (2, 1, 'E2'), (3, 2, 'P1');
    INSERT INTO genre VALUES (1, 'novel'), (2, 'epic');
    INSERT INTO bookGenre VALUES (1, 1, 5), (2, 1, 6);
    """
}

typealias ShopAuthor = Shop.Author
typealias ShopBook = Shop.Book

/// Runs `body` in a database with the rows of the library, and with the statements that it
/// executes.
func withShop<T>(
  _ schema: String = Shop.schema + Shop.rows, _ body: (Database, SQLRecorder) throws -> T
) throws -> T {
  let recorder = SQLRecorder()
  let database = try DatabaseQueue(configuration: recorder.recording())
  return try database.write { db in
    try db.execute(sql: schema)
    _ = recorder.take()
    return try body(db, recorder)
  }
}

extension SQLRecorder {
  /// The statements that write, each once, with their number.
  func takeWrites() -> [String] {
    takeStatements().filter { !$0.hasPrefix("SELECT") && !$0.contains("SAVEPOINT") }
  }
}

extension Database {
  /// All rows of a query, as texts.
  func texts(_ sql: String) throws -> [String] {
    try Row.fetchAll(self, sql: sql).map { row in
      row.databaseValues.map { $0.isNull ? "-" : "\($0)".replacing("\"", with: "") }
        .joined(separator: " ")
    }
  }

  func books() throws -> [String] {
    try texts("SELECT id, authorId, title, note FROM book ORDER BY id")
  }
}

/// The error of a save.
func graphError(_ body: () throws -> Void) -> GraphSaveError? {
  do {
    try body()
    return nil
  } catch {
    return error as? GraphSaveError
  }
}
