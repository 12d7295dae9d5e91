import QuarryTestSupport
import Testing

@testable import Quarry

/// Records of tables without primary key, and of views whose key is not declared.
@Suite(.onQueueAndPool)
struct KeylessTableTests {
  @Test func `Without rowid, a record can be inserted only`() throws {
    try inBookshop { db, recorder throws in
      var note = Note(text: "x")
      let missing = "Key not found in table note: [rowid:NULL]\n\(nullKeyDetails)"
      #expect(errorText { try note.update(db) } == missing)
      #expect(errorText { try note.update(db, columns: ["text"]) } == missing)
      #expect(errorText { try note.updateAndFetch(db) } == missing)
      #expect(errorText { try note.updateChanges(db) { $0.text = "y" } } == missing)
      #expect(errorText { try note.updateChangesAndFetch(db) { $0.text = "z" } } == missing)
      #expect(try !note.delete(db))
      #expect(try !note.exists(db))
      #expect("\(note.recordNotFound(db))" == missing)
      #expect(recorder.takeStatements() == [])
      try note.save(db)
      #expect(try note.saveAndFetch(db) == note)
      try note.upsert(db)
      #expect(try note.upsertAndFetch(db) == note)
      #expect(try note.insertAndFetch(db) == note)
      let insert = #"INSERT INTO "note" ("text") VALUES (?)"#
      let overwriting = #" ON CONFLICT DO UPDATE SET "text" = "excluded"."text" RETURNING "#
      #expect(
        recorder.takeStatements() == [
          insert, insert + " RETURNING *", insert + overwriting + #""rowid""#,
          insert + overwriting + #"*, "rowid""#, insert + " RETURNING *",
        ])
      #expect(try Note.fetchCount(db) == 7)
    }
  }

  @Test func `The rowid of a record is its key`() throws {
    try inBookshop { db, recorder throws in
      var note = IdentifiedNote(rowid: 2, text: "x")
      #expect(try note.updateAndFetch(db) == note)
      #expect(try note.updateChangesAndFetch(db) { $0.text = "y" } == note)
      #expect(try note.exists(db))
      try note.save(db)
      var new = IdentifiedNote(rowid: 9, text: "z")
      try new.save(db)
      #expect(try new.delete(db))
      let update = #"UPDATE "note" SET "text"=? WHERE "rowid"=?"#
      let returning = #" RETURNING *, "rowid""#
      #expect(
        recorder.takeStatements() == [
          update + returning, update + returning,
          #"SELECT EXISTS (SELECT 1 FROM "note" WHERE "rowid"=?)"#, update, update,
          #"INSERT INTO "note" ("rowid", "text") VALUES (?,?)"#,
          #"DELETE FROM "note" WHERE "rowid"=?"#,
        ])
      #expect(
        try Row.fetchAll(db, sql: "SELECT rowid, text FROM note")
          == [["rowid": 1, "text": "call back"], ["rowid": 2, "text": "y"]])
    }
  }

  @Test func `A view without key refuses what needs the key`() throws {
    struct Best: Codable, Identifiable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "bestseller"
      var id: Int64
      var title: String?
    }
    try inBookshop { db, recorder throws in
      var best = Best(id: 3, title: "x")
      let calls: [() throws -> Any?] = [
        { try best.update(db) }, { try best.update(db, columns: ["title"]) },
        { try best.updateAndFetch(db) }, { try best.updateChanges(db) { $0.title = "y" } },
        { try best.updateChangesAndFetch(db) { $0.title = "z" } }, { try best.save(db) },
        { try best.saveAndFetch(db) }, { try best.delete(db) }, { try best.exists(db) },
        { try best.upsert(db) }, { try best.upsertAndFetch(db) }, { try best.insertAndFetch(db) },
        { try Best.find(db, id: 3) }, { try Best.fetchOne(db, key: 3) },
        { try Best.exists(db, id: 3) }, { try Best.deleteOne(db, id: 3) },
        { try Best.deleteAll(db, ids: [3]) },
      ]
      for (index, call) in calls.enumerated() {
        #expect(
          errorText(call) == """
            SQLite error 1: database view bestseller has no primary key
            the `schemaSource` of the configuration can declare one
            """,
          "call \(index)")
      }
      #expect(recorder.takeStatements() == [])
      #expect(try Best.fetchAll(db).map(\.id) == [3])
    }
  }
}
