import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

/// The keys of links: foreign keys that share a column, and columns that compare in another way.
@Suite struct LinkKeyTests {
  private struct Book: Codable, FetchableRecord, PersistableRecord {
    static let links = hasMany(Link.self)
    static let genres = hasMany(Genre.self, through: links, using: Link.genre)
    var tenantId: Int
    var id: Int
  }

  private struct Link: Codable, FetchableRecord, PersistableRecord {
    static let genre = belongsTo(Genre.self)
  }

  private struct Genre: Codable, FetchableRecord, PersistableRecord {
    var tenantId: Int
    var id: Int
  }

  private struct Novel: Codable, FetchableRecord, PersistableRecord {
    static let shelvings = hasMany(Shelving.self)
    static let sections = hasMany(Section.self, through: shelvings, using: Shelving.section)
    static let rooms = hasMany(Room.self, through: shelvings, using: Shelving.room)
    var id: Int
  }

  private struct Shelving: Codable, FetchableRecord, PersistableRecord {
    static let section = belongsTo(Section.self)
    static let room = belongsTo(Room.self)
  }

  private struct Section: Codable, FetchableRecord, PersistableRecord {
    var code: String
  }

  private struct Room: Codable, FetchableRecord, PersistableRecord {
    var id: Int
  }

  @Test func `records are linked if they agree in a column that both keys have`() throws {
    try makeDatabase(
      sql: """
        CREATE TABLE book (tenantId INTEGER, id INTEGER, PRIMARY KEY (tenantId, id));
        CREATE TABLE genre (tenantId INTEGER, id INTEGER, PRIMARY KEY (tenantId, id));
        CREATE TABLE link (
          tenantId INTEGER NOT NULL, bookId INTEGER NOT NULL, genreId INTEGER NOT NULL,
          FOREIGN KEY (tenantId, bookId) REFERENCES book (tenantId, id),
          FOREIGN KEY (tenantId, genreId) REFERENCES genre (tenantId, id));
        INSERT INTO book VALUES (1, 10);
        INSERT INTO genre VALUES (1, 5), (2, 5);
        """
    ).write { db throws in
      let book = Book(tenantId: 1, id: 10)
      let (own, other) = (Genre(tenantId: 1, id: 5), Genre(tenantId: 2, id: 5))
      let message = """
        The records can't be linked: column "tenantId" of table "link" is part of both foreign \
        keys, and they have different values for it.
        """
      #expect(try invalidity(of: book.add(db, other, to: Book.genres)) == message)
      #expect(try db.texts("SELECT * FROM link") == [])
      #expect(try book.add(db, own, to: Book.genres))
      #expect(try !book.add(db, own, to: Book.genres))
      #expect(try book.replaceAll(db, in: Book.genres, with: [own]) == (added: 0, removed: 0))
      #expect(try invalidity(of: book.replaceAll(db, in: Book.genres, with: [other])) == message)
      #expect(try invalidity(of: book.remove(db, other, from: Book.genres)) == message)
      #expect(try db.texts("SELECT * FROM link") == ["1 10 5"])
      #expect(try book.remove(db, own, from: Book.genres))
      #expect(try db.texts("SELECT * FROM link") == [])
    }
  }

  private func inLibrary(_ body: (Database) throws -> Void) throws {
    try makeDatabase(
      sql: """
        CREATE TABLE novel (id INTEGER PRIMARY KEY);
        CREATE TABLE section (code TEXT PRIMARY KEY COLLATE NOCASE);
        CREATE TABLE room (id INTEGER PRIMARY KEY);
        CREATE TABLE shelving (
          novelId INTEGER REFERENCES novel, sectionCode TEXT REFERENCES section,
          roomId TEXT REFERENCES room, note TEXT);
        INSERT INTO novel VALUES (1);
        INSERT INTO section VALUES ('scifi'), ('crime');
        INSERT INTO room VALUES (1), (2);
        """
    ).write(body)
  }

  @Test func `links are found by the collation of the keys that they refer to`() throws {
    try inLibrary { db throws in
      try db.execute(
        sql: """
          INSERT INTO shelving (novelId, sectionCode, note)
          VALUES (1, 'SciFi', 'mine'), (1, 'Crime', 'old')
          """)
      let (novel, section) = (Novel(id: 1), Section(code: "scifi"))
      #expect(try novel.request(for: Novel.sections).fetchCount(db) == 2)
      #expect(try !novel.add(db, section, to: Novel.sections))
      let counts = try novel.replaceAll(db, in: Novel.sections, with: [section])
      #expect(counts == (added: 0, removed: 1))
      #expect(try db.texts("SELECT sectionCode, note FROM shelving") == ["SciFi mine"])
      #expect(try novel.remove(db, section, from: Novel.sections))
      #expect(try db.texts("SELECT * FROM shelving") == [])
    }
  }

  @Test func `links are found by texts that refer to numbers`() throws {
    try inLibrary { db throws in
      try db.execute(
        sql: "INSERT INTO shelving (novelId, roomId, note) VALUES (1, 1, 'mine'), (1, 2, 'old')")
      let counts = try Novel(id: 1).replaceAll(db, in: Novel.rooms, with: [Room(id: 1)])
      #expect(counts == (added: 0, removed: 1))
      #expect(try db.texts("SELECT roomId, note FROM shelving") == ["1 mine"])
    }
  }

  @Test(arguments: [
    "novelId REFERENCES novel, roomId INTEGER REFERENCES room",
    "novelId INTEGER REFERENCES novel, roomId REFERENCES room",
    "novelId REFERENCES novel, roomId REFERENCES room",
  ])
  func `links are found by texts in columns without type`(columns: String) throws {
    try makeDatabase(
      sql: """
        CREATE TABLE novel (id INTEGER PRIMARY KEY);
        CREATE TABLE room (id INTEGER PRIMARY KEY);
        CREATE TABLE shelving (\(columns), note TEXT);
        INSERT INTO novel VALUES (1);
        INSERT INTO room VALUES (1), (2), (3);
        INSERT INTO shelving VALUES ('1', '1', 'mine'), ('1', '2', 'old');
        """
    ).write { db throws in
      let (novel, room) = (Novel(id: 1), Room(id: 1))
      #expect(try !novel.add(db, room, to: Novel.rooms))
      let counts = try novel.replaceAll(
        db, in: Novel.rooms, with: [room, Room(id: 3)], columns: ["note": "new"])
      #expect(counts == (added: 1, removed: 1))
      #expect(
        try db.texts("SELECT * FROM shelving ORDER BY roomId + 0") == ["1 1 mine", "1 3 new"])
      #expect(try novel.remove(db, room, from: Novel.rooms))
      #expect(try db.texts("SELECT * FROM shelving") == ["1 3 new"])
      try db.execute(sql: "UPDATE shelving SET novelId = '1', roomId = '3'")
      #expect(try novel.removeAll(db, from: Novel.rooms) == 1)
    }
  }

  private struct Copy: Codable, FetchableRecord, PersistableRecord {
    static let loans = hasMany(Loan.self)
    static let readers = hasMany(Reader.self, through: loans, using: Loan.reader)
    var branch: String
    var id: Int
  }

  private struct Loan: Codable, FetchableRecord, PersistableRecord {
    static let reader = belongsTo(Reader.self)
  }

  private struct Reader: Codable, FetchableRecord, PersistableRecord {
    var branch: String
    var id: Int
  }

  @Test func `records agree in a column by the collation of the linked table`() throws {
    try makeDatabase(
      sql: """
        CREATE TABLE copy (branch TEXT, id INTEGER, PRIMARY KEY (branch, id));
        CREATE TABLE reader (branch TEXT COLLATE NOCASE, id INTEGER, PRIMARY KEY (branch, id));
        CREATE TABLE loan (
          branch TEXT NOT NULL, copyId INTEGER NOT NULL, readerId INTEGER NOT NULL,
          FOREIGN KEY (branch, copyId) REFERENCES copy (branch, id),
          FOREIGN KEY (branch, readerId) REFERENCES reader (branch, id));
        INSERT INTO copy VALUES ('Rome', 1);
        INSERT INTO reader VALUES ('ROME', 5), ('Turin', 5);
        """
    ).write { db throws in
      let copy = Copy(branch: "Rome", id: 1)
      let (own, other) = (Reader(branch: "ROME", id: 5), Reader(branch: "Turin", id: 5))
      #expect(
        try invalidity(of: copy.add(db, other, to: Copy.readers)) == """
          The records can't be linked: column "branch" of table "loan" is part of both foreign \
          keys, and they have different values for it.
          """)
      #expect(try copy.add(db, own, to: Copy.readers))
      #expect(try !copy.add(db, own, to: Copy.readers))
      #expect(try db.texts("SELECT * FROM loan") == ["Rome 1 5"])
      #expect(try copy.replaceAll(db, in: Copy.readers, with: [own]) == (added: 0, removed: 0))
      #expect(try copy.remove(db, own, from: Copy.readers))
      #expect(try db.texts("SELECT * FROM loan") == [])
    }
  }
}
