import Foundation
import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Edition: Codable, Equatable, FetchableRecord, VersionedRecord {
  static let databaseTableName = "book"
  var id: Int64?
  var title: String
  var price: Int
  var version = 1

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The same table, encoded by hand, with callbacks.
private struct PricedBook: FetchableRecord, PersistableRecord, VersionedRecord {
  static let databaseTableName = "book"
  var id: Int64
  var price: Int
  var version: Int
  var log: Log<String>?

  init(id: Int64, price: Int, version: Int, log: Log<String>? = nil) {
    (self.id, self.price, self.version, self.log) = (id, price, version, log)
  }

  init(row: Row) throws {
    self.init(id: row["id"], price: row["price"], version: row["version"])
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["price"] = price
    container["version"] = version
  }

  func willUpdate(_ db: Database, columns: Set<String>) { log?.append("willUpdate") }
  func didUpdate(_ updated: PersistenceSuccess) { log?.append("didUpdate") }
  func willDelete(_ db: Database) { log?.append("willDelete") }
  func didDelete(deleted: Bool) { log?.append("didDelete \(deleted)") }
}

private final class Shelf: Codable, FetchableRecord, PersistableRecord, VersionedRecord {
  static let databaseTableName = "shelf"
  static var versionColumn: String { "revision" }
  let room: String
  let number: Int
  var name: String
  var version: Int

  enum CodingKeys: String, CodingKey {
    case room, number, name
    case version = "revision"
  }

  init(room: String, number: Int, name: String, version: Int) {
    (self.room, self.number, self.name, self.version) = (room, number, name, version)
  }
}

private let schema = """
  CREATE TABLE book (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT '', price INTEGER NOT NULL, version INTEGER);
  CREATE TABLE shelf (
    room TEXT, number INTEGER, name TEXT, revision INTEGER, PRIMARY KEY (room, number)) WITHOUT ROWID;
  """

private func withBooks<T>(_ body: (Database, SQLRecorder) throws -> T) throws -> T {
  let recorder = SQLRecorder()
  let database = try DatabaseQueue(configuration: recorder.recording())
  return try database.write { db in
    try db.execute(sql: schema)
    _ = recorder.take()
    return try body(db, recorder)
  }
}

private func stale(_ body: () throws -> Void) -> StaleRecordError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StaleRecordError
  }
}

struct VersionedRecordTests {
  @Test func `an update compares the version, and raises it in the row and in the record`() throws {
    try withBooks { db, recorder throws in
      var book = Edition(title: "Emma", price: 10)
      try book.insert(db)
      _ = recorder.take()
      book.price = 12
      try book.update(db)
      #expect(book.version == 2)
      try book.update(db, columns: ["price", "version"])
      try book.update(db, columns: [Column("price")])
      #expect(book.version == 4)
      #expect(
        recorder.take().filter { $0.hasPrefix("UPDATE") } == [
          """
          UPDATE "book" SET "title"=?, "price"=?, "version"="version"+1 \
          WHERE "id"=? AND "version"=?
          """,
          #"UPDATE "book" SET "price"=?, "version"="version"+1 WHERE "id"=? AND "version"=?"#,
          #"UPDATE "book" SET "price"=?, "version"="version"+1 WHERE "id"=? AND "version"=?"#,
        ])
      #expect(try Edition.fetchAll(db) == [book])
    }
  }

  @Test func `all updates hand the new version back`() throws {
    try withBooks { db, _ throws in
      var book = Edition(title: "Emma", price: 10)
      try book.save(db)
      #expect(book.version == 1)
      try book.save(db)
      #expect(book.version == 2)
      try book.updateChanges(db) { $0.price = 11 }
      #expect(book.version == 3)
      try book.updateChanges(db) { $0.price = 11 }
      #expect(book.version == 3)
      try book.update(db, \.price, to: 12)
      #expect(book.version == 4)
      let old = book
      book.title = "Persuasion"
      #expect(try book.updateChanges(db, from: old))
      #expect(book.version == 5)
      #expect(try book.updateChangesAndFetch(db) { $0.price = 13 } == book)
      #expect(book.version == 6)
      try book.update(db) { _ in [Column("price")] }
      #expect(book.version == 7)
      #expect(try book.saveAndFetch(db, as: Edition.self) == book)
      #expect(book.version == 8)
      #expect(try Edition.fetchAll(db) == [book])
    }
  }

  @Test func `methods that return the row have its version, and leave a constant as it is`() throws
  {
    try withBooks { db, _ throws in
      let book = try Edition(id: 1, title: "Emma", price: 10).inserted(db)
      #expect(try book.updateAndFetch(db).version == 2)
      #expect(stale { _ = try book.updateAndFetch(db) }?.currentVersion == 2.databaseValue)
      let current = try Edition.find(db, key: 1)
      try current.update(db)
      #expect(try Edition.find(db, key: 1).version == 3)
      #expect(stale { try current.update(db) }?.version == 2.databaseValue)
      #expect(try Edition.find(db, key: 1).saved(db).version == 4)
    }
  }

  @Test func `a stale record is not written, whatever the method`() throws {
    try withBooks { db, _ throws in
      var first = Edition(title: "Emma", price: 10)
      try first.insert(db)
      var second = first
      try first.update(db)
      second.price = 20
      let writes: [(inout Edition) throws -> Void] = [
        { try $0.update(db) }, { try $0.save(db) }, { _ = try $0.delete(db) },
        { try $0.update(db, columns: ["price"]) }, { try $0.update(db, columns: []) },
        { try $0.updateChanges(db) { $0.price = 30 } },
        { _ = try $0.updateAndFetch(db) }, { _ = try $0.saveAndFetch(db, as: Edition.self) },
      ]
      for write in writes {
        var copy = second
        let error = stale { try write(&copy) }
        #expect(error?.version == 1.databaseValue)
        #expect(error?.currentVersion == 2.databaseValue)
        #expect(error?.key == ["id": 1.databaseValue])
        #expect(copy.version == 1)
      }
      #expect(try Edition.fetchAll(db) == [first])
      #expect(
        stale { try second.update(db) }?.description == """
          book [id:1] was not written: the record has version 1, its row has version 2. To resolve \
          the conflict, fetch the record again, apply the change to it, and write it.
          """)
      #expect(try first.delete(db))
      #expect(try Edition.fetchCount(db) == 0)
    }
  }

  @Test func `a row that is gone is a conflict of updates, and a save inserts it`() throws {
    try withBooks { db, _ throws in
      var book = try Edition(id: 1, title: "Emma", price: 10).inserted(db)
      let copy = book
      #expect(try copy.delete(db))
      #expect(try !copy.delete(db))
      let error = stale { try book.update(db) }
      #expect(error?.currentVersion == nil)
      #expect(
        error?.description.contains("the record has version 1, its row is gone") == true)
      #expect(stale { _ = try copy.updateAndFetch(db) } != nil)
      #expect(stale { try book.updateChanges(db) { $0.price = 3 } } != nil)
      try book.save(db)
      #expect(book.version == 1)
      #expect(try Edition.fetchAll(db) == [book])
    }
  }

  @Test func `an update that is ignored is no conflict of versions`() throws {
    try withBooks { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX bookTitle ON book (title)")
      _ = try Edition(id: 1, title: "Emma", price: 10).inserted(db)
      var book = try Edition(id: 2, title: "Persuasion", price: 8).inserted(db)
      book.title = "Emma"
      let writes: [(inout Edition) throws -> Void] = [
        { try $0.update(db, onConflict: .ignore) },
        { try $0.update(db, onConflict: .ignore, columns: ["title"]) },
        { _ = try $0.updateAndFetch(db, onConflict: .ignore) },
      ]
      for write in writes {
        let error = errorText { try write(&book) }
        #expect(error == "Key not found in table book: [id:2]")
        #expect(book.version == 1)
      }
      let titles = try Edition.order(Column("id")).fetchAll(db).map(\.title)
      #expect(titles == ["Emma", "Persuasion"])
      try db.execute(sql: "DELETE FROM book WHERE id = 2")
      let gone = stale { try book.update(db, onConflict: .ignore) }
      #expect(gone?.version == 1.databaseValue)
    }
  }

  @Test func `records that encode themselves, with callbacks`() throws {
    try withBooks { db, _ throws in
      let log = Log<String>()
      var book = PricedBook(id: 1, price: 10, version: 7, log: log)
      try book.insert(db)
      try book.update(db)
      #expect(book.version == 8)
      try book.save(db)
      #expect(book.version == 9)
      var stale = book
      stale.version = 8
      #expect(throws: StaleRecordError.self) { try stale.save(db) }
      #expect(throws: StaleRecordError.self) { try stale.delete(db) }
      #expect(try book.delete(db))
      #expect(
        log.elements == [
          "willUpdate", "didUpdate", "willUpdate", "didUpdate", "willUpdate", "willDelete",
          "willDelete", "didDelete true",
        ])
    }
  }

  @Test func `an object that is a constant gets the version, with a key of two columns`() throws {
    try withBooks { db, recorder throws in
      let shelf = Shelf(room: "A", number: 7, name: "Novels", version: 1)
      try shelf.insert(db)
      let copy = try #require(try Shelf.fetchOne(db))
      _ = recorder.take()
      try shelf.update(db)
      #expect(shelf.version == 2)
      #expect(
        recorder.take().last == """
          UPDATE "shelf" SET "name"=?, "revision"="revision"+1 \
          WHERE "room"=? AND "number"=? AND "revision"=?
          """)
      try shelf.update(db, columns: ["name"])
      try shelf.update(db, columns: [Column("name")])
      let old = try #require(try Shelf.fetchOne(db))
      shelf.name = "Poems"
      #expect(try shelf.updateChanges(db, from: old))
      try shelf.save(db)
      #expect(shelf.version == 6)
      #expect(
        stale { try copy.update(db) }?.key == [
          "room": "A".databaseValue, "number": 7.databaseValue,
        ])
      #expect(stale { try copy.delete(db) }?.currentVersion == 6.databaseValue)
      #expect(try shelf.delete(db))
    }
  }

  @Test func `an object that is a constant gets the version of an update that fetches`() throws {
    try withBooks { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE oldShelf (
            room TEXT, number INTEGER, name TEXT, revision INTEGER, PRIMARY KEY (room, number));
          INSERT INTO oldShelf VALUES ('A', 7, 'Novels', 6);
          """)
      let shelf = Shelf(room: "A", number: 7, name: "Novels", version: 1)
      try shelf.insert(db)
      let copy = try #require(try Shelf.fetchOne(db))
      let selection = [Column("revision")]
      func revision(_ statement: Statement) throws -> Int? { try Int.fetchOne(statement) }
      #expect(try shelf.updateAndFetch(db).version == 2)
      #expect(try shelf.updateAndFetch(db, as: Shelf.self).version == 3)
      let third = try shelf.updateAndFetch(db, selection: selection, fetch: revision)
      let fourth = try shelf.updateAndFetch(
        db, columns: ["name"], selection: selection, fetch: revision)
      let fifth = try shelf.updateAndFetch(
        db, columns: [Column("name")], selection: selection, fetch: revision)
      #expect([third, fourth, fifth] == [4, 5, 6])
      #expect(shelf.version == 6)
      #expect(try shelf.updateAndFetch(db, in: "oldShelf").version == 7)
      #expect(shelf.version == 7)
      let error = stale { _ = try copy.updateAndFetch(db) }
      #expect(error?.currentVersion == 6.databaseValue)
      #expect(copy.version == 1)
    }
  }

  @Test func `generic code compares versions too`() throws {
    func update(_ record: some MutablePersistableRecord, _ db: Database) throws {
      try record.update(db)
    }
    try withBooks { db, _ throws in
      let book = try Edition(id: 1, title: "Emma", price: 10).inserted(db)
      try update(book, db)
      #expect(throws: StaleRecordError.self) { try update(book, db) }
    }
  }

  @Test func `writes of many rows and upserts don't look at versions`() throws {
    try withBooks { db, _ throws in
      var books = [
        Edition(id: 1, title: "Emma", price: 10), Edition(id: 2, title: "Lady Susan", price: 8),
      ]
      try Edition.insert(db, contentsOf: &books)
      #expect(books.map(\.version) == [1, 1])
      try Edition.updateAll(db, Column("price").set(to: 5))
      #expect(try Edition.fetchAll(db).map(\.version) == [1, 1])
      try Edition.updateAll(db, Column("price").set(to: 6), Column("version") += 1)
      #expect(try Edition.fetchAll(db).map(\.version) == [2, 2])
      var stale = books[0]
      try stale.upsert(db)
      #expect(try Edition.find(db, key: 1) == books[0])
      try stale.insert(db, onConflict: .replace)
      #expect(try Edition.find(db, key: 1).version == 1)
    }
  }

  @Test func `another table has versions of its own`() throws {
    try withBooks { db, _ throws in
      try db.execute(sql: "CREATE TABLE old AS SELECT * FROM book")
      try db.execute(
        sql: "DROP TABLE old; CREATE TABLE old (id INTEGER PRIMARY KEY, title, price, version)")
      var book = Edition(id: 1, title: "Emma", price: 10, version: 3)
      try book.insert(db, into: "old")
      var other = book
      try book.update(db, in: "old")
      let error = stale { try other.update(db, in: "old") }
      #expect(error?.databaseTableName == "old")
      #expect(error?.currentVersion == 4.databaseValue)
    }
  }

  @Test func `writes to another table hand the version back`() throws {
    try withBooks { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE old (id INTEGER PRIMARY KEY, title, price, version);
          CREATE TABLE oldShelf (
            room TEXT, number INTEGER, name TEXT, revision INTEGER, PRIMARY KEY (room, number));
          INSERT INTO old VALUES (1, 'Emma', 10, 1);
          INSERT INTO oldShelf VALUES ('A', 1, 'x', 1);
          """)
      var book = Edition(id: 1, title: "Emma", price: 11)
      try book.update(db, in: "old")
      #expect(book.version == 2)
      try book.update(db, in: "old", columns: ["price"])
      #expect(book.version == 3)

      var priced = PricedBook(id: 1, price: 12, version: 3)
      try priced.update(db, in: "old")
      try priced.save(db, into: "old")
      #expect(priced.version == 5)

      // A constant object has a version that changes.
      let shelf = Shelf(room: "A", number: 1, name: "y", version: 1)
      try shelf.update(db, in: "oldShelf")
      try shelf.save(db, into: "oldShelf")
      #expect(shelf.version == 3)
      let row = try Row.fetchOne(db, sql: "SELECT name, revision FROM oldShelf")
      #expect(row == ["name": "y", "revision": 3])
      #expect(try Int.fetchOne(db, sql: "SELECT version FROM old") == 5)

      // The row of the type's own table has versions of its own.
      #expect(stale { try book.update(db, in: "old") }?.version == 3.databaseValue)
      #expect(try priced.delete(db, from: "old"))
    }
  }

  @Test func `a row with a version that is no integer is a conflict`() throws {
    try withBooks { db, _ throws in
      try db.execute(sql: "INSERT INTO book (id, price, version) VALUES (1, 1, NULL), (2, 2, 'x')")
      var first = Edition(id: 1, title: "", price: 1)
      #expect(stale { try first.update(db) }?.currentVersion == .null)
      var second = Edition(id: 2, title: "", price: 1)
      #expect(stale { try second.save(db) }?.currentVersion == "x".databaseValue)
    }
  }

  @Test func `a version that can't be compared is an error`() throws {
    struct Unversioned: Codable, VersionedRecord {
      static let databaseTableName = "book"
      static var versionColumn: String { "revision" }
      var id: Int64
      var version: Int
    }
    struct Hidden: VersionedRecord {
      static let databaseTableName = "book"
      var id: Int64
      var version = 1
      var stored: (any DatabaseValueConvertible)?
      func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        if let stored { container["version"] = stored }
      }
    }
    func message(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return nil
      } catch {
        return (error as? DatabaseError)?.message
      }
    }
    try withBooks { db, _ throws in
      try db.execute(sql: "INSERT INTO book (id, price, version) VALUES (1, 1, 1)")
      var unversioned = Unversioned(id: 1, version: 1)
      let noColumn = """
        no version of book in column "revision": the table has no such column: add it in a migration
        """
      #expect(message { try unversioned.update(db) } == noColumn)
      #expect(message { try unversioned.delete(db) } == noColumn)
      var hidden = Hidden(id: 1)
      #expect(
        message { try hidden.update(db) }
          == #"no version of book in column "version": the record does not encode it"#)
      hidden.stored = "one"
      #expect(
        message { try hidden.save(db) }
          == #"no version of book in column "version": it must be an integer that can be raised, and is "one""#
      )
      #expect(message { try hidden.delete(db) } != nil)
      hidden.stored = Int64.max
      #expect(message { try hidden.update(db) }?.hasSuffix("is 9223372036854775807") == true)
      #expect(try Int.fetchOne(db, sql: "SELECT version FROM book") == 1)
    }
  }

  @Test func `a record without key has no row`() throws {
    try withBooks { db, _ throws in
      var book = Edition(title: "Emma", price: 10)
      let error = stale { try book.update(db) }
      #expect(error?.key == ["id": .null])
      #expect(try !book.delete(db))
    }
  }

  @Test func `subclasses of any record class are refused`() throws {
    class Base: Codable, FetchableRecord, PersistableRecord {
      class var databaseTableName: String { "book" }
      var id: Int64 = 1
      var price = 10
    }
    final class Old: Base, VersionedRecord {
      var version: Int {
        get { 1 }
        set {}
      }
    }
    try withBooks { db, _ throws in
      let old = try Old(row: ["id": 1, "price": 10])
      try old.insert(db)
      var variable = old
      let writes: [() throws -> Void] = [
        { try old.update(db) }, { try old.save(db) }, { try old.delete(db) },
        { try variable.updateChanges(db) { $0.price = 11 } },
        { _ = try old.updateAndFetch(db) }, { _ = try old.updateAndFetch(db, as: Edition.self) },
        { _ = try old.saveAndFetch(db) }, { _ = try old.saveAndFetch(db, as: Edition.self) },
      ]
      for write in writes {
        let error = #expect(throws: DatabaseError.self) { try write() }
        #expect(error?.message?.hasPrefix("Old can't be a VersionedRecord") == true)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT price FROM book") == 10)
    }
  }

  @Test func `an object gets its version back after a rollback of the transaction`() throws {
    let database = try makeDatabase(sql: schema)
    let shelf = Shelf(room: "A", number: 7, name: "Novels", version: 1)
    try database.write { try shelf.insert($0) }
    try database.writeWithoutTransaction { db in
      try shelf.update(db)
      #expect(shelf.version == 2)
      try db.inTransaction {
        try shelf.update(db)
        try shelf.save(db)
        var variable = shelf
        #expect(try variable.updateChanges(db) { $0.name = "Poems" })
        #expect(shelf.version == 5)
        return .rollback
      }
      #expect(shelf.version == 2)
      // What the application assigns stays.
      try db.inTransaction {
        try shelf.update(db)
        shelf.version = 7
        return .rollback
      }
      #expect(shelf.version == 7)
      shelf.version = 2
      try db.inTransaction {
        try shelf.update(db)
        return .commit
      }
      try db.inTransaction { .rollback }
      #expect(shelf.version == 3)
      // A savepoint is not undone.
      try db.inTransaction {
        try db.inSavepoint {
          try shelf.update(db)
          return .rollback
        }
        return .commit
      }
      #expect(shelf.version == 4)
      #expect(stale { try shelf.update(db) }?.currentVersion == 3.databaseValue)
    }
  }

  /// Documented: a value does not learn of a rollback.
  @Test func `a value keeps the version of a transaction that is rolled back`() throws {
    try withBooks { db, _ throws in
      var book = try Edition(id: 1, title: "Emma", price: 10).inserted(db)
      var other = book
      try db.inSavepoint {
        try book.update(db)
        return .rollback
      }
      #expect(book.version == 2)
      #expect(stale { try book.update(db) }?.currentVersion == 1.databaseValue)
      other.price = 20
      try other.update(db)
      // The row has got the number.
      try book.update(db)
      #expect(try Edition.find(db, key: 1).price == 10)
    }
  }

  @Test func `subclasses of the class Record are refused`() throws {
    final class Old: Record, VersionedRecord {
      override class var databaseTableName: String { "book" }
      var version = 1
      override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = 1
        container["version"] = version
      }
    }
    try withBooks { db, _ throws in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma', 10, 7)")
      let old = Old()
      let writes: [() throws -> Void] = [
        { try old.update(db) }, { try old.updateChanges(db) }, { try old.save(db) },
        { _ = try old.delete(db) }, { try (old as Record).update(db) },
        { try (old as Record).updateChanges(db) }, { try (old as Record).save(db) },
        { _ = try (old as Record).delete(db) }, { _ = try old.updateAndFetch(db) },
        { try (old as Record).update(db, columns: ["version"]) },
      ]
      for write in writes {
        let error = #expect(throws: DatabaseError.self) { try write() }
        #expect(error?.message?.hasPrefix("Old can't be a VersionedRecord") == true)
      }
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM book") == [
          "id": 1, "title": "Emma", "price": 10, "version": 7,
        ])
    }
  }
}
