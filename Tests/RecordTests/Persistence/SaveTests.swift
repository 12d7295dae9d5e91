import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct SaveTests {
  static let insert = #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?)"#
  static let update = #"UPDATE "author" SET "name"=?, "country"=? WHERE "id"=?"#

  @Test func `A record without key is inserted`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(name: "New")
      try draft.save(db)
      #expect(draft.id == 4)
      #expect(recorder.takeStatements() == [Self.insert])
      #expect(try Draft(name: "Newer").saved(db).id == 5)
    }
  }

  @Test func `A record with a row is updated`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(id: 1, name: "x")
      try draft.save(db)
      #expect(recorder.takeStatements() == [Self.update])
      try Country(code: "FR", name: "x").save(db)
      #expect(try Country.find(db, key: "FR").name == "x")
    }
  }

  @Test func `A record whose row is missing is inserted`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(id: 12, name: "x")
      try draft.save(db)
      #expect(recorder.takeStatements() == [Self.update, Self.insert])
      #expect(try Draft.find(db, key: 12) == draft)
    }
  }

  @Test func `The saved row is fetched`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Draft(id: 1, name: "x").saveAndFetch(db) == Draft(id: 1, name: "x"))
      var draft = Draft(name: "y")
      #expect(try draft.saveAndFetch(db, as: Author.self) == Author(id: 4, name: "y"))
      #expect(draft.id == 4)
      let id = try Author(id: 20, name: "z").saveAndFetch(db, selection: [Column("id")]) {
        try Int.fetchOne($0)
      }
      #expect(id == 20)
      #expect(
        recorder.takeStatements().prefix(2) == [
          Self.update + " RETURNING *", Self.insert + " RETURNING *",
        ])
    }
  }

  @Test func `Another missing record is no reason to insert`() throws {
    struct Careful: Codable, PersistableRecord {
      static let databaseTableName = "country"
      var code: String
      func willUpdate(_ db: Database, columns: Set<String>) throws {
        throw Author.recordNotFound(key: ["id": 99])
      }
    }
    try inBookshop { db, recorder throws in
      #expect(
        errorText { try Careful(code: "XX").save(db) } == "Key not found in table author: [id:99]")
      #expect(recorder.takeStatements() == [])
    }
  }
}

@Suite(.onQueueAndPool)
struct DeletionTests {
  @Test func `The row of the record is deleted`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Country(code: "FR").delete(db))
      #expect(try !Country(code: "FR").delete(db))
      #expect(try Stock(shop: "north", isbn: "b").delete(db))
      #expect(try !Draft(name: "x").delete(db))
      #expect(try IdentifiedNote(rowid: 1).delete(db))
      #expect(
        recorder.takeStatements() == [
          #"DELETE FROM "country" WHERE "code"=?"#,
          #"DELETE FROM "country" WHERE "code"=?"#,
          #"DELETE FROM "stock" WHERE "shop"=? AND "isbn"=?"#,
          #"DELETE FROM "note" WHERE "rowid"=?"#,
        ])
      #expect(try Note.fetchAll(db) == [Note(text: nil)])
    }
  }

  @Test func `A row that others refer to is not deleted`() throws {
    try inBookshop { db, _ throws in
      #expect(
        databaseError { try Author(id: 1).delete(db) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(try Author(id: 1).exists(db))
    }
  }

  @Test func `The existence of a record is the one of its row`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Author(id: 1).exists(db))
      #expect(try !Stock(shop: "x", isbn: "a").exists(db))
      #expect(try !Draft(name: "x").exists(db))
      #expect(
        recorder.takeStatements() == [
          #"SELECT EXISTS (SELECT 1 FROM "author" WHERE "id"=?)"#,
          #"SELECT EXISTS (SELECT 1 FROM "stock" WHERE "shop"=? AND "isbn"=?)"#,
        ])
    }
  }
}
