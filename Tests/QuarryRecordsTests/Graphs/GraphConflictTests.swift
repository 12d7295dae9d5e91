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
    static let poems = hasMany(Poem.self)
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
      #expect(recorder.takeWrites() == [insertion, insertion])
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

  /// A resolution of the save would override those of triggers.
  @Test(arguments: [
    "title TEXT", "title TEXT, conflict TEXT", "title TEXT UNIQUE ON CONFLICT ABORT",
    "title TEXT NOT NULL ON CONFLICT REPLACE DEFAULT ''", "title TEXT UNIQUE ON CONFLICT REPLACE",
    "title TEXT UNIQUE ON CONFLICT IGNORE",
  ])
  func `triggers resolve their conflicts`(title: String) throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, \(title));
      CREATE TABLE word (text TEXT PRIMARY KEY);
      CREATE TRIGGER words AFTER INSERT ON book BEGIN
        INSERT OR IGNORE INTO word VALUES (NEW.title);
      END;
      INSERT INTO word VALUES ('Emma');
      """
    try withShop(schema) { db, _ throws in
      var library = Library(
        author: Author(id: 1), books: [Book(title: "Emma"), Book(title: "Ruth")])
      try graph.save(db, &library)
      let rows = ["1 1 Emma", "2 1 Ruth"]
      #expect(try db.texts("SELECT id, authorId, title FROM book") == rows)
      #expect(library.books.map(\.id) == [1, 2])
      #expect(try db.texts("SELECT * FROM word") == ["Emma", "Ruth"])
    }
  }

  private static let triggers = """
    CREATE TABLE word (text PRIMARY KEY);
    CREATE TRIGGER titles AFTER INSERT ON book BEGIN
      INSERT OR IGNORE INTO word VALUES (NEW.title);
    END;
    CREATE TRIGGER juries AFTER INSERT ON prize BEGIN
      INSERT OR IGNORE INTO word VALUES (NEW.juryId);
    END;
    """

  @Test func `a row that a clause ignores is an error where the clause is not overridden`() throws {
    let books = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let juries = SavedGraph(\Winner.author)
      .linking(many: \.juries, Author.juries, saving: .untouched, missing: .unlink)
    try withShop(Self.schema("IGNORE") + Self.triggers) { db, _ throws in
      var library = Library(author: Author(id: 2), books: [Book(id: 7, title: "Emma")])
      let error = graphError { try books.save(db, &library) }
      #expect(error?.path == "author.books[0]")
      #expect(
        (error?.underlyingError as? DatabaseError)?.message == """
          an insertion of table "book" was ignored by its clause ON CONFLICT: a graph can't override \
          it, since a trigger of the table resolves conflicts, too
          """)
      library.books[0].title = "Ruth"
      try books.save(db, &library)
      library.books[0].title = "Emma"
      #expect(graphError { try books.save(db, &library) }?.path == "author.books[0]")
      #expect(try db.texts("SELECT * FROM book") == ["1 1 Emma", "7 2 Ruth"])

      var winner = Winner(author: Author(id: 2), juries: [Jury(id: 1)])
      #expect(graphError { try juries.save(db, &winner) }?.path == "author.juries[0]")
      #expect(try db.texts("SELECT * FROM prize") == ["1 1"])
      try db.execute(sql: "INSERT INTO jury VALUES (2), (3)")
      winner.juries = [Jury(id: 2), Jury(id: 3)]
      try juries.save(db, &winner)
      #expect(try db.texts("SELECT * FROM prize") == ["1 1", "2 2", "2 3"])
    }
  }

  @Test(arguments: ["", "ABORT", "FAIL", "ROLLBACK", "REPLACE", "IGNORE"])
  func `an update that is tried again leaves no changes by triggers`(resolution: String) throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let clause = resolution.isEmpty ? "" : "ON CONFLICT \(resolution)"
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, title TEXT UNIQUE \(clause));
      CREATE TABLE log (id, old, new);
      CREATE TRIGGER titles BEFORE UPDATE ON book BEGIN
        INSERT INTO log VALUES (OLD.id, OLD.title, NEW.title);
      END;
      INSERT INTO author VALUES (1);
      INSERT INTO book VALUES (1, 1, 'A'), (2, 1, 'B'), (3, 1, 'C');
      """
    try withShop(schema) { db, _ throws in
      var library = try Library(
        author: Author(id: 1), books: Book.order(Column("id")).fetchAll(db))
      for (index, title) in ["B", "C", "D"].enumerated() { library.books[index].title = title }
      try graph.save(db, &library)
      #expect(try db.texts("SELECT * FROM book ORDER BY id") == ["1 1 B", "2 1 C", "3 1 D"])
      #expect(try db.texts("SELECT * FROM log") == ["3 C D", "2 B C", "1 A B"])
    }
  }

  private struct Poem: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var authorId: Int?
    var mood: String?
  }

  private struct Anthology {
    var author: Author
    var poems: [Poem]
  }

  @Test func `a column gets its default value instead of NULL`() throws {
    let graph = SavedGraph(\Anthology.author)
      .having(many: \.poems, Author.poems, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE poem (
        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author,
        mood TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'calm');
      """
    try withShop(schema) { db, _ throws in
      var anthology = Anthology(
        author: Author(id: 1), poems: [Poem(id: 1), Poem(id: 2, mood: "sad")])
      try graph.save(db, &anthology)
      #expect(try db.texts("SELECT * FROM poem") == ["1 1 calm", "2 1 sad"])
    }
  }
}
