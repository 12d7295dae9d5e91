import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct RecordUpdateTests {
  @Test func `All columns but the key are updated, in table order with the spelling of the table`()
    throws
  {
    struct Shuffled: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var COUNTRY = "XX"
      var Name = "x"
      var ID = 1
    }
    try inBookshop { db, recorder throws in
      try Author(id: 1, name: "x", country: "XX").update(db)
      try Shuffled().update(db)
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "name"=?, "country"=?, "birthYear"=? WHERE "id"=?"#,
          #"UPDATE "author" SET "name"=?, "country"=? WHERE "id"=?"#,
        ])
      #expect(try Author.find(db, id: 1) == Author(id: 1, name: "x", country: "XX"))
    }
  }

  @Test func `Columns are chosen by name, or as columns`() throws {
    try inBookshop { db, recorder throws in
      let author = Author(id: 1, name: "x", country: "XX")
      try author.update(db, columns: ["COUNTRY", "name", "unknown"])
      try author.update(db, columns: [Column("country")])
      try author.update(db, onConflict: .ignore, columns: ["birthYear"])
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "name"=?, "country"=? WHERE "id"=?"#,
          #"UPDATE "author" SET "country"=? WHERE "id"=?"#,
          #"UPDATE OR IGNORE "author" SET "birthYear"=? WHERE "id"=?"#,
        ])
      #expect(try Author.find(db, id: 1) == author)
    }
  }

  @Test func `Without column to update, the key is`() throws {
    try inBookshop { db, recorder throws in
      try Author(id: 1).update(db, columns: [] as [String])
      try TagName(name: "novel").update(db)
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "id"=? WHERE "id"=?"#,
          #"UPDATE "tagName" SET "name"=? WHERE "name"=?"#,
        ])
      #expect(
        errorText { try TagName(name: "none").update(db) }
          == #"Key not found in table tagName: [name:"none"]"#)
    }
  }

  @Test func `A composite key is in key order`() throws {
    try inBookshop { db, recorder throws in
      try Stock(shop: "north", isbn: "a", qty: 9).update(db)
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "stock" SET "qty"=? WHERE "shop"=? AND "isbn"=?"#
        ])
      #expect(
        try Int.fetchOne(db, sql: "SELECT qty FROM stock WHERE shop = 'north' AND isbn = 'a'") == 9)
    }
  }

  @Test func `A table without key is updated by rowid`() throws {
    try inBookshop { db, recorder throws in
      try IdentifiedNote(rowid: 2, text: "x").update(db)
      #expect(recorder.takeStatements() == [#"UPDATE "note" SET "text"=? WHERE "rowid"=?"#])
      #expect(try String.fetchAll(db, sql: "SELECT text FROM note") == ["call back", "x"])
      #expect(
        errorText { try Note(text: "x").update(db) }
          == "Key not found in table note: [rowid:NULL]\n\(nullKeyDetails)")
    }
  }

  @Test func `A missing row, and a null key, are not found`() throws {
    try inBookshop { db, recorder throws in
      #expect(
        errorText { try Author(id: 99).update(db) } == "Key not found in table author: [id:99]")
      #expect(recorder.takeStatements().count == 1)
      #expect(
        errorText { try Draft(name: "x").update(db) }
          == "Key not found in table author: [id:NULL]\n\(nullKeyDetails)")
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `The conflict policy of the type applies`() throws {
    struct Ignoring: Encodable, PersistableRecord {
      static let databaseTableName = "country"
      static let persistenceConflictPolicy = PersistenceConflictPolicy(update: .fail)
      var code: String
      var name: String
    }
    try inBookshop { db, recorder throws in
      try Ignoring(code: "FR", name: "x").update(db)
      try Ignoring(code: "FR", name: "x").update(db, onConflict: .replace)
      #expect(
        recorder.takeStatements() == [
          #"UPDATE OR FAIL "country" SET "name"=? WHERE "code"=?"#,
          #"UPDATE OR REPLACE "country" SET "name"=? WHERE "code"=?"#,
        ])
    }
  }

  @Test func `Rows of a view are updated through its triggers`() throws {
    struct Title: Encodable, PersistableRecord {
      static let databaseTableName = "bestseller"
      var id: Int
      var title: String
    }
    struct Source: DatabaseSchemaSource {
      func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
        ["id"]
      }
    }
    try inBookshop { db, _ throws in
      try db.execute(
        sql: """
          CREATE TRIGGER retitle INSTEAD OF UPDATE ON bestseller
          BEGIN UPDATE book SET title = NEW.title WHERE id = NEW.id; END
          """)
      let text = errorText { try Title(id: 3, title: "x").update(db) }
      #expect(text?.contains("database view bestseller has no primary key") == true)
      try db.withSchemaSource(Source()) {
        try Title(id: 3, title: "x").update(db)
        #expect(throws: RecordError.self) { try Title(id: 1, title: "x").update(db) }
      }
      #expect(try String.fetchOne(db, sql: "SELECT title FROM book WHERE id = 3") == "x")
    }
  }
}

@Suite(.onQueueAndPool)
struct UpdateChangesTests {
  @Test func `Only the columns that changed are updated`() throws {
    try inBookshop { db, recorder throws in
      var author = try Author.find(db, id: 1)
      let old = author
      _ = recorder.take()
      #expect(try author.updateChanges(db) { $0.country = "ES" })
      #expect(author.country == "ES")
      #expect(try old.updateChanges(db, from: author))
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "country"=? WHERE "id"=?"#,
          #"UPDATE "author" SET "country"=? WHERE "id"=?"#,
        ])
      #expect(try Author.find(db, id: 1) == old)
    }
  }

  @Test func `Without change, nothing runs`() throws {
    try inBookshop { db, recorder throws in
      var author = try Author.find(db, id: 1)
      _ = recorder.take()
      #expect(try !author.updateChanges(db) { $0.id = 1 })
      #expect(try !author.updateChanges(db, from: author))
      #expect(try author.updateChangesAndFetch(db) { $0.id = 1 } == nil)
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `A changed key is looked for`() throws {
    try inBookshop { db, recorder throws in
      var author = try Author.find(db, id: 1)
      _ = recorder.take()
      #expect(
        errorText { try author.updateChanges(db) { $0.id = 99 } }
          == "Key not found in table author: [id:99]")
      #expect(recorder.takeStatements() == [#"UPDATE "author" SET "id"=? WHERE "id"=?"#])
    }
  }
}

@Suite(.onQueueAndPool)
struct UpdateAndFetchTests {
  @Test func `The updated row is fetched`() throws {
    try inBookshop { db, recorder throws in
      let updated = try Draft(id: 1, name: "x", country: "FR").updateAndFetch(db)
      #expect(updated == Draft(id: 1, name: "x", country: "FR"))
      let author = try Draft(id: 1, name: "y", country: "FR").updateAndFetch(db, as: Author.self)
      #expect(author == Author(id: 1, name: "y", country: "FR", birthYear: 1929))
      let statement = #"UPDATE "author" SET "name"=?, "country"=? WHERE "id"=? RETURNING *"#
      #expect(recorder.takeStatements() == [statement, statement])
    }
  }

  @Test func `A selection of the updated row is fetched`() throws {
    try inBookshop { db, recorder throws in
      let author = Author(id: 1, name: "x", country: "XX", birthYear: 1900)
      let selection: [any SQLSelectable] = [(Column("birthYear") + 1).forKey("next")]
      #expect(
        try author.updateAndFetch(db, columns: ["country"], selection: selection) {
          try Int.fetchOne($0)
        } == 1930)
      #expect(
        try author.updateAndFetch(db, columns: [Column("birthYear")], selection: selection) {
          try Int.fetchOne($0)
        } == 1901)
      #expect(
        try author.updateAndFetch(db, selection: [Column("name")]) { try String.fetchAll($0) }
          == ["x"])
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "country"=? WHERE "id"=? RETURNING "birthYear" + ? AS "next""#,
          #"UPDATE "author" SET "birthYear"=? WHERE "id"=? RETURNING "birthYear" + ? AS "next""#,
          #"UPDATE "author" SET "name"=?, "country"=?, "birthYear"=? WHERE "id"=? RETURNING "name""#,
        ])
    }
  }

  @Test func `Changes are updated and fetched`() throws {
    try inBookshop { db, recorder throws in
      var author = try Author.find(db, id: 1)
      _ = recorder.take()
      let updated = try author.updateChangesAndFetch(db) { $0.name = "x" }
      #expect(updated == author)
      let draft = try author.updateChangesAndFetch(db, as: Draft.self) { $0.name = "y" }
      #expect(draft == Draft(id: 1, name: "y", country: "FR"))
      let name = try author.updateChangesAndFetch(db, selection: [Column("name")]) {
        try String.fetchOne($0)
      } modify: {
        $0.name = "z"
      }
      #expect(name == "z")
      #expect(
        recorder.takeStatements() == [
          #"UPDATE "author" SET "name"=? WHERE "id"=? RETURNING *"#,
          #"UPDATE "author" SET "name"=? WHERE "id"=? RETURNING *"#,
          #"UPDATE "author" SET "name"=? WHERE "id"=? RETURNING "name""#,
        ])
    }
  }

  @Test func `A missing row is not found`() throws {
    try inBookshop { db, _ throws in
      let author = Author(id: 99)
      let text = "Key not found in table author: [id:99]"
      #expect(errorText { try author.updateAndFetch(db) } == text)
      #expect(
        errorText {
          try author.updateAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0) }
        } == text)
      #expect(
        errorText { try Draft(name: "x").updateAndFetch(db) }
          == "Key not found in table author: [id:NULL]\n\(nullKeyDetails)")
    }
  }
}
