import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct UpsertTests {
  static let head = #"INSERT INTO "author" ("id", "name", "country") VALUES (?,?,?) ON CONFLICT"#

  @Test func `A record is inserted, or overwrites the row in conflict`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(name: "New", country: "ES")
      try draft.upsert(db)
      #expect(draft.id == 4)
      var author = Draft(id: 1, name: "x", country: "ES")
      try author.upsert(db)
      #expect(author.id == 1)
      let statement =
        Self.head + #" DO UPDATE SET "name" = "excluded"."name", "#
        + #""country" = "excluded"."country" RETURNING "rowid""#
      #expect(recorder.takeStatements() == [statement, statement])
      #expect(
        try Author.find(db, id: 1) == Author(id: 1, name: "x", country: "ES", birthYear: 1929))
    }
  }

  @Test func `The conflict target and the assignments are written`() throws {
    try inBookshop { db, recorder throws in
      var draft = Draft(id: 1, name: "x", country: "ES")
      let updated = try draft.upsertAndFetch(db, onConflict: ["id"]) { excluded in
        [
          Column("name").set(to: Column("name") + excluded["name"]),
          Column("country").noOverwrite,
        ]
      }
      #expect(updated.id == 1)
      #expect(updated.country == "FR")
      #expect(
        recorder.takeStatements() == [
          Self.head
            + #"("id") DO UPDATE SET "name" = "name" + "excluded"."name" RETURNING *, "rowid""#
        ])
    }
  }

  @Test func `A table may have the name of the row in conflict`() throws {
    struct Excluded: Codable, Equatable, FetchableRecord, PersistableRecord {
      var id: Int64
      var title: String
    }
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).write { db throws in
      try db.execute(sql: "CREATE TABLE excluded (id INTEGER PRIMARY KEY, title TEXT)")
      try Excluded(id: 1, title: "Emma").insert(db)
      _ = recorder.take()
      let walden = Excluded(id: 1, title: "Walden")
      #expect(try walden.upsertAndFetch(db) == walden)
      let ulysses = Excluded(id: 1, title: "Ulysses")
      let upserted = try ulysses.upsertAndFetch(db, onConflict: ["id"]) {
        [Column("title").set(to: $0["title"])]
      }
      #expect(upserted == ulysses)
      let head = #"INSERT INTO "excluded" AS "target" ("id", "title") VALUES (?,?) ON CONFLICT"#
      let tail = #" DO UPDATE SET "title" = "excluded"."title" RETURNING *, "rowid""#
      #expect(recorder.takeStatements() == [head + tail, head + #"("id")"# + tail])
      #expect(try Excluded.fetchAll(db) == [ulysses])
    }
  }

  @Test func `Only the assigned columns are overwritten when asked for`() throws {
    try inBookshop { db, recorder throws in
      let author = Author(id: 1, name: "x", country: "ES", birthYear: 1)
      let updated = try author.upsertAndFetch(db, updating: .noColumnUnlessSpecified) { _ in
        [Column("birthYear") += 1]
      }
      #expect(updated == Author(id: 1, name: "Ursula Vernet", country: "FR", birthYear: 1930))
      let same = try author.upsertAndFetch(db, as: Draft.self, updating: .noColumnUnlessSpecified)
      #expect(same == Draft(id: 1, name: "Ursula Vernet", country: "FR"))
      let head =
        #"INSERT INTO "author" ("id", "name", "country", "birthYear") VALUES (?,?,?,?) ON CONFLICT"#
      #expect(
        recorder.takeStatements() == [
          head + #" DO UPDATE SET "birthYear" = "birthYear" + ? RETURNING *, "rowid""#,
          head + #" DO UPDATE SET "id" = "id" RETURNING *, "rowid""#,
        ])
    }
  }

  @Test func `A table without key overwrites all columns but those of the conflict target`() throws
  {
    try inBookshop { db, recorder throws in
      try Member(email: "a@example.com", nick: "x").upsert(db)
      let member = Member(email: "a@example.com", nick: "y")
      #expect(try member.upsertAndFetch(db, onConflict: ["email"]) == member)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "member" ("email", "nick") VALUES (?,?) ON CONFLICT DO UPDATE SET "#
            + #""email" = "excluded"."email", "nick" = "excluded"."nick" RETURNING "rowid""#,
          #"INSERT INTO "member" ("email", "nick") VALUES (?,?) ON CONFLICT("email") DO UPDATE SET "#
            + #""nick" = "excluded"."nick" RETURNING *, "rowid""#,
        ])
    }
  }

  @Test func `Tables without rowid take upserts`() throws {
    try inBookshop { db, recorder throws in
      try Shelf(room: "attic", num: 1, label: "x").upsert(db)
      try TagName(name: "novel").upsert(db)
      let shelf = Shelf(room: "attic", num: 2, label: "y")
      #expect(try shelf.upsertAndFetch(db) == shelf)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "shelf" ("room", "num", "label") VALUES (?,?,?) ON CONFLICT DO UPDATE SET "#
            + #""label" = "excluded"."label""#,
          #"INSERT INTO "tagName" ("name") VALUES (?) ON CONFLICT DO UPDATE SET "name" = "name""#,
          #"INSERT INTO "shelf" ("room", "num", "label") VALUES (?,?,?) ON CONFLICT DO UPDATE SET "#
            + #""label" = "excluded"."label" RETURNING *"#,
        ])
      #expect(try String.fetchOne(db, sql: "SELECT label FROM shelf WHERE num = 1") == "x")
    }
  }

  @Test func `An unknown column in the conflict target throws`() throws {
    try inBookshop { db, _ throws in
      #expect(
        databaseError { try Country(code: "FR").upsertAndFetch(db, onConflict: ["planet"]) }?
          .message?
          .contains("planet") == true)
      #expect(
        databaseError { try Country(code: "FR").upsertAndFetch(db, onConflict: ["name"]) } != nil)
    }
  }
}

@Suite(.onQueueAndPool)
struct UpsertMistakeTests {
  @Test func `Unknown columns throw, with the SQL`() throws {
    try inBookshop { db, _ throws in
      let author = Author(id: 1, name: "Ann")
      let assigned = errorText {
        try author.upsertAndFetch(db) { _ in [Column("zork").set(to: 1)] }
      }
      #expect(assigned?.contains("no such column: zork") == true)
      #expect(assigned?.contains(#"INSERT INTO "author""#) == true)
      let excluded = errorText {
        try author.upsertAndFetch(db) { [Column("name").set(to: $0[Column("zork")])] }
      }
      #expect(excluded?.contains("no such column: excluded.zork") == true)
      let target = errorText { try author.upsertAndFetch(db, onConflict: ["name"]) }
      #expect(target?.contains("ON CONFLICT clause does not match") == true)
      #expect(try Author.find(db, key: 1) != author)
    }
  }
}
