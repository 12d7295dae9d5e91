import Quarry
import QuarryTestSupport
import Testing

private struct UnsavedNote: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String?
}

private struct Misspelt: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "author"

  var id: Int64
  var nom: String
}

@Suite("Records that are not, or can't be, in the database", .onQueueAndPool)
struct RecordMistakeTests {
  @Test func `A key that no row has is reported with the table and the key`() throws {
    try makeBookshopDatabase().read { db throws in
      let finds: [(() throws -> Any?, String)] = [
        ({ try Book.find(db, id: 99) }, "Key not found in table book: [id:99]"),
        ({ try Book.find(db, key: 99) }, "Key not found in table book: [id:99]"),
        ({ try Country.find(db, key: "XX") }, #"Key not found in table country: [code:"XX"]"#),
        (
          { try Stock.find(db, key: ["shop": "x", "isbn": "a"]) },
          #"Key not found in table stock: [isbn:"a" shop:"x"]"#
        ),
        (
          { try Member.find(db, key: ["email": nil, "nick": "zoe"]) },
          #"Key not found in table member: [email:NULL nick:"zoe"]"#
        ),
        ({ try Note.find(db, key: 99) }, "Key not found in table note: [rowid:99]"),
      ]
      for (find, message) in finds { #expect(errorText(find) == message) }
    }
  }

  @Test func `A record without key can't be updated, and deletes nothing`() throws {
    try makeBookshopDatabase().write { db throws in
      var draft = UnsavedNote(id: nil, name: "Ann")
      let message = "Key not found in table author: [id:NULL]\n\(nullKeyDetails)"
      #expect(errorText { try draft.update(db) } == message)
      #expect(errorText { try draft.updateAndFetch(db) } == message)
      #expect(errorText { try draft.updateChanges(db) { $0.name = "Bob" } } == message)
      #expect(try draft.delete(db) == false)
      #expect(try draft.exists(db) == false)
      #expect(try UnsavedNote.fetchCount(db) == 3)
      #expect(
        errorText { try Note(text: "x").update(db) }
          == "Key not found in table note: [rowid:NULL]\n\(nullKeyDetails)")
    }
  }

  @Test func `A column that the table does not have is reported with the SQL`() throws {
    try makeBookshopDatabase().write { db throws in
      let record = Misspelt(id: 1, nom: "Ann")
      let writes: [() throws -> Any?] = [
        { try record.insert(db) }, { try record.upsert(db) }, { try record.insertAndFetch(db) },
        { try Misspelt(id: 99, nom: "Ann").save(db) },
      ]
      for write in writes {
        let error = try #require(errorText(write))
        #expect(error.contains("nom"), "\(error)")
        #expect(error.contains(#""author""#), "\(error)")
      }
    }
  }

  @Test func `A view refuses inserts, updates, and deletes`() throws {
    struct Best: Codable, PersistableRecord {
      static let databaseTableName = "bestseller"
      var id: Int64
    }
    try makeBookshopDatabase().write { db throws in
      let writes: [() throws -> Any?] = [
        { try Best(id: 1).insert(db) }, { try Best(id: 1).update(db) },
        { try Best(id: 1).save(db) }, { try Best(id: 1).delete(db) },
        { try Best.deleteAll(db) }, { try Best.updateAll(db, Column("id").set(to: 1)) },
      ]
      for write in writes {
        let error = try #require(errorText(write))
        #expect(error.contains("bestseller"), "\(error)")
      }
    }
  }
}
