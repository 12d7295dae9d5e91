import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias AuthorInfo = Shop.AuthorInfo
private typealias BookInfo = Shop.BookInfo
private typealias Chapter = Shop.Chapter
private typealias Work = Shop.Work

private struct NoName: Error {}

/// A book that refuses to have no title.
private struct CheckedBook: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "book"
  var id: Int64?
  var authorId: Int64?
  var title: String

  func willSave(_ db: Database) throws { if title.isEmpty { throw NoName() } }
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Writer: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "author"
  static let books = hasMany(CheckedBook.self)
  static let forgetful = hasMany(ForgetfulBook.self)
  static let blind = hasMany(BlindBook.self)
  static let keyless = hasMany(KeylessBook.self)
  var id: Int64
  var name: String
}

/// A book that does not get its key.
private struct ForgetfulBook: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "book"
  var id: Int64?
  var authorId: Int64?
  var title: String
}

/// A book that does not store its author.
private struct BlindBook: FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "book"
  var id: Int64?
  var authorId: Int64?
  var title = ""

  init() {}
  init(row: Row) {}
  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["title"] = title
  }
}

/// A book that does not store its key.
private struct KeylessBook: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "book"
  var authorId: Int64?
  var title: String
}

private struct Info<Child> {
  var writer = Writer(id: 1, name: "Austen")
  var books: [Child]
}

struct GraphErrorTests {
  @Test func `a constraint is named with the place in the value`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 1)
      info.author.name = "Jane"
      info.books += ["A", "B", "Villette", "C"].map { ShopBook(title: $0) }
      let before = info
      let error = graphError { try info.save(db, AuthorInfo.graph(.delete)) }
      #expect(error?.reason == .failure)
      #expect(error?.path == "author.books[4].title")
      #expect(error?.databaseTableName == "book")
      let underlying = error?.underlyingError as? DatabaseError
      #expect(underlying?.constraint?.columns == ["title"])
      #expect(error?.description.hasPrefix("author.books[4].title: SQLite error 19: ") == true)
      #expect(info == before)
      #expect(try db.books().count == 4)
      #expect(try ShopAuthor.find(db, key: 1).name == "Austen")
    }
  }

  @Test func `updates, several values and several levels have their places`() throws {
    try withShop { db, _ throws in
      var infos = [try AuthorInfo.find(db, 2), try AuthorInfo.find(db, 1)]
      infos[1].books[1].title = "Beowulf"
      #expect(
        graphError { try AuthorInfo.graph(.delete).save(db, &infos) }?.path
          == "author[1].books[1].title")
      infos = [AuthorInfo(author: ShopAuthor(name: "Austen"), books: [])]
      #expect(
        graphError { try AuthorInfo.graph(.delete).save(db, &infos) }?.path == "author[0].name")

      try db.execute(sql: "CREATE UNIQUE INDEX i ON chapter(title)")
      var work = Work(
        author: ShopAuthor(name: "Eliot"),
        books: [
          BookInfo(book: ShopBook(title: "A"), chapters: [Chapter(title: "A1")]),
          BookInfo(
            book: ShopBook(title: "B"), chapters: [Chapter(title: "B1"), Chapter(title: "A1")]),
        ])
      let error = graphError { try work.save(db, Work.graph(books: .delete, chapters: .delete)) }
      #expect(error?.path == "author.books[1].chapters[1].title")
      #expect(work.author.id == nil)
      #expect(work.books[0].book.id == nil)
    }
  }

  @Test func `errors of callbacks have their places`() throws {
    let graph = SavedGraph(\Info<CheckedBook>.writer)
      .having(many: \.books, Writer.books, key: \.authorId, missing: .keep)
    try withShop { db, _ throws in
      var info = Info(books: ["A", "B", "", "D"].map { CheckedBook(title: $0) })
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.path == "author.books[2]")
      #expect(error?.underlyingError is NoName)
      #expect(info.books.allSatisfy { $0.id == nil && $0.authorId == nil })
      #expect(try ShopBook.fetchCount(db) == 4)
      info.books[2].title = "C"
      try graph.save(db, &info)
      info.books[1].title = ""
      #expect(graphError { try graph.save(db, &info) }?.path == "author.books[1]")
    }
  }

  @Test func `a record that does not get its key is refused`() throws {
    let graph = SavedGraph(\Info<ForgetfulBook>.writer)
      .having(many: \.books, Writer.forgetful, key: \.authorId, missing: .keep)
    try withShop { db, _ throws in
      var info = Info(books: [ForgetfulBook(title: "A")])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.path == "author.books[0]")
      #expect(error?.message.contains("didInsert") == true)
      #expect(try ShopBook.fetchCount(db) == 4)
    }
  }

  @Test func `a key path to another property writes no wrong key`() throws {
    struct Pair: Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "book"
      var id: Int64?
      var authorId: Int64?
      var position: Int64?
      var title: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    struct Owner: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "author"
      static let books = hasMany(Pair.self)
      var id: Int64
      var name: String
    }
    struct OwnerInfo {
      var owner = Owner(id: 1, name: "Austen")
      var books: [Pair]
    }
    try withShop { db, _ throws in
      let wrong = SavedGraph(\OwnerInfo.owner)
        .having(many: \.books, Owner.books, key: \.position, missing: .keep)
      var info = OwnerInfo(books: [Pair(title: "A")])
      let error = graphError { try wrong.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.path == "author.books[0]")
      #expect(error?.message.contains(#"column "authorId""#) == true)

      // A record that has its key stays as it is.
      info.books[0].authorId = 1
      info.books[0].position = 7
      try wrong.save(db, &info)
      #expect(info.books[0].position == 7)
      #expect(try db.texts("SELECT id, authorId, position, title FROM book").last == "5 1 7 A")

      let blind = SavedGraph(\Info<BlindBook>.writer)
        .having(many: \.books, Writer.blind, key: \.authorId, missing: .keep)
      var blindInfo = Info(books: [BlindBook()])
      #expect(
        graphError { try blind.save(db, &blindInfo) }?.message.contains("stores nothing there")
          == true)
    }
  }

  @Test func `a key path to another property changes no row that has its key`() throws {
    struct BookAuthor {
      var book: ShopBook
      var author: ShopAuthor
    }
    try withShop { db, recorder throws in
      // Row 2 is the one whose key the author has.
      try db.execute(
        sql: """
          INSERT INTO author (id, name) VALUES (4, 'Eliot');
          UPDATE book SET authorId = 4 WHERE id = 3;
          """)
      let before = try db.books()
      var info = try AuthorInfo.find(db, 4)
      _ = recorder.takeWrites()
      let wrong = SavedGraph(\AuthorInfo.author)
        .having(many: \.books, ShopAuthor.books, key: \.id, missing: .keep)
      try info.save(db, wrong)
      #expect(recorder.takeWrites() == [])
      #expect(try db.books() == before)
      #expect(info.books.map(\.id) == [3])
      info.books[0].title = "Romola"
      try info.save(db, wrong)
      #expect(try db.books()[2] == "3 4 Romola c")
      #expect(try db.books()[3] == "4 - Beowulf d")

      info.books += [ShopBook(title: "A"), ShopBook(title: "B")]
      let error = graphError { try info.save(db, wrong) }
      #expect(error?.reason == .key)
      #expect(error?.path == "author.books[1]")
      #expect(error?.message.contains(#"properties of "authorId""#) == true)

      let parents = SavedGraph(\BookAuthor.book)
        .belonging(to: \.author, ShopBook.author, key: \.id)
      var pair = try BookAuthor(
        book: ShopBook.find(db, key: 3), author: ShopAuthor.find(db, key: 4))
      try parents.save(db, &pair)
      #expect(pair.book.id == 3)
      pair.author = try ShopAuthor.find(db, key: 1)
      #expect(graphError { try parents.save(db, &pair) }?.reason == .key)
      #expect(try db.books()[2] == "3 4 Romola c")
    }
  }

  @Test func `a key of another type is refused`() throws {
    struct Note: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "profile"
      var authorId: Int64 = 0
      var text: String
    }
    struct Land: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "country"
      static let notes = hasMany(Note.self, using: ForeignKey(["authorId"], to: ["code"]))
      var code: String
      var name: String
    }
    struct LandInfo {
      var land: Land
      var notes: [Note]
    }
    try withShop { db, _ throws in
      var info = LandInfo(land: Land(code: "FR", name: "France"), notes: [Note(text: "x")])
      let graph = SavedGraph(\LandInfo.land)
        .having(many: \.notes, Land.notes, key: \.authorId, missing: .keep)
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.message.contains("value of another type") == true)
    }
  }

  @Test func `a record without the column of its key is refused`() throws {
    let graph = SavedGraph(\Info<KeylessBook>.writer)
      .having(many: \.books, Writer.keyless, key: \.authorId, missing: .keep)
    try withShop { db, _ throws in
      var info = Info(books: [KeylessBook(title: "A")])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.message.contains(#"KeylessBook does not encode column "id""#) == true)
    }
  }

  @Test func `the same row twice is refused`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 1)
      info.books.append(info.books[0])
      let error = graphError { try info.save(db, AuthorInfo.graph(.delete)) }
      #expect(error?.reason == .duplicate)
      #expect(error?.path == "author.books[2]")
      #expect(error?.message.contains("author.books[0]") == true)

      var infos = [try AuthorInfo.find(db, 1), try AuthorInfo.find(db, 1)]
      infos[1].books = []
      #expect(
        graphError { try AuthorInfo.graph(.keep).save(db, &infos) }?.path == "author[1]")
      infos = [try AuthorInfo.find(db, 1), try AuthorInfo.find(db, 2)]
      infos[1].books.append(infos[0].books[0])
      #expect(
        graphError { try AuthorInfo.graph(.delete, moving: true).save(db, &infos) }?.path
          == "author[1].books[1]")
    }
  }

  @Test func `associations that leave out rows can't be saved`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 1)
      let associations = [
        ShopAuthor.books.filter(Column("title") > "F"),
        ShopAuthor.books.joining(required: ShopBook.author),
        ShopAuthor.books.having(ShopBook.chapters.isEmpty),
      ]
      for books in associations {
        let graph = SavedGraph(\AuthorInfo.author)
          .having(many: \.books, books, key: \.authorId, missing: .delete)
        #expect(throws: InvalidRequest.self) { try info.save(db, graph) }
        #expect(
          errorText { try info.save(db, graph) }?.hasPrefix(
            #"Association "books" can't be saved: its conditions, joins or limits leave out rows"#)
            == true)
      }
      let leavesOut = "can't be saved: its conditions, joins or limits leave out rows"
      let limited = SavedGraph(\AuthorInfo.author)
        .having(many: \.books, ShopAuthor.books.limit(1), key: \.authorId, missing: .delete)
      #expect(
        errorText { try info.save(db, limited) }?.hasPrefix("Association \"books\" \(leavesOut)")
          == true)
      struct FirstBook {
        var author: ShopAuthor
        var book: ShopBook?
      }
      var first = FirstBook(author: info.author)
      let one = SavedGraph(\FirstBook.author)
        .having(one: \.book, ShopAuthor.books.first(), key: \.authorId, missing: .delete)
      #expect(errorText { try one.save(db, &first) }?.contains(leavesOut) == true)
      var book = BookInfo(book: try .find(db, key: 1))
      let genres = SavedGraph(\BookInfo.book).linking(
        many: \.genres, ShopBook.genres.limit(1), saving: .saved, missing: .unlink)
      #expect(errorText { try genres.save(db, &book) }?.contains(leavesOut) == true)
      #expect(try ShopBook.fetchCount(db) == 4)

      let ordered = SavedGraph(\AuthorInfo.author).having(
        many: \.books, ShopAuthor.books.order(Column("title")).forKey("works"), key: \.authorId,
        missing: .refuse)
      info.books.removeLast()
      #expect(graphError { try info.save(db, ordered) }?.path == "author.works")
    }
  }

  @Test func `associations to other sources, and along no foreign key, can't be saved`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 1)
      let view = ShopAuthor.hasMany(
        Table<ShopBook>("profile"), using: ForeignKey(["authorId"]))
      let wrongTable = SavedGraph(\AuthorInfo.author)
        .having(many: \.books, view, key: \.authorId, missing: .keep)
      let error = graphError { try info.save(db, wrongTable) }
      #expect(error?.reason == .graph)
      #expect(error?.message.contains("the table of Book, which is book") == true)

      let unknown = ShopAuthor.hasMany(Shop.Genre.self)
      let noKey = SavedGraph(\Info<Shop.Genre>.writer)
        .having(many: \.books, Writer.hasMany(Shop.Genre.self), key: \.id, missing: .keep)
      _ = unknown
      var genres = Info<Shop.Genre>(books: [])
      #expect(throws: InvalidRequest.self) { try noKey.save(db, &genres) }
    }
  }

  @Test func `failures of the connection stay as they are`() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: Shop.schema) }
    var info = AuthorInfo(author: ShopAuthor(name: "A"), books: [])
    let before = info
    #expect(throws: DatabaseError.self) {
      try queue.read { db in try info.save(db, AuthorInfo.graph(.keep)) }
    }
    #expect(info == before)
  }

  @Test func `a trigger that ends the transaction ends the save`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: Shop.schema)
      try db.execute(
        sql: """
          CREATE TRIGGER t BEFORE INSERT ON book WHEN NEW.title = 'bad'
          BEGIN SELECT RAISE(ROLLBACK, 'no'); END
          """)
      var info = AuthorInfo(
        author: ShopAuthor(name: "A"), books: [ShopBook(title: "ok"), ShopBook(title: "bad")])
      let before = info
      #expect(throws: (any Error).self) { try info.save(db, AuthorInfo.graph(.keep)) }
      #expect(info == before)
      #expect(try ShopAuthor.fetchCount(db) == 0)
      #expect(try ShopBook.fetchCount(db) == 0)
    }
  }

  @Test func `a deferred foreign key fails at the commit, and nothing is saved`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE author (
            id INTEGER PRIMARY KEY, name TEXT,
            countryCode TEXT REFERENCES country(code) DEFERRABLE INITIALLY DEFERRED);
          CREATE TABLE country (code TEXT PRIMARY KEY);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), title TEXT,
            position INTEGER)
          """)
      var info = AuthorInfo(
        author: ShopAuthor(name: "A", countryCode: "XX"), books: [ShopBook(title: "B")])
      let before = info
      #expect(throws: DatabaseError.self) { try info.save(db, AuthorInfo.graph(.keep)) }
      #expect(info == before)
      #expect(try ShopBook.fetchCount(db) == 0)
    }
  }
}
