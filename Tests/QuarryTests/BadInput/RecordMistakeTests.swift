import Quarry
import QuarryTestSupport
import Testing

private struct UnsavedNote: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String?
}

private struct Nothing: PersistableRecord {
  static let databaseTableName = "author"

  func encode(to container: inout PersistenceContainer) {}
}

private struct Misspelt: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "author"

  var id: Int64
  var nom: String
}

@Suite("Records that are not, or can't be, in the database")
struct RecordMistakeTests {
  @Test("A key that no row has is told with the table and the key")
  func find() throws {
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

  @Test("A record that is not there can't be updated")
  func updateMissing() throws {
    try makeBookshopDatabase().write { db throws in
      let book = Book(id: 99, title: "Lost")
      let stock = Stock(shop: "x", isbn: "a", qty: 1)
      let updates: [() throws -> Any?] = [
        { try book.update(db) }, { try book.update(db, columns: ["title"]) },
        { try book.updateAndFetch(db) }, { try book.updateChanges(db, from: Book(id: 99)) },
      ]
      for update in updates {
        #expect(errorText(update) == "Key not found in table book: [id:99]")
      }
      #expect(
        errorText { try stock.update(db) } == #"Key not found in table stock: [isbn:"a" shop:"x"]"#)
      #expect(try book.delete(db) == false)
      #expect(try book.exists(db) == false)
    }
  }

  @Test("A record without key can't be updated, and deletes nothing")
  func updateWithoutKey() throws {
    try makeBookshopDatabase().write { db throws in
      var draft = UnsavedNote(id: nil, name: "Ann")
      let message = "Key not found in table author: [id:NULL]"
      #expect(errorText { try draft.update(db) } == message)
      #expect(errorText { try draft.updateAndFetch(db) } == message)
      #expect(errorText { try draft.updateChanges(db) { $0.name = "Bob" } } == message)
      #expect(try draft.delete(db) == false)
      #expect(try draft.exists(db) == false)
      #expect(try UnsavedNote.fetchCount(db) == 3)
      #expect(
        errorText { try Note(text: "x").update(db) } == "Key not found in table note: [rowid:NULL]")
    }
  }

  @Test("A record without column can't be inserted", arguments: [1, 2])
  func emptyRecord(count: Int) throws {
    try makeBookshopDatabase().write { db throws in
      let writes: [() throws -> Any?] = [
        { try Nothing().insert(db) }, { try Nothing().update(db) }, { try Nothing().save(db) },
        { try Nothing().upsert(db) },
      ]
      for write in writes {
        let error = try #require(errorText(write))
        #expect(error.contains("Nothing") || error.contains("author"), "\(error)")
      }
      #expect(try Author.fetchCount(db) == 3)
    }
  }

  @Test("A column that the table does not have is told with the SQL")
  func unknownColumn() throws {
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

  @Test("A view refuses inserts, updates, and deletes")
  func view() throws {
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

  @Test("A callback that runs nothing is an error that names it")
  func callback() throws {
    struct Lazy: Codable, PersistableRecord {
      static let databaseTableName = "author"
      var id: Int64

      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {}
      func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {}
    }
    try makeBookshopDatabase().write { db throws in
      for (name, write) in [
        ("aroundInsert", { try Lazy(id: 9).insert(db) }),
        ("aroundDelete", { _ = try Lazy(id: 9).delete(db) }),
      ] {
        let error = databaseError(write)
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message?.contains("`Lazy.\(name)`") == true)
      }
    }
  }
}
