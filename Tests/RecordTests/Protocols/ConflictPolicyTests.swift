import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

/// The conflict policy of a type of records, which each method follows by default.
@Suite(.onQueueAndPool)
struct ConflictPolicyTests {
  private struct Strict: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "country"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
      insert: .replace, update: .fail)
    var code: String
    var name: String?
  }

  private static let insert =
    #"INSERT OR REPLACE INTO "country" ("code", "name") VALUES (?,?)"#
  private static let update = #"UPDATE OR FAIL "country" SET "name"=? WHERE "code"=?"#

  @Test func `Insertions follow the policy of the type`() throws {
    try inBookshop { db, recorder throws in
      let country = Strict(code: "FR", name: "x")
      try country.insert(db)
      _ = try country.inserted(db)
      _ = try country.insertAndFetch(db)
      try country.insert(db, columns: .nonNull)
      try Strict(code: "ES").save(db)
      _ = try Strict(code: "PT").saveAndFetch(db)
      #expect(
        recorder.takeStatements() == [
          Self.insert, Self.insert, Self.insert + " RETURNING *", Self.insert, Self.update,
          Self.insert, Self.update + " RETURNING *", Self.insert + " RETURNING *",
        ])
      try Strict.insert(db, contentsOf: [country])
      #expect(recorder.takeStatements()[1] == Self.insert + #" RETURNING "rowid""#)
      #expect(try Strict.find(db, key: "FR") == country)
    }
  }

  @Test func `Updates follow the policy of the type`() throws {
    try inBookshop { db, recorder throws in
      var country = Strict(code: "FR", name: "x")
      try country.update(db)
      try country.update(db, columns: ["name"])
      _ = try country.updateAndFetch(db)
      try country.updateChanges(db) { $0.name = "y" }
      _ = try country.updateChangesAndFetch(db) { $0.name = "z" }
      try country.save(db)
      #expect(
        recorder.takeStatements() == [
          Self.update, Self.update, Self.update + " RETURNING *", Self.update,
          Self.update + " RETURNING *", Self.update,
        ])
    }
  }

  @Test func `The conflict resolution of a method comes first`() throws {
    try inBookshop { db, recorder throws in
      let country = Strict(code: "IT", name: "x")
      #expect(databaseError { try country.insert(db, onConflict: .abort) } != nil)
      try country.insert(db, onConflict: .ignore)
      try country.update(db, onConflict: .abort)
      try country.save(db, onConflict: .replace)
      try country.upsert(db)
      #expect(try !country.insert(db, onConflict: .doNothing))
      let insert = #"INTO "country" ("code", "name") VALUES (?,?)"#
      #expect(
        recorder.takeStatements() == [
          "INSERT " + insert, "INSERT OR IGNORE " + insert,
          #"UPDATE "country" SET "name"=? WHERE "code"=?"#,
          #"UPDATE OR REPLACE "country" SET "name"=? WHERE "code"=?"#,
          "INSERT " + insert
            + #" ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid""#,
          "INSERT " + insert + " ON CONFLICT DO NOTHING",
        ])
    }
  }

  @Test func `An update that ignores a conflict finds no row`() throws {
    try inBookshop { db, _ throws in
      try db.execute(sql: "CREATE UNIQUE INDEX countryName ON country(name)")
      let country = Strict(code: "IT", name: "France")
      let missing = #"Key not found in table country: [code:"IT"]"#
      #expect(errorText { try country.update(db, onConflict: .ignore) } == missing)
      #expect(errorText { try country.updateAndFetch(db, onConflict: .ignore) } == missing)
      #expect(try Strict.find(db, key: "IT").name == "Italy")
      #expect(databaseError { try country.update(db) }?.resultCode == .SQLITE_CONSTRAINT)
    }
  }
}
