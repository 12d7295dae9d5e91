import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

/// Records of `WITHOUT ROWID` tables, where writes return no rowid.
@Suite(.onQueueAndPool)
struct WithoutRowIDTests {
  private static let insert = #"INSERT INTO "shelf" ("room", "num", "label") VALUES (?,?,?)"#
  private static let update = #"UPDATE "shelf" SET "label"=? WHERE "room"=? AND "num"=?"#
  private static let label = [Column("label")]

  private func label(_ statement: Statement) throws -> String? {
    try String.fetchOne(statement)
  }

  @Test func `Insertions fetch their rows`() throws {
    try inBookshop { db, recorder throws in
      let shelf = Shelf(room: "hall", num: 1, label: "a")
      #expect(try shelf.insertAndFetch(db) == shelf)
      #expect(try TagName(name: "essay").insertAndFetch(db, as: TagName.self).name == "essay")
      let other = Shelf(room: "hall", num: 2, label: "b")
      #expect(try other.insertAndFetch(db, selection: Self.label, fetch: label) == "b")
      #expect(try other.insertAndFetch(db, onConflict: .doNothing) == nil)
      #expect(
        recorder.takeStatements() == [
          Self.insert + " RETURNING *", #"INSERT INTO "tagName" ("name") VALUES (?) RETURNING *"#,
          Self.insert + #" RETURNING "label""#,
          Self.insert + " ON CONFLICT DO NOTHING RETURNING *",
        ])
    }
  }

  @Test func `Updates and saves fetch their rows`() throws {
    try inBookshop { db, recorder throws in
      var shelf = Shelf(room: "attic", num: 1, label: "a")
      #expect(try shelf.updateAndFetch(db) == shelf)
      #expect(try shelf.updateChangesAndFetch(db) { $0.label = "b" } == shelf)
      shelf.label = "c"
      #expect(try shelf.saveAndFetch(db) == shelf)
      let new = Shelf(room: "hall", num: 9, label: "d")
      #expect(try new.saveAndFetch(db, selection: Self.label, fetch: label) == "d")
      #expect(
        recorder.takeStatements() == [
          Self.update + " RETURNING *", Self.update + " RETURNING *", Self.update + " RETURNING *",
          Self.update + #" RETURNING "label""#, Self.insert + #" RETURNING "label""#,
        ])
      #expect(
        errorText { try Shelf(room: "hall", num: 7).updateAndFetch(db) }
          == #"Key not found in table shelf: [num:7 room:"hall"]"#)
    }
  }

  @Test func `Upserts fetch their rows, new or overwritten`() throws {
    try inBookshop { db, recorder throws in
      let upsert =
        Self.insert + #" ON CONFLICT DO UPDATE SET "label" = "excluded"."label""#
      for shelf in [Shelf(room: "attic", num: 1, label: "a"), Shelf(room: "hall", num: 1)] {
        #expect(try shelf.upsertAndFetch(db) == shelf)
        #expect(try shelf.upsertAndFetch(db, as: Shelf.self) == shelf)
        try shelf.upsert(db)
      }
      let both = [upsert + " RETURNING *", upsert + " RETURNING *", upsert]
      #expect(recorder.takeStatements() == both + both)
      let counted = try Shelf(room: "attic", num: 1, label: "x")
        .upsertAndFetch(db, onConflict: ["room", "num"]) { excluded in
          [Column("label").set(to: Column("label") + excluded["label"])]
        }
      #expect(counted.num == 1)
      #expect(
        recorder.takeStatements() == [
          Self.insert
            + #" ON CONFLICT("room", "num") DO UPDATE SET "#
            + #""label" = "label" + "excluded"."label" RETURNING *"#
        ])
    }
  }

  @Test func `A null in the key is refused`() throws {
    struct Loose: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "shelf"
      var room: String?
      var num: Int?
    }
    try inBookshop { db, _ throws in
      let writes: [() throws -> Void] = [
        { try Loose(num: 1).insert(db) }, { _ = try Loose(num: 1).insertAndFetch(db) },
        { try Loose(num: 1).upsert(db) }, { _ = try Loose(num: 1).upsertAndFetch(db) },
        { try Loose(num: 1).save(db) }, { try Loose.insert(db, contentsOf: [Loose(num: 1)]) },
      ]
      for write in writes {
        let error = databaseError(write)
        #expect(error?.message == "NOT NULL constraint failed: shelf.room")
        #expect(error?.sql?.hasPrefix(#"INSERT INTO "shelf" ("room", "num")"#) == true)
      }
      #expect(
        errorText { try Loose(num: 1).update(db) }
          == "Key not found in table shelf: [num:1 room:NULL]")
      #expect(try !Loose(num: 1).delete(db))
      #expect(try !Loose(room: nil, num: nil).exists(db))
    }
  }
}
