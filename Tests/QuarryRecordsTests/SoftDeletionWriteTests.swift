import Foundation
import Quarry
import QuarryMigrations
import QuarryRecords
import QuarryTestSupport
import Testing

private func withLibrary<T>(_ body: (Database, SQLRecorder) throws -> T) throws -> T {
  let recorder = SQLRecorder()
  var configuration = recorder.recording()
  configuration.transactionClock = .custom { _ in Date(timeIntervalSince1970: 1_800_000_000) }
  let database = try DatabaseQueue(configuration: configuration)
  return try database.write { db in
    try db.execute(sql: softSchema + softRows)
    _ = recorder.take()
    return try body(db, recorder)
  }
}

/// The transaction of the tests.
private let now = "2027-01-15 08:00:00.000"

private func deletions(_ db: Database, _ table: String = "book") throws -> [String?] {
  try String?.fetchAll(db, sql: "SELECT deletedAt FROM \(table) ORDER BY rowid")
}

struct SoftDeletionWriteTests {
  @Test func `a deletion marks the row`() throws {
    try withLibrary { db, recorder throws in
      let book = try Book.find(db, key: 5)
      _ = recorder.take()
      #expect(try book.delete(db))
      #expect(
        recorder.take() == [
          """
          UPDATE "book" SET "deletedAt" = ? \
          WHERE ("id" = ?) AND ("deletedAt" IS NULL)
          """
        ])
      #expect(try !book.delete(db))
      #expect(try deletions(db) == [nil, "2026-01-01", "2026-01-01", nil, now])
      #expect(try book.restore(db))
      #expect(try !book.restore(db))
      #expect(try deletions(db)[4] == nil)
      #expect(try book.forceDelete(db))
      #expect(try !book.forceDelete(db))
      #expect(try Book.withDeleted().fetchCount(db) == 4)
    }
  }

  @Test func `a deletion marks the row whose key the index of the key takes for equal`() throws {
    struct Topic: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      var name: String
    }
    try withLibrary { db, recorder throws in
      try db.execute(
        sql: """
          CREATE TABLE topic (
            name TEXT COLLATE NOCASE, deletedAt TEXT, PRIMARY KEY (name COLLATE BINARY));
          INSERT INTO topic (name) VALUES ('sea'), ('Sea');
          """)
      _ = recorder.take()
      #expect(try Topic(name: "Sea").delete(db))
      #expect(
        recorder.take().last == """
          UPDATE "topic" SET "deletedAt" = ? \
          WHERE ("name" = ? COLLATE BINARY) AND ("deletedAt" IS NULL)
          """)
      #expect(try deletions(db, "topic") == [nil, now])
      #expect(try Topic(name: "Sea").restore(db))
      #expect(try !Topic(name: "SEA").delete(db))
      #expect(try deletions(db, "topic") == [nil, nil])
    }
  }

  @Test func `deletions of requests mark rows, each one once`() throws {
    try withLibrary { db, recorder throws in
      _ = recorder.take()
      #expect(try Book.filter(Column("id") < 3).deleteAll(db) == 1)
      #expect(
        recorder.take().last == """
          UPDATE "book" SET "deletedAt" = ? \
          WHERE ("deletedAt" IS NULL) AND ("id" < ?)
          """)
      #expect(try Book.withDeleted().filter(Column("id") < 5).deleteAll(db) == 1)
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", now, nil])
      #expect(try Book.deleteOne(db, key: 5))
      #expect(try !Book.deleteOne(db, key: 5))
      #expect(try Author.deleteAll(db, keys: [1, 2, 3]) == 2)
      #expect(try Table<Tag>("tag").deleteAll(db) == 1)
      #expect(try deletions(db, "tag") == [now, "2026-01-01"])
      #expect(try Book.withDeleted().fetchCount(db) == 5)
    }
  }

  @Test func `deletions that fetch return the marked records`() throws {
    try withLibrary { db, recorder throws in
      #expect(try Book.filter(Column("id") < 3).deleteAndFetchAll(db).map(\.title) == ["Emma"])
      #expect(
        recorder.take().last == """
          UPDATE "book" SET "deletedAt" = ? \
          WHERE ("deletedAt" IS NULL) AND ("id" < ?) RETURNING *
          """)
      #expect(try Book.withDeleted().deleteAndFetchAll(db).map(\.id) == [4, 5])
      #expect(try Book.withDeleted().fetchCount(db) == 5)
    }
  }

  @Test func `rows that are deleted already can't be deleted`() throws {
    try withLibrary { db, _ throws in
      let error = #expect(throws: InvalidRequest.self) { try Book.onlyDeleted().deleteAll(db) }
      #expect("\(try #require(error))".contains("call `forceDeleteAll`") == true)
      try db.execute(sql: "DELETE FROM bookTag")
      #expect(try Book.onlyDeleted().forceDeleteAll(db) == 2)
      #expect(try Book.withDeleted().fetchCount(db) == 3)
      #expect(try Book.filter(Column("id") == 1).forceDeleteAll(db) == 1)
      #expect(try Book.withDeleted().forceDeleteAll(db) == 2)
    }
  }

  @Test func `rows come back by request`() throws {
    try withLibrary { db, recorder throws in
      #expect(try Book.filter(Column("authorId") == 1).restoreAll(db) == 1)
      #expect(
        recorder.take().last == """
          UPDATE "book" SET "deletedAt" = NULL WHERE ("deletedAt" IS NOT NULL) AND ("authorId" = ?)
          """)
      #expect(try deletions(db) == [nil, nil, "2026-01-01", nil, nil])
    }
  }

  @Test func `requests with joins and limits mark their rows`() throws {
    try withLibrary { db, _ throws in
      #expect(try Book.joining(required: Book.author).deleteAll(db) == 1)
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", nil, nil])
      #expect(try Book.order(Column("id").desc).limit(1).deleteAll(db) == 1)
      #expect(try deletions(db)[4] == now)
    }
  }

  @Test func `a limit counts rows that are deleted already`() throws {
    try withLibrary { db, recorder throws in
      let books = Book.withDeleted().order(Column("id"))
      #expect(try books.limit(2).fetchAll(db).map(\.id) == [1, 2])
      #expect(try books.limit(2).deleteAll(db) == 1)
      #expect(
        recorder.take().last == """
          UPDATE "book" SET "deletedAt" = ? WHERE ("id" IN \
          (SELECT "id" FROM "book" ORDER BY "id" LIMIT 2)) AND ("deletedAt" IS NULL)
          """)
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", nil, nil])
      #expect(try books.limit(4).deleteAndFetchAll(db).map(\.title) == ["Armadale"])
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", now, nil])
      #expect(try books.reversed().limit(2).restoreAll(db) == 1)
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", nil, nil])
      // Without `withDeleted()`, the limit is that of the deleted rows.
      #expect(try Book.order(Column("id")).limit(1).restoreAll(db) == 1)
      #expect(try deletions(db) == [nil, "2026-01-01", "2026-01-01", nil, nil])
    }
  }

  @Test func `the first records of an association are marked`() throws {
    try withLibrary { db, _ throws in
      let author = try Author.find(db, key: 1)
      let newest = author.request(for: Author.newestBook)
      #expect(try newest.deleteAndFetchAll(db).map(\.title) == ["Emma"])
      #expect(try deletions(db) == [now, "2026-01-01", "2026-01-01", nil, nil])
      #expect(try newest.deleteAll(db) == 0)

      let any = author.request(for: Author.books.withDeleted().order(Column("id")).first())
      #expect(try any.fetchOne(db)?.title == "Emma")
      #expect(try any.deleteAll(db) == 0)
      #expect(try any.restoreAll(db) == 1)
      #expect(try any.deleteAll(db) == 1)
      let deleted = author.request(for: Author.books.onlyDeleted().order(Column("id")).first())
      #expect(throws: InvalidRequest.self) { try deleted.deleteAll(db) }
      // The rows were selected before.
      #expect(throws: InvalidRequest.self) { try any.onlyDeleted().fetchAll(db) }
      #expect(throws: InvalidRequest.self) { try newest.withDeleted().fetchAll(db) }
      #expect(throws: InvalidRequest.self) { try newest.restoreAll(db) }
      #expect(try deleted.restoreAll(db) == 1)
      #expect(try newest.fetchOne(db)?.title == "Emma")
      try db.execute(sql: "DELETE FROM bookTag")
      #expect(try newest.forceDeleteAll(db) == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 4)
    }
  }

  @Test func `the first records along several associations are marked`() throws {
    try withLibrary { db, _ throws in
      let author = try Author.find(db, key: 1)
      let tag = Author.tags.order(Column("id")).first()
      #expect(try author.request(for: tag).deleteAll(db) == 1)
      #expect(try deletions(db, "tag") == [now, "2026-01-01"])
      let firstLink = Book.links.order(Column("tagId")).first()
      let links = Author.hasOne(BookTag.self, through: Author.newestBook, using: firstLink)
      #expect(try author.request(for: links).deleteAll(db) == 1)
      #expect(
        try String?.fetchAll(db, sql: "SELECT deletedAt FROM bookTag ORDER BY bookId, tagId")
          == [now, nil, nil, "2026-01-01"])
      let some = author.request(for: Author.books.order(Column("id")).limit(1))
      #expect(try some.deleteAll(db) == 1)
      #expect(try deletions(db)[0] == now)
    }
  }

  @Test func `the first one of first records is marked`() throws {
    try withLibrary { db, _ throws in
      let author = try Author.find(db, key: 1)
      let firstLink = Book.links.order(Column("tagId")).first()
      let firstLinks = Author.hasMany(BookTag.self, through: Author.books, using: firstLink)
      let first = firstLinks.order(Column("bookId")).first()
      #expect(try author.request(for: first).fetchOne(db) == BookTag(bookId: 1, tagId: 1))
      #expect(try author.request(for: first).deleteAll(db) == 1)
      #expect(try author.request(for: first).fetchOne(db) == BookTag(bookId: 1, tagId: 2))
      #expect(
        try String?.fetchAll(db, sql: "SELECT deletedAt FROM bookTag ORDER BY bookId, tagId")
          == [now, nil, nil, "2026-01-01"])
    }
  }

  @Test func `links are marked, and added again`() throws {
    try withLibrary { db, _ throws in
      let book = try Book.find(db, key: 1)
      let tag = try Tag.find(db, key: 1)
      #expect(try book.remove(db, tag, from: Book.tags))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM bookTag") == 4)
      #expect(try book.request(for: Book.tags).fetchCount(db) == 0)
      #expect(try book.add(db, tag, to: Book.tags))
      #expect(try !book.add(db, tag, to: Book.tags))
      #expect(try book.request(for: Book.tags).fetchCount(db) == 1)
    }
  }

  @Test func `generic code marks rows too, with callbacks`() throws {
    struct Noted: Codable, PersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "tag"
      static let log = Log<String>()
      var id: Int64
      func willDelete(_ db: Database) { Self.log.append("will") }
      func didDelete(deleted: Bool) { Self.log.append("did \(deleted)") }
    }
    func delete(_ record: some MutablePersistableRecord, _ db: Database) throws -> Bool {
      try record.delete(db)
    }
    try withLibrary { db, _ throws in
      #expect(try delete(Noted(id: 1), db))
      #expect(try !delete(Noted(id: 2), db))
      #expect(try !delete(Noted(id: 7), db))
      #expect(Noted.log.elements == ["will", "did true", "will", "did false", "will", "did false"])
      #expect(try deletions(db, "tag") == [now, "2026-01-01"])
    }
  }

  @Test func `the date is stored as the type stores dates`() throws {
    struct Timed: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "tag"
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        column == "deletedAt" ? .secondsSince1970 : .deferredToDate
      }
      static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
      }
      var id: Int64
      var name: String
      var deletedAt: Date?
    }
    struct Undated: Codable, PersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "tag"
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .custom { _ in nil }
      }
      var id: Int64
    }
    try makeDatabase(
      sql: "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT, deletedAt INTEGER)"
    ).write { db throws in
      try Timed(id: 1, name: "novel").insert(db)
      try #require(try Timed.fetchOne(db)).delete(db)
      let deleted = try #require(try Timed.onlyDeleted().fetchOne(db))
      let date = try #require(deleted.deletedAt)
      #expect(abs(date.timeIntervalSinceNow) < 60)
      // What the record knows is written.
      var tag = deleted
      tag.deletedAt = nil
      try tag.update(db)
      #expect(try Timed.fetchCount(db) == 1)
      let error = #expect(throws: InvalidRequest.self) { try Undated(id: 1).delete(db) }
      #expect("\(try #require(error))".contains("as NULL") == true)
    }
  }

  @Test func `a record with a version is marked if it is current`() throws {
    struct Page: Codable, Equatable, FetchableRecord, VersionedRecord, SoftDeletableRecord {
      var id: Int64
      var text: String
      var version = 1
    }
    let recorder = SQLRecorder()
    let database = try DatabaseQueue(configuration: recorder.recording())
    try database.write { db in
      try db.execute(
        sql:
          "CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT, version INTEGER, deletedAt TEXT)")
      var page = try Page(id: 1, text: "a").inserted(db)
      var stale = page
      try page.update(db)
      #expect(throws: StaleRecordError.self) { try stale.delete(db) }
      #expect(throws: StaleRecordError.self) { try stale.forceDelete(db) }
      _ = recorder.take()
      #expect(try page.delete(db))
      #expect(
        recorder.take().last == """
          UPDATE "page" SET "deletedAt" = ?, "version" = "version" + ? \
          WHERE ("id" = ?) AND ("deletedAt" IS NULL) AND ("version" = ?)
          """)
      #expect(page.version == 3)
      #expect(try page.restore(db))
      #expect(try Page.fetchAll(db) == [page])
      #expect(try Page.deleteAll(db) == 1)
      #expect(throws: StaleRecordError.self) { try page.update(db) }
      #expect(try Page.all().restoreAll(db) == 1)
      page = try Page.find(db, key: 1)
      #expect(page.version == 6)
      #expect(try page.forceDelete(db))
    }
  }

  @Test func `a stale record that is restored stays stale`() throws {
    struct Page: Codable, Equatable, FetchableRecord, VersionedRecord, SoftDeletableRecord {
      var id: Int64
      var version = 1
    }
    final class Leaf: Codable, FetchableRecord, PersistableRecord, VersionedRecord,
      SoftDeletableRecord
    {
      static let databaseTableName = "page"
      var id: Int64 = 1
      var version = 1
    }
    let sql = "CREATE TABLE page (id INTEGER PRIMARY KEY, version INTEGER, deletedAt TEXT)"
    try makeDatabase(sql: sql).write { db throws in
      var page = try Page(id: 1).inserted(db)
      try page.update(db)
      var stale = Page(id: 1)
      let leaf = Leaf()
      #expect(try page.delete(db))
      #expect(try stale.restore(db))
      #expect(try !stale.restore(db))
      try Page.deleteAll(db)
      #expect(try leaf.restore(db))
      #expect(try Page.find(db, key: 1).version == 6)
      #expect(stale.version == 1)
      #expect(leaf.version == 1)
      #expect(throws: StaleRecordError.self) { try stale.update(db) }
      #expect(throws: StaleRecordError.self) { try leaf.update(db) }
    }
  }

  @Test func `an object with a version is a constant`() throws {
    final class Page: Codable, FetchableRecord, PersistableRecord, VersionedRecord,
      SoftDeletableRecord
    {
      var id: Int64 = 1
      var version = 1
    }
    let sql = "CREATE TABLE page (id INTEGER PRIMARY KEY, version INTEGER, deletedAt TEXT)"
    try makeDatabase(sql: sql).write { db throws in
      let page = Page()
      try page.insert(db)
      #expect(try page.delete(db))
      #expect(try page.restore(db))
      try page.update(db)
      #expect(page.version == 4)
      #expect(try Page.fetchOne(db)?.version == 4)
    }
  }

  @Test func `the mark of a row of another table raises the version of the record, too`() throws {
    struct Page: Codable, FetchableRecord, VersionedRecord, SoftDeletableRecord {
      var id: Int64
      var version = 1
    }
    final class Leaf: Codable, FetchableRecord, PersistableRecord, VersionedRecord,
      SoftDeletableRecord
    {
      var id: Int64 = 2
      var version = 1
    }
    let sql = "CREATE TABLE old (id INTEGER PRIMARY KEY, version INTEGER, deletedAt TEXT)"
    try makeDatabase(sql: sql).write { db throws in
      var page = Page(id: 1)
      let leaf = Leaf()
      try page.insert(db, into: "old")
      try leaf.insert(db, into: "old")
      #expect(try page.delete(db, from: "old"))
      #expect(try leaf.delete(db, from: "old"))
      #expect(page.version == 2 && leaf.version == 2)
      #expect(try Int.fetchAll(db, sql: "SELECT version FROM old") == [2, 2])
      try page.update(db, in: "old")
      try leaf.update(db, in: "old")
      #expect(try Int.fetchAll(db, sql: "SELECT version FROM old") == [3, 3])
      #expect(page.version == 3 && leaf.version == 3)
      // The rows are marked already.
      #expect(try !page.delete(db, from: "old"))
      #expect(try !leaf.delete(db, from: "old"))
    }
  }

  @Test func `records without key are neither marked nor restored`() throws {
    struct Note: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "tag"
      var id: Int64?
      var name: String
    }
    try withLibrary { db, _ throws in
      #expect(try !Note(name: "x").delete(db))
      #expect(throws: RecordError.self) { try Note(name: "x").restore(db) }
      #expect(try deletions(db, "tag") == [nil, "2026-01-01"])
    }
  }

  @Test func `records with a null in their key are neither marked nor restored`() throws {
    struct Line: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      var orderId: Int
      var number: Int?
      var text: String
    }
    struct VersionedLine: Codable, FetchableRecord, VersionedRecord, SoftDeletableRecord {
      static let databaseTableName = "line"
      var orderId: Int
      var number: Int?
      var version: Int
    }
    try makeDatabase(
      sql: """
        CREATE TABLE line (
          orderId INTEGER, number INTEGER, text TEXT, version INTEGER DEFAULT 1, deletedAt TEXT,
          PRIMARY KEY (orderId, number));
        INSERT INTO line (orderId, number, text, deletedAt) VALUES
          (1, NULL, 'a', NULL), (1, NULL, 'b', '2026-01-01'), (1, 1, 'c', NULL);
        """
    ).write { db throws in
      let line = Line(orderId: 1, number: nil, text: "a")
      #expect(try !line.delete(db))
      let error = errorText { try line.restore(db) }
      #expect(error == "Key not found in table line: [number:NULL orderId:1]")
      // The version of another row is none of the record.
      var versioned = VersionedLine(orderId: 1, number: nil, version: 2)
      let isMarked = try versioned.delete(db)
      let isRemoved = try versioned.forceDelete(db)
      #expect(!isMarked && !isRemoved)
      #expect(try deletions(db, "line") == [nil, "2026-01-01", nil])
      #expect(try Line(orderId: 1, number: 1, text: "c").delete(db))
      #expect(try Line.fetchCount(db) == 1)
    }
  }

  @Test func `a view is marked by its trigger`() throws {
    struct Novel: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      var id: Int64
      var title: String
    }
    struct Source: DatabaseSchemaSource {
      func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) -> [String]? {
        ["id"]
      }
    }
    var configuration = Configuration()
    configuration.schemaSource = Source()
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
      try db.execute(sql: softSchema + softRows)
      try db.execute(sql: "CREATE VIEW novel AS SELECT id, title, deletedAt FROM book")
      let novel = try Novel.find(db, key: 1)
      let error = #expect(throws: DatabaseError.self) { try novel.delete(db) }
      #expect(error?.message == "cannot modify novel because it is a view")
      try db.execute(
        sql: """
          CREATE TRIGGER novelUpdate INSTEAD OF UPDATE ON novel BEGIN
            UPDATE book SET deletedAt = NEW.deletedAt WHERE id = NEW.id;
          END
          """)
      #expect(try novel.delete(db))
      #expect(try Novel.fetchCount(db) == 2)
      let marked = Novel.filter(Column("id") > 4)
      #expect(try marked.deleteAndFetchAll(db).map(\.title) == ["Beowulf"])
      #expect(try marked.deleteAndFetchAll(db).isEmpty)
      #expect(try deletions(db)[4] != nil)
      #expect(try marked.restoreAll(db) == 1)
      #expect(try Novel.deleteAll(db) == 2)
      #expect(try Novel.fetchCount(db) == 0)
      #expect(try novel.restore(db))
      #expect(try Novel.fetchCount(db) == 1)
      #expect(try Novel.filter(Column("id") == 4).restoreAll(db) == 1)
      let limited = Novel.withDeleted().filter(Column("id") > 1).order(Column("id"))
      #expect(try limited.limit(2).deleteAndFetchAll(db).isEmpty)
      #expect(try limited.limit(3).deleteAndFetchAll(db).map(\.title) == ["Armadale"])
    }
  }

  @Test func `triggers don't mark rows`() throws {
    try withLibrary { db, _ throws in
      let error = #expect(throws: InvalidRequest.self) {
        try db.create(trigger: "clean", .after, .delete, on: "author") { t in
          t.delete(Book.filter(Column("authorId") == t.old["id"]))
        }
      }
      #expect("\(try #require(error))".contains("are not deleted, but marked") == true)
    }
  }

  @Test func `subclasses of any record class are refused`() throws {
    class Base: Codable, FetchableRecord, PersistableRecord {
      var id: Int64 = 1
      class var databaseTableName: String { "tag" }
    }
    final class Old: Base, SoftDeletableRecord, Identifiable {}
    try withLibrary { db, _ throws in
      let table = Table("tag").all().asRequest(of: Old.self)
      for body: () throws -> Void in [
        { _ = try Old.all().fetchAll(db) }, { _ = try Old.all().fetchCount(db) },
        { try Old.deleteAll(db) }, { try Old.deleteAll(db, keys: [1]) },
        { try Old.deleteOne(db, key: 1) }, { try Old.filter(Column("id") == 1).deleteAll(db) },
        { try table.deleteAll(db) }, { _ = try table.deleteAndFetchAll(db) },
        { _ = try table.deleteAndFetchIds(db) }, { _ = try table.deleteAndFetchCursor(db) },
        { _ = try table.deleteAndFetchStatement(db, selection: [Column("id")]) },
        { try Old.deleteOne(db, id: 1) }, { try Old.deleteAll(db, ids: [1]) },
        { try Old.deleteOne(db, key: ["id": 1]) }, { try Old.deleteAll(db, keys: [["id": 1]]) },
        { try Table<Old>("tag").deleteAll(db) }, { try Table<Old>("tag").deleteOne(db, key: 1) },
        { try Table<Old>("tag").deleteAll(db, ids: [1]) }, { try Old().delete(db) },
        { try (Old() as Base).delete(db) }, { try Old().update(db) }, { try Old().restore(db) },
      ] {
        let error = #expect(throws: DatabaseError.self) { try body() }
        #expect(error?.message?.hasPrefix("Old can't be a SoftDeletableRecord") == true)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM tag") == 2)
      #expect(try !Tag.deleteOne(db, key: Int64?.none))
      #expect(try Tag.deleteAll(db, keys: [Int64]()) == 0)
    }
  }

  @Test func `a save that ignores a conflict leaves a row that is marked`() throws {
    try withLibrary { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX bookTitle ON book(title)")
      let left = Book(id: 2, authorId: 1, title: "Emma")
      #expect(try left.saveAndFetch(db, onConflict: .ignore).title == "Sanditon")
      try left.save(db, onConflict: .ignore)
      #expect(try Book.withDeleted().fetchCount(db) == 5)
      #expect(try deletions(db)[1] == "2026-01-01")
    }
  }

  @Test func `generic code finds the scope of a table`() throws {
    func count<T>(_ type: T.Type, _ db: Database) throws -> Int {
      try Table<T>("tag").all().fetchCount(db)
    }
    try withLibrary { db, _ throws in
      #expect(try count(Tag.self, db) == 1)
      #expect(try count(Int.self, db) == 2)
      #expect(try count(Row.self, db) == 2)
    }
  }

  @Test func `subclasses of the class Record are refused`() throws {
    final class Old: Record, SoftDeletableRecord {
      override class var databaseTableName: String { "tag" }
      override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = 1
      }
    }
    try withLibrary { db, _ throws in
      let error = #expect(throws: DatabaseError.self) { try Old().delete(db) }
      #expect(error?.message?.hasPrefix("Old can't be a SoftDeletableRecord") == true)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM tag") == 2)
    }
  }
}
