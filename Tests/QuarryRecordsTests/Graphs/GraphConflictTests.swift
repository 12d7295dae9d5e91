import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// Constraints that would resolve conflicts by themselves.
///
/// See <https://www.sqlite.org/lang_conflict.html>.
@Suite struct GraphConflictTests {
  private struct Author: Codable, FetchableRecord, PersistableRecord {
    static let books = hasMany(Book.self)
    static let prizes = hasMany(Prize.self)
    static let juries = hasMany(Jury.self, through: prizes, using: Prize.jury)
    var id: Int
  }

  private struct Book: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var authorId: Int?
    var title: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  private struct Prize: Codable, FetchableRecord, PersistableRecord {
    static let jury = belongsTo(Jury.self)
  }

  private struct Jury: Codable, FetchableRecord, PersistableRecord {
    var id: Int
  }

  private struct Library {
    var author: Author
    var books: [Book]
  }

  private struct Winner {
    var author: Author
    var juries: [Jury]
  }

  private static func schema(_ resolution: String) -> String {
    """
    CREATE TABLE author (id INTEGER PRIMARY KEY);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author,
      title TEXT UNIQUE ON CONFLICT \(resolution));
    CREATE TABLE jury (id INTEGER PRIMARY KEY);
    CREATE TABLE prize (
      authorId INTEGER REFERENCES author,
      juryId INTEGER UNIQUE ON CONFLICT \(resolution) REFERENCES jury);
    INSERT INTO author VALUES (1), (2); INSERT INTO book VALUES (1, 1, 'Emma');
    INSERT INTO jury VALUES (1); INSERT INTO prize VALUES (1, 1);
    """
  }

  @Test(arguments: ["REPLACE", "IGNORE"])
  func `rows of other parents are not replaced, and no record is ignored`(resolution: String) throws
  {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    try withShop(Self.schema(resolution)) { db, recorder throws in
      var library = Library(
        author: Author(id: 2), books: [Book(title: "Ruth"), Book(title: "Emma")])
      let error = graphError { try graph.save(db, &library) }
      #expect(error?.reason == .failure)
      #expect(error?.path == "author.books[1].title")
      #expect(try db.texts("SELECT * FROM book") == ["1 1 Emma"])
      library.books[1].title = "Middlemarch"
      _ = recorder.take()
      try graph.save(db, &library)
      let insertion = #"INSERT OR FAIL INTO "book" ("id", "authorId", "title") VALUES (?,?,?)"#
      #expect(recorder.takeWrites() == [insertion])
      #expect(try db.texts("SELECT * FROM book") == ["1 1 Emma", "2 2 Ruth", "3 2 Middlemarch"])
      library.books[0].title = "Emma"
      #expect(graphError { try graph.save(db, &library) }?.path == "author.books[0].title")
      #expect(try db.texts("SELECT * FROM book") == ["1 1 Emma", "2 2 Ruth", "3 2 Middlemarch"])
    }
  }

  @Test(arguments: ["REPLACE", "IGNORE"])
  func `links of other records are not replaced, and none is ignored`(resolution: String) throws {
    let graph = SavedGraph(\Winner.author)
      .linking(many: \.juries, Author.juries, saving: .untouched, missing: .unlink)
    try withShop(Self.schema(resolution)) { db, _ throws in
      var winner = Winner(author: Author(id: 2), juries: [Jury(id: 1)])
      let error = graphError { try graph.save(db, &winner) }
      #expect(error?.reason == .failure)
      #expect(error?.path == "author.juries[0].juryId")
      #expect(try db.texts("SELECT * FROM prize") == ["1 1"])
    }
  }

  /// `OR ABORT` would override the clauses of triggers.
  @Test func `triggers resolve their conflicts where the table has no clause of its own`() throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, title TEXT);
      CREATE TABLE word (text TEXT PRIMARY KEY);
      CREATE TRIGGER words AFTER INSERT ON book BEGIN
        INSERT OR IGNORE INTO word VALUES (NEW.title);
      END;
      INSERT INTO word VALUES ('Emma');
      """
    try withShop(schema) { db, _ throws in
      var library = Library(author: Author(id: 1), books: [Book(title: "Emma")])
      try graph.save(db, &library)
      #expect(try db.texts("SELECT * FROM book") == ["1 1 Emma"])
    }
  }
}
