import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// Keys that SQLite compares by collations and affinities.
@Suite struct GraphComparisonTests {
  private struct Author: Codable, FetchableRecord, PersistableRecord {
    static let books = hasMany(Book.self)
    static let poems = hasMany(Poem.self)
    static let prizes = hasMany(Prize.self)
    static let juries = hasMany(Jury.self, through: prizes, using: Prize.jury)
    var id: Int
    var name: String?
  }

  private struct Book: Codable, FetchableRecord, PersistableRecord {
    static let chapters = hasMany(Chapter.self)
    var id: Int
    var authorId: Int?
  }

  private struct Chapter: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var bookId: Int?
  }

  private struct Poem: Codable, FetchableRecord, PersistableRecord {
    var title: String
    var authorId: Int?
  }

  private struct Prize: Codable, FetchableRecord, PersistableRecord {
    static let jury = belongsTo(Jury.self)
    var title: String
    var authorId: Int
    var juryId: Int
  }

  private struct Jury: Codable, FetchableRecord, PersistableRecord {
    var id: Int
  }

  private struct Poet {
    var author: Author
    var poems: [Poem]
  }

  private struct Winner {
    var author: Author
    var juries: [Jury]
  }

  /// Poems and prizes are known by the bytes of their titles, which compare without regard to case.
  private static let poems = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE poem (
      title TEXT COLLATE NOCASE, authorId INTEGER REFERENCES author,
      PRIMARY KEY (title COLLATE BINARY));
    CREATE TABLE jury (id INTEGER PRIMARY KEY);
    CREATE TABLE prize (
      title TEXT COLLATE NOCASE, authorId INTEGER REFERENCES author,
      juryId INTEGER REFERENCES jury, PRIMARY KEY (title COLLATE BINARY));
    INSERT INTO author VALUES (1, 'Poe'), (2, 'Heine'); INSERT INTO jury VALUES (1);
    INSERT INTO poem VALUES ('lenore', 1), ('LENORE', 2);
    INSERT INTO prize VALUES ('a', 1, 1), ('A', 2, 1);
    """

  @Test(arguments: [MissingRows.delete, .detach])
  func `rows of other parents stay whose key is equal by the collation of its column`(
    missing: MissingRows
  ) throws {
    let graph = SavedGraph(\Poet.author)
      .having(many: \.poems, Author.poems, key: \.authorId, missing: missing)
    try withShop(Self.poems) { db, _ throws in
      var poet = Poet(
        author: Author(id: 1, name: "Poe"), poems: [Poem(title: "lenore", authorId: 1)])
      try graph.save(db, &poet)
      #expect(try db.texts("SELECT * FROM poem ORDER BY rowid") == ["lenore 1", "LENORE 2"])
      poet.poems = []
      try graph.save(db, &poet)
      let rows = try db.texts("SELECT * FROM poem ORDER BY rowid")
      #expect(rows == (missing == .delete ? ["LENORE 2"] : ["lenore -", "LENORE 2"]))
    }
  }

  @Test func `links of other records stay whose key is equal by the collation of its column`()
    throws
  {
    let graph = SavedGraph(\Winner.author)
      .linking(many: \.juries, Author.juries, saving: .untouched, missing: .unlink)
    try withShop(Self.poems) { db, _ throws in
      var winner = Winner(author: Author(id: 1, name: "Poe"), juries: [])
      try graph.save(db, &winner)
      #expect(try db.texts("SELECT * FROM prize") == ["A 2 1"])
    }
  }

  private struct Library {
    var author: Author
    var books: [Book]
  }

  /// The types of the key, and of the column that refers to it.
  @Test(arguments: [
    ["INTEGER", "INTEGER"], ["INTEGER", "TEXT"], ["INTEGER", ""], ["TEXT", "INTEGER"],
    ["TEXT", "TEXT"], ["", ""],
  ])
  func `the rows of a parent are those of a join`(types: [String]) throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id \(types[0]) PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId \(types[1]) REFERENCES author (id));
      INSERT INTO author VALUES (1, 'Woolf'), (2, 'Joyce');
      INSERT INTO book VALUES (1, 1), (2, \(types == ["", ""] ? "1" : "'1'")), (3, 2);
      """
    try withShop(schema) { db, _ throws in
      let author = try Author.find(db, key: 1)
      let books = try author.request(for: Author.books).order(Column("id")).fetchAll(db)
      #expect(books.map(\.id) == [1, 2])
      var library = Library(author: author, books: books)
      try graph.save(db, &library)
      #expect(try db.texts("SELECT id FROM book") == ["1", "2", "3"])
      library.books = []
      try graph.save(db, &library)
      #expect(try db.texts("SELECT id FROM book") == ["3"])
    }
  }

  /// A column without type may have texts of numbers, which equal them; one of texts is found by
  /// the text of the number.
  @Test(arguments: ["INTEGER", "", "TEXT"])
  func `an index finds the rows of a parent`(type: String) throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId \(type) REFERENCES author (id));
      CREATE INDEX bookAuthor ON book (authorId);
      INSERT INTO author VALUES (1, 'Woolf'), (2, 'Joyce');
      INSERT INTO book VALUES (1, 1), (2, '01'), (3, '1.0'), (4, 2), (5, NULL);
      """
    try withShop(schema) { db, recorder throws in
      var library = Library(author: Author(id: 1, name: "Woolf"), books: [])
      try graph.save(db, &library)
      let search = try #require(
        recorder.takeStatements().first { $0.contains(#""stored"."authorId""#) })
      let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(search)", arguments: [1])
        .map { $0["detail"] as String }
      #expect(plan.contains { $0.contains("bookAuthor") })
      #expect(!plan.contains { $0.hasPrefix("SCAN") && $0.contains("stored") })
      let others = type == "TEXT" ? ["2", "3", "4", "5"] : ["4", "5"]
      #expect(try db.texts("SELECT id FROM book ORDER BY id") == others)
    }
  }

  @Test func `a number is no key of texts where a column has no type`() throws {
    let graph = SavedGraph(\Library.author)
      .having(many: \.books, Author.books, key: \.authorId, missing: .delete)
    let schema = """
      CREATE TABLE author (id TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId REFERENCES author (id));
      INSERT INTO author VALUES (1, 'Woolf'); INSERT INTO book VALUES (1, 1), (2, '1');
      """
    try withShop(schema) { db, _ throws in
      let author = try Author.find(db, key: 1)
      #expect(try author.request(for: Author.books).fetchAll(db).map(\.id) == [2])
      var library = Library(author: author, books: [])
      try graph.save(db, &library)
      #expect(try db.texts("SELECT id FROM book") == ["1"])
    }
  }

  private struct Novel: Codable, FetchableRecord, PersistableRecord {
    static let shelvings = hasMany(Shelving.self)
    static let sections = hasMany(Section.self, through: shelvings, using: Shelving.section)
    var tenant: String
    var id: Int
  }

  private struct Shelving: Codable, FetchableRecord, PersistableRecord {
    static let section = belongsTo(Section.self)
  }

  private struct Section: Codable, FetchableRecord, PersistableRecord {
    var tenant: String
    var code: String
  }

  private struct ShelvedNovel {
    var novel: Novel
    var sections: [Section]
  }

  @Test(arguments: [MissingLinks.unlink, .keep, .refuse])
  func `links compare by the collations of what they refer to`(missing: MissingLinks) throws {
    let schema = """
      CREATE TABLE novel (tenant TEXT COLLATE NOCASE, id INTEGER, PRIMARY KEY (tenant, id));
      CREATE TABLE section (
        tenant TEXT COLLATE NOCASE, code TEXT COLLATE NOCASE, PRIMARY KEY (tenant, code));
      CREATE TABLE shelving (
        tenant TEXT COLLATE NOCASE, novelId INTEGER, sectionCode TEXT, note TEXT,
        FOREIGN KEY (tenant, novelId) REFERENCES novel (tenant, id),
        FOREIGN KEY (tenant, sectionCode) REFERENCES section (tenant, code));
      INSERT INTO novel VALUES ('city', 1); INSERT INTO section VALUES ('City', 'sf');
      INSERT INTO shelving VALUES ('CITY', 1, 'SF', 'top');
      """
    let graph = SavedGraph(\ShelvedNovel.novel)
      .linking(many: \.sections, Novel.sections, saving: .untouched, missing: missing)
    try withShop(schema) { db, _ throws in
      let novel = try #require(try Novel.fetchOne(db))
      var value = ShelvedNovel(
        novel: novel, sections: try novel.request(for: Novel.sections).fetchAll(db))
      #expect(value.sections.count == 1)
      try graph.save(db, &value)
      #expect(try db.texts("SELECT * FROM shelving") == ["CITY 1 SF top"])
      try db.execute(sql: "DELETE FROM shelving")
      for _ in 1...2 { try graph.save(db, &value) }
      #expect(try db.texts("SELECT * FROM shelving") == ["city 1 sf -"])
    }
  }

  private struct ChapteredBook {
    var book: Book
    var chapters: [Chapter]
  }

  private struct Work {
    var author: Author
    var books: [ChapteredBook]
  }

  @Test(arguments: ["INTEGER", "TEXT"])
  func `a row is not removed and inserted again, whatever its key is stored as`(type: String) throws
  {
    let schema = """
      CREATE TABLE author (id \(type) PRIMARY KEY, name TEXT);
      CREATE TABLE book (id \(type) PRIMARY KEY, authorId \(type) REFERENCES author (id));
      CREATE TABLE chapter (
        id \(type) PRIMARY KEY, bookId \(type) REFERENCES book (id), note TEXT);
      INSERT INTO author VALUES (1, 'Woolf'); INSERT INTO book VALUES (1, 1), (2, 1);
      INSERT INTO chapter VALUES (1, 1, 'precious');
      """
    let books = SavedGraph(\ChapteredBook.book)
      .having(many: \.chapters, Book.chapters, key: \.bookId, missing: .delete, moving: true)
    let graph = SavedGraph(\Work.author)
      .having(many: \.books, Author.books, as: books, key: \.authorId, missing: .delete)
    try withShop(schema) { db, _ throws in
      var work = Work(
        author: Author(id: 1, name: "Woolf"),
        books: [
          ChapteredBook(book: Book(id: 2, authorId: 1), chapters: [Chapter(id: 1, bookId: 2)])
        ])
      let error = graphError { try graph.save(db, &work) }
      #expect(error?.reason == .removedRow)
      #expect(error?.path == "author.books[0].chapters[0]")
      #expect(try db.texts("SELECT * FROM chapter") == ["1 1 precious"])
    }
  }

  private struct Edition {
    var book: EditedBook
    var author: Author
    var editor: Author
  }

  private struct EditedBook: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "book"
    static let author = belongsTo(Author.self, using: ForeignKey(["authorId"]))
    static let editor = belongsTo(Author.self, using: ForeignKey(["editorId"]))
    var id: Int
    var authorId: Int?
    var editorId: Int?
  }

  @Test(arguments: ["INTEGER", "TEXT"])
  func `two records for a row must be equal, whatever its key is stored as`(type: String) throws {
    let schema = """
      CREATE TABLE author (id \(type) PRIMARY KEY, name TEXT);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, authorId \(type) REFERENCES author (id),
        editorId \(type) REFERENCES author (id));
      """
    let graph = SavedGraph(\Edition.book)
      .belonging(to: \.author, EditedBook.author, key: \.authorId)
      .belonging(to: \.editor, EditedBook.editor, key: \.editorId)
    try withShop(schema) { db, _ throws in
      var edition = Edition(
        book: EditedBook(id: 1), author: Author(id: 1, name: "Woolf"),
        editor: Author(id: 1, name: "Joyce"))
      #expect(graphError { try graph.save(db, &edition) }?.reason == .duplicate)
      edition.editor.name = "Woolf"
      try graph.save(db, &edition)
      #expect(try db.texts("SELECT * FROM author") == ["1 Woolf"])
    }
  }
}
