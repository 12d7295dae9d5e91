import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

/// Insertions that insert no row, without an error: the last rowid of the connection is that of
/// another row.
@Suite(.onQueueAndPool)
struct SkippedInsertionTests {
  private struct Account: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var email: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  /// Author 4 is inserted by the record type, the ones of no country are skipped.
  private func inBookshopWithTrigger(_ body: (Database, SQLRecorder) throws -> Void) throws {
    try inBookshop { db, recorder throws in
      try db.execute(
        sql: """
          CREATE TRIGGER skip BEFORE INSERT ON author WHEN NEW.country = 'none' BEGIN
            SELECT RAISE(IGNORE);
          END
          """)
      var draft = Draft(name: "New")
      try draft.insert(db)
      #expect(draft.id == 4)
      _ = recorder.take()
      try body(db, recorder)
      #expect(try Draft.order(Column("id")).fetchAll(db).map(\.id) == [1, 2, 3, 4])
    }
  }

  @Test func `A row that a trigger skips gives no identifier`() throws {
    try inBookshopWithTrigger { db, _ throws in
      for _ in 1...2 {
        var draft = Draft(name: "Skipped", country: "none")
        try draft.insert(db)
        #expect(draft.id == nil)
        try draft.save(db)
        #expect(draft.id == nil)
        try draft.insert(db, columns: .nonNull)
        #expect(draft.id == nil)
        let id = try draft.insertAndFetch(db, selection: [Column("id")]) { statement in
          try Int64.fetchOne(statement)
        }
        #expect(id == nil)
        #expect(draft.id == nil)
        #expect(throws: RecordError.self) { try draft.insertAndFetch(db) }
      }
    }
  }

  @Test func `A row that a trigger skips leaves the identifier of its record`() throws {
    try inBookshopWithTrigger { db, _ throws in
      var draft = Draft(id: 20, name: "Skipped", country: "none")
      try draft.insert(db)
      #expect(draft.id == 20)
      try draft.save(db)
      #expect(draft.id == 20)
      try draft.insert(db, onConflict: .replace)
      #expect(draft.id == 20)
    }
  }

  @Test func `A skipped row among many is an error, whether it has an identifier or not`() throws {
    try inBookshopWithTrigger { db, _ throws in
      for ids: [Int64?] in [[20, 21], [nil, nil]] {
        var drafts = [
          Draft(id: ids[0], name: "New"), Draft(id: ids[1], name: "Skipped", country: "none"),
        ]
        let error = databaseError { try Draft.insert(db, contentsOf: &drafts) }
        #expect(error?.message == "Insertion failed")
        let details = error?.details ?? ""
        #expect(details.contains("a trigger or a constraint skipped a row"))
        #expect(drafts.map(\.id) == ids)
      }
      var drafts = [Draft(id: 3, name: "Replaced"), Draft(id: 4, name: "New")]
      try Draft.insert(db, contentsOf: &drafts, onConflict: .replace)
      #expect(drafts.map(\.id) == [3, 4])
    }
  }

  @Test func `A row that a constraint of the table skips gives no identifier`() throws {
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TABLE account (id INTEGER PRIMARY KEY, email TEXT UNIQUE ON CONFLICT IGNORE)
          """)
      var first = Account(email: "a@b.c")
      try first.insert(db)
      #expect(first.id == 1)
      var second = Account(email: "a@b.c")
      try second.insert(db)
      #expect(second.id == nil)
      try second.save(db)
      #expect(second.id == nil)
      #expect(try Account.fetchAll(db) == [first])
    }
  }

  @Test func `A save that ignores a conflict leaves the row and the record as they are`() throws {
    try inBookshopWithTrigger { db, recorder throws in
      try db.execute(sql: "CREATE UNIQUE INDEX authorName ON author(name)")
      _ = recorder.take()
      let update = #"UPDATE OR IGNORE "author" SET "name"=?, "country"=? WHERE "id"=?"#
      let test = #"SELECT EXISTS (SELECT 1 FROM "author" WHERE "id"=?)"#
      let insert = #"INSERT OR IGNORE INTO "author" ("id", "name", "country") VALUES (?,?,?)"#

      var known = Draft(id: 1, name: "Ana Neves")
      try known.save(db, onConflict: .ignore)
      #expect(known.id == 1)
      #expect(recorder.takeStatements() == [update, test])
      #expect(try Draft.find(db, key: 1).name == "Ursula Vernet")
      _ = recorder.takeStatements()

      var missing = Draft(id: 20, name: "Ana Neves")
      try missing.save(db, onConflict: .ignore)
      #expect(missing.id == 20)
      #expect(recorder.takeStatements().prefix(3) == [update, test, insert])

      var new = Draft(name: "Ana Neves")
      try new.save(db, onConflict: .ignore)
      #expect(new.id == nil)
      #expect(throws: RecordError.self) { try new.saveAndFetch(db, onConflict: .ignore) }
      #expect(throws: RecordError.self) { try missing.saveAndFetch(db, onConflict: .ignore) }
    }
  }

  @Test func `A save that ignores a conflict fetches the row that it leaves`() throws {
    try inBookshopWithTrigger { db, recorder throws in
      try db.execute(sql: "CREATE UNIQUE INDEX authorName ON author(name)")
      _ = recorder.take()
      var known = Draft(id: 1, name: "Ana Neves")
      #expect(try known.saveAndFetch(db, onConflict: .ignore).name == "Ursula Vernet")
      #expect(
        recorder.takeStatements().filter { !$0.contains("SAVEPOINT") } == [
          #"UPDATE OR IGNORE "author" SET "name"=?, "country"=? WHERE "id"=? RETURNING *"#,
          #"SELECT EXISTS (SELECT 1 FROM "author" WHERE "id"=?)"#,
          #"SELECT * FROM "author" WHERE "id" = ?"#,
        ])
      let id = try known.saveAndFetch(db, onConflict: .ignore, selection: [Column("id")]) {
        try Int64.fetchOne($0)
      }
      #expect(id == 1)
      #expect(known == Draft(id: 1, name: "Ana Neves"))
      #expect(try Lenient(id: 1, name: "Ana Neves").saveAndFetch(db).name == "Ursula Vernet")
      #expect(try Lenient(id: 1, name: "New name").saveAndFetch(db).name == "New name")
    }
  }

  /// A record whose updates ignore conflicts.
  private struct Lenient: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    static let databaseTableName = "author"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(update: .ignore)
  }

  @Test func `A save that ignores conflicts writes where there is none`() throws {
    try inBookshop { db, _ throws in
      var draft = Draft(id: 1, name: "x")
      try draft.save(db, onConflict: .ignore)
      #expect(try Draft.find(db, key: 1) == draft)
      var new = Draft(name: "y")
      try new.save(db, onConflict: .ignore)
      #expect(new.id == 4)
      var other = Draft(id: 20, name: "z")
      try other.save(db, onConflict: .ignore)
      #expect(try Draft.find(db, key: 20) == other)
    }
  }
}
