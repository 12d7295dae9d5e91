import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias AuthorInfo = Shop.AuthorInfo

struct GraphSaveTests {
  @Test func `a new author and new books are inserted, and have their keys`() throws {
    try withShop { db, recorder throws in
      var info = AuthorInfo(
        author: ShopAuthor(name: "Eliot"),
        books: [
          ShopBook(title: "Romola"), ShopBook(title: "Adam Bede"), ShopBook(title: "Middlemarch"),
        ])
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(
        recorder.takeWrites()
          == [
            #"INSERT INTO "author" ("id", "name", "countryCode") VALUES (?,?,?)"#,
            """
            INSERT INTO "book" ("id", "authorId", "title", "position") VALUES (?,?,?,?),(?,?,?,?) \
            RETURNING "id"
            """,
            """
            INSERT INTO "book" ("id", "authorId", "title", "position") VALUES (?,?,?,?) \
            RETURNING "id"
            """,
          ])
      #expect(info.author.id == 3)
      #expect(info.books.map(\.id) == [5, 6, 7])
      #expect(info.books.map(\.authorId) == [3, 3, 3])
      #expect(try AuthorInfo.find(db, 3) == info)
    }
  }

  @Test func `records are inserted, updated and deleted, and only what differs is written`() throws
  {
    try withShop { db, recorder throws in
      var info = try AuthorInfo.find(db, 1)
      info.author.name = "Jane Austen"
      info.books.removeFirst()
      info.books[0].title = "Persuasion, a novel"
      info.books.append(ShopBook(title: "Sanditon"))
      try db.execute(sql: "DELETE FROM chapter; DELETE FROM bookGenre")
      _ = recorder.take()
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(
        recorder.takeWrites() == [
          #"UPDATE "author" SET "name"=?, "countryCode"=? WHERE "id"=?"#,
          #"DELETE FROM "book" WHERE "id" = ?"#,
          #"UPDATE "book" SET "authorId"=?, "title"=?, "position"=? WHERE "id"=?"#,
          #"INSERT INTO "book" ("id", "authorId", "title", "position") VALUES (?,?,?,?)"#,
        ])
      #expect(
        try db.books() == [
          "2 1 Persuasion, a novel b", "3 2 Villette c", "4 - Beowulf d", "5 1 Sanditon new",
        ])
      #expect(try AuthorInfo.find(db, 1) == info)

      try info.save(db, AuthorInfo.graph(.delete))
      #expect(recorder.takeWrites() == [])
    }
  }

  @Test func `the rows of a value are found by one query per level`() throws {
    try withShop { db, recorder throws in
      var info = try AuthorInfo.find(db, 1)
      _ = recorder.take()
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(
        recorder.takeStatements() == [
          "SAVEPOINT grdb",
          """
          SELECT "stored".*, "stored"."id", "given"."column1" FROM (VALUES (0,?)) AS "given" \
          CROSS JOIN "author" AS "stored" ON "stored"."id" = "given"."column2"
          """,
          """
          SELECT "stored".*, "stored"."id", "given"."column1" FROM (VALUES (0,?),(1,?)) AS "given" \
          CROSS JOIN "book" AS "stored" ON "stored"."id" = "given"."column2"
          """,
          """
          SELECT "stored".*, "stored"."id", "given"."column1" FROM (VALUES (0,?)) AS "given" \
          CROSS JOIN "book" AS "stored" ON "stored"."authorId" = "given"."column2"
          """,
          "RELEASE SAVEPOINT grdb",
        ])
    }
  }

  @Test func `an author with 100 books takes few statements`() throws {
    try withShop { db, recorder throws in
      var info = AuthorInfo(
        author: ShopAuthor(name: "Eliot"), books: (0..<100).map { ShopBook(title: "Book \($0)") })
      try info.save(db, AuthorInfo.graph(.delete))
      // Two savepoints, the author, a query, and 64 + 32 + 4 books.
      #expect(recorder.takeStatements().count == 9)

      try info.save(db, AuthorInfo.graph(.delete))
      // A savepoint and three queries.
      #expect(recorder.takeStatements().count == 5)

      info.books[7].title = "Seven"
      info.books.removeLast(90)
      try info.save(db, AuthorInfo.graph(.delete))
      // Also a deletion, an update, and the queries for what is there after the deletion: of the
      // books, and of all rows at the end.
      #expect(recorder.takeStatements().count == 10)
      #expect(try AuthorInfo.find(db, 3) == info)
    }
  }

  @Test func `many values are saved by as many statements as one`() throws {
    try withShop { db, recorder throws in
      var infos = (0..<32).map { index in
        AuthorInfo(
          author: ShopAuthor(name: "A\(index)"),
          books: (0..<4).map { ShopBook(title: "B\(index) \($0)") })
      }
      try AuthorInfo.graph(.delete).save(db, &infos)
      // Three savepoints, a query, 32 authors, 128 books.
      #expect(recorder.takeStatements().count == 9)
      #expect(try infos.map { try AuthorInfo.find(db, $0.author.id ?? 0) } == infos)
      #expect(Set(infos.map(\.author.id)).count == 32)
      infos = []
      try AuthorInfo.graph(.delete).save(db, &infos)
    }
  }

  @Test func `a thousand children are found and removed`() throws {
    try withShop { db, _ throws in
      var info = AuthorInfo(
        author: ShopAuthor(name: "Eliot"), books: (0..<1300).map { ShopBook(title: "Book \($0)") })
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try AuthorInfo.find(db, 3) == info)
      info.books.removeFirst(1200)
      info.books[0].title = "One"
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try AuthorInfo.find(db, 3) == info)
    }
  }

  @Test func `a record with a key and without row is inserted with the key`() throws {
    try withShop { db, _ throws in
      var info = AuthorInfo(
        author: ShopAuthor(id: 20, name: "Eliot"), books: [ShopBook(id: 30, title: "Romola")])
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(try AuthorInfo.find(db, 20) == info)
      #expect(info.books[0].authorId == 20)
    }
  }

  @Test func `a record that belongs to nobody is taken`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 2)
      info.books.append(ShopBook(id: 4, title: "Beowulf"))
      try info.save(db, AuthorInfo.graph(.refuse))
      #expect(try db.books()[2...] == ["3 2 Villette c", "4 2 Beowulf d"])
    }
  }

  @Test func `a row of another author is moved if the graph lets it`() throws {
    try withShop { db, _ throws in
      var info = try AuthorInfo.find(db, 2)
      info.books.append(ShopBook(id: 1, authorId: 1, title: "Emma"))
      let before = info
      let error = graphError { try info.save(db, AuthorInfo.graph(.delete)) }
      #expect(error?.reason == .foreignRow)
      #expect(error?.path == "author.books[1]")
      #expect(info == before)
      #expect(try db.books()[0] == "1 1 Emma a")

      try info.save(db, AuthorInfo.graph(.delete, moving: true))
      #expect(try db.books()[0] == "1 2 Emma a")
    }
  }

  @Test func `children move between the values of one save if the graph lets them`() throws {
    try withShop { db, _ throws in
      var infos = [try AuthorInfo.find(db, 1), try AuthorInfo.find(db, 2)]
      infos[1].books.append(infos[0].books.removeFirst())
      let error = graphError { try AuthorInfo.graph(.delete).save(db, &infos) }
      #expect(error?.path == "author[1].books[1]")
      #expect(error?.reason == .foreignRow)
      try AuthorInfo.graph(.delete, moving: true).save(db, &infos)
      #expect(
        try db.books() == [
          "1 2 Emma a", "2 1 Persuasion b", "3 2 Villette c", "4 - Beowulf d",
        ])
    }
  }

  @Test func `a record that contains its children is its own value`() throws {
    struct Writer: FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "author"
      static let books = hasMany(ShopBook.self)
      var id: Int64?
      var name: String
      var books: [ShopBook] = []

      init(name: String) { self.name = name }
      init(row: Row) throws { (id, name) = (row["id"], row["name"]) }
      func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
      }
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try withShop { db, _ throws in
      var writer = Writer(name: "Eliot")
      writer.books = [ShopBook(title: "Romola")]
      let graph = SavedGraph(\Writer.self)
        .having(many: \.books, Writer.books, key: \.authorId, missing: .delete)
      try writer.save(db, graph)
      #expect(writer.books.map(\.authorId) == [3])
      #expect(try db.books().last == "5 3 Romola new")
    }
  }

  @Test func `a save is part of the transaction around it`() throws {
    try withShop { db, _ throws in
      try db.inSavepoint {
        var info = try AuthorInfo.find(db, 1)
        info.author.name = "X"
        try info.save(db, AuthorInfo.graph(.delete))
        return .rollback
      }
      #expect(try ShopAuthor.find(db, key: 1).name == "Austen")
    }
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: Shop.schema)
      var info = AuthorInfo(author: ShopAuthor(name: "A"), books: [ShopBook(title: "B")])
      try info.save(db, AuthorInfo.graph(.delete))
      #expect(!db.isInsideTransaction)
      #expect(try ShopBook.fetchCount(db) == 1)
    }
  }

  @Test func `keys are compared as SQLite compares them`() throws {
    struct Code: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "code"
      static let parts = hasMany(Part.self)
      var code: String
    }
    struct Part: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "part"
      var number: String
      var codeCode: String = ""
      var text: String
    }
    struct CodeInfo {
      var code: Code
      var parts: [Part]
    }
    let schema = """
      CREATE TABLE code (code TEXT PRIMARY KEY COLLATE NOCASE);
      CREATE TABLE part (
        number INTEGER PRIMARY KEY, codeCode TEXT COLLATE NOCASE REFERENCES code(code), text TEXT,
        note TEXT);
      INSERT INTO code VALUES ('AB'); INSERT INTO part VALUES (1, 'ab', 'x', 'n'), (2, 'AB', 'y', 'm');
      """
    try withShop(schema) { db, _ throws in
      var info = CodeInfo(
        code: Code(code: "ab"),
        parts: [Part(number: "1", text: "x2"), Part(number: "02", text: "y2")])
      let graph = SavedGraph(\CodeInfo.code)
        .having(many: \.parts, Code.parts, key: \.codeCode, missing: .delete)
      try graph.save(db, &info)
      #expect(try db.texts("SELECT lower(code) FROM code") == ["ab"])
      #expect(try db.texts("SELECT * FROM part") == ["1 ab x2 n", "2 ab y2 m"])
    }
  }

  @Test func `keys of several columns are handed down in their order`() throws {
    struct Shelf: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "shelf"
      static let items = hasMany(Item.self)
      var room: String
      var number: Int
    }
    struct Item: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "item"
      var id: Int64?
      var shelfRoom: String?
      var shelfNumber: Int?
      var name: String
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    struct ShelfInfo {
      var shelf: Shelf
      var items: [Item]
    }
    let schema = """
      CREATE TABLE shelf (room TEXT, number INTEGER, PRIMARY KEY (room, number)) WITHOUT ROWID;
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, shelfRoom TEXT, shelfNumber INTEGER, name TEXT,
        FOREIGN KEY (shelfRoom, shelfNumber) REFERENCES shelf(room, number));
      INSERT INTO shelf VALUES ('A', 1), ('A', 2);
      INSERT INTO item VALUES (1, 'A', 1, 'x'), (2, 'A', 1, 'y'), (3, 'A', 2, 'z');
      """
    let graph = { (missing: MissingRows) in
      SavedGraph(\ShelfInfo.shelf).having(
        many: \.items, Shelf.items, key: \.shelfRoom, \.shelfNumber, missing: missing)
    }
    try withShop(schema) { db, _ throws in
      var info = ShelfInfo(
        shelf: Shelf(room: "A", number: 1), items: [Item(id: 2, name: "y2"), Item(name: "w")])
      try graph(.detach).save(db, &info)
      #expect(
        try db.texts("SELECT * FROM item") == ["1 - - x", "2 A 1 y2", "3 A 2 z", "4 A 1 w"])
      info.items = []
      try graph(.delete).save(db, &info)
      #expect(try db.texts("SELECT * FROM item") == ["1 - - x", "3 A 2 z"])

      let one = SavedGraph(\ShelfInfo.shelf)
        .having(many: \.items, Shelf.items, key: \.shelfRoom, missing: .keep)
      info.items = [Item(name: "v")]
      let error = graphError { try one.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(
        error?.message
          == #"the graph has 1 key paths, and the foreign key 2 columns: "shelfRoom", "shelfNumber""#
      )
    }
  }
}
