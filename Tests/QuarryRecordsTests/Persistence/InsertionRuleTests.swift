import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Account: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let name = Column("name")
    static let level = Column("level")
  }

  var id: Int64?
  var email: String?
  var name: String?
  var level: Int?

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }

  static func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    try inBookshop { db, recorder in
      try db.execute(
        sql: """
          CREATE TABLE account (
            id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL DEFAULT 'anonymous',
            level INTEGER DEFAULT 3)
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }
}

private struct FixedAccount: Encodable, PersistableRecord {
  static let databaseTableName = "account"
  var email: String?
  var name: String?
}

@Suite(.onQueueAndPool)
struct InsertedColumnsTests {
  @Test func `Null columns are left to their default values`() throws {
    try Account.inDatabase { db, recorder throws in
      var account = Account(email: "a@b.c")
      try account.insert(db, columns: .nonNull)
      try FixedAccount(name: "Zoe").insert(db, columns: .nonNull)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "account" ("email") VALUES (?)"#,
          #"INSERT INTO "account" ("name") VALUES (?)"#,
        ])
      #expect(account == Account(id: 1, email: "a@b.c"))
      #expect(
        try Account.fetchAll(db) == [
          Account(id: 1, email: "a@b.c", name: "anonymous", level: 3),
          Account(id: 2, email: nil, name: "Zoe", level: 3),
        ])
    }
  }

  @Test func `A record of null columns has default values only`() throws {
    try Account.inDatabase { db, recorder throws in
      var account = Account()
      try account.insert(db, onConflict: .replace, columns: .nonNull)
      #expect(
        recorder.takeStatements() == [#"INSERT OR REPLACE INTO "account" DEFAULT VALUES"#])
      let fetched = try Account().insertAndFetch(db, columns: .nonNull)
      #expect(
        recorder.takeStatements() == [#"INSERT INTO "account" DEFAULT VALUES RETURNING *"#])
      #expect(account.id == 1)
      #expect(fetched == Account(id: 2, email: nil, name: "anonymous", level: 3))
    }
  }

  @Test func `All columns are written unless told`() throws {
    try Account.inDatabase { db, _ throws in
      var account = Account(email: "a@b.c")
      let error = databaseError { try account.insert(db, columns: .all) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      #expect(account.id == nil)
    }
  }
}

@Suite(.onQueueAndPool)
struct InsertionConflictActionTests {
  @Test func `A conflict inserts nothing, and reports it`() throws {
    try Account.inDatabase { db, recorder throws in
      var account = Account(email: "a@b.c", name: "Ann")
      var other = Account(email: "a@b.c", name: "Bob")
      #expect(try account.insert(db, onConflict: .doNothing))
      #expect(try other.insert(db, onConflict: .doNothing) == false)
      #expect(
        try FixedAccount(email: "a@b.c", name: "Z").insert(db, onConflict: .doNothing) == false)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "account" ("id", "email", "name", "level") VALUES (?,?,?,?)"#
            + " ON CONFLICT DO NOTHING",
          #"INSERT INTO "account" ("id", "email", "name", "level") VALUES (?,?,?,?)"#
            + " ON CONFLICT DO NOTHING",
          #"INSERT INTO "account" ("email", "name") VALUES (?,?) ON CONFLICT DO NOTHING"#,
        ])
      #expect(account.id == 1)
      #expect(other.id == nil)
      #expect(try Account.fetchAll(db) == [account])
    }
  }

  @Test func `The record is returned, or nil`() throws {
    try Account.inDatabase { db, recorder throws in
      let account = Account(email: "a@b.c", name: "Ann")
      let action = InsertionConflictAction.doNothing(on: ["email"])
      #expect(try account.inserted(db, onConflict: action)?.id == 1)
      #expect(try account.inserted(db, onConflict: action) == nil)
      _ = recorder.take()
      #expect(try account.insertAndFetch(db, onConflict: action) == nil)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "account" ("id", "email", "name", "level") VALUES (?,?,?,?)"#
            + #" ON CONFLICT("email") DO NOTHING RETURNING *"#
        ])
      let other = Account(email: "d@e.f", name: "Bob")
      #expect(
        try other.insertAndFetch(db, onConflict: action)
          == Account(id: 2, email: "d@e.f", name: "Bob"))
    }
  }

  @Test func `Other constraints fail`() throws {
    try Account.inDatabase { db, _ throws in
      try FixedAccount(email: "a@b.c", name: "Ann").insert(db)
      var nameless = Account(email: "d@e.f")
      let null = databaseError { try nameless.insert(db, onConflict: .doNothing) }
      #expect(null?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      var sameKey = Account(id: 1, name: "Bob")
      let key = databaseError { try sameKey.insert(db, onConflict: .doNothing(on: ["email"])) }
      #expect(key?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      let unknown = errorText { try sameKey.insert(db, onConflict: .doNothing(on: ["zork"])) }
      #expect(unknown?.contains(SQLiteBuild.noSuchColumn("zork")) == true)
      #expect(unknown?.contains(#"ON CONFLICT("zork") DO NOTHING"#) == true)
    }
  }

  @Test func `A record that is not inserted has no did callbacks`() throws {
    final class Log { var events: [String] = [] }
    struct Watched: Encodable, MutablePersistableRecord {
      static let databaseTableName = "account"
      var email = "a@b.c"
      var name = "Ann"
      let log = Log()
      private enum CodingKeys: CodingKey { case email, name }

      func willSave(_ db: Database) { log.events.append("willSave") }
      func didSave(_ saved: PersistenceSuccess) { log.events.append("didSave") }
      mutating func willInsert(_ db: Database) { log.events.append("willInsert") }
      mutating func didInsert(_ inserted: InsertionSuccess) { log.events.append("didInsert") }
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        log.events.append("before")
        _ = try insert()
        log.events.append("after")
      }
    }
    try Account.inDatabase { db, _ throws in
      var first = Watched()
      var second = Watched()
      #expect(try first.insert(db, onConflict: .doNothing))
      #expect(try !second.insert(db, onConflict: .doNothing))
      #expect(
        first.log.events == [
          "willSave", "willInsert", "before", "after", "didInsert", "didSave",
        ])
      #expect(second.log.events == ["willSave", "willInsert", "before"])
    }
  }
}

@Suite(.onQueueAndPool)
struct UpdateByKeyPathTests {
  @Test func `Columns are chosen among the components`() throws {
    try Account.inDatabase { db, recorder throws in
      var account = Account(email: "a@b.c", name: "Ann", level: 1)
      try account.insert(db)
      account.name = "Bob"
      account.email = "not written"
      account.level = 2
      _ = recorder.take()
      try account.update(db) { [$0.name, $0.level] }
      #expect(
        recorder.takeStatements() == [#"UPDATE "account" SET "name"=?, "level"=? WHERE "id"=?"#])
      #expect(
        try Account.fetchAll(db) == [Account(id: 1, email: "a@b.c", name: "Bob", level: 2)])
    }
  }

  @Test func `A property is set, and its column updated`() throws {
    try Account.inDatabase { db, recorder throws in
      var account = Account(email: "a@b.c", name: "Ann", level: 1)
      try account.insert(db)
      _ = recorder.take()
      #expect(try account.update(db, \.level, to: 2))
      #expect(try account.update(db, \.level, to: 2) == false)
      #expect(try account.update(db, onConflict: .replace, \.name, to: "Bob"))
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "account" SET "level"=? WHERE "id"=?"#,
          #"UPDATE OR REPLACE "account" SET "name"=? WHERE "id"=?"#,
        ])
      #expect(account == Account(id: 1, email: "a@b.c", name: "Bob", level: 2))
      #expect(try Account.fetchAll(db) == [account])
      var missing = Account(id: 9, name: "Zoe")
      #expect(
        errorText { try missing.update(db, \.name, to: "Zed") }
          == "Key not found in table account: [id:9]")
    }
  }
}
