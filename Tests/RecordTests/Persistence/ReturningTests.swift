import QuarryTestSupport
import Testing

@testable import Quarry

/// What `fetch` functions may do with a statement that writes and returns rows.
@Suite(.onQueueAndPool)
struct ReturningTests {
  private static let ids = [Column("id")]

  @Test func `A fetch that stops early writes, and lets the transaction end`() throws {
    let queue = try makeBookshopDatabase()
    try queue.writeWithoutTransaction { db throws in
      var draft = Draft(name: "a")
      let id = try draft.insertAndFetch(db, selection: Self.ids) { statement in
        try Int64.fetchCursor(statement).next()
      }
      #expect(id == 4)
      let row = try draft.updateAndFetch(db, selection: Self.ids) { statement in
        try Row.fetchCursor(statement).next()?.copy()
      }
      #expect(row == ["id": 4])
      #expect(!db.isInsideTransaction)
      #expect(try Draft.fetchCount(db) == 4)
    }
  }

  @Test func `An error at the end of the rows is thrown, however early the fetch stopped`() throws {
    struct Child: Encodable, PersistableRecord {
      var parentId = 99
    }
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db throws in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (
            parentId INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)
          """)
      let selection = [Column("parentId")]
      let fetches: [(Statement) throws -> Int?] = [
        { try Int.fetchOne($0) }, { try Int.fetchAll($0).first },
        { try Int.fetchCursor($0).next() }, { try Row.fetchOne($0)?[0] },
        { try Row.fetchCursor($0).next()?[0] },
      ]
      for fetch in fetches {
        let error = databaseError {
          try Child().insertAndFetch(db, selection: selection, fetch: fetch)
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(!db.isInsideTransaction)
      }
      let error = databaseError {
        try Int.fetchOne(db, sql: "INSERT INTO child VALUES (99) RETURNING parentId")
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM child") == 0)
    }
  }

  @Test func `A fetch that runs other statements does not change what the write has done`() throws {
    try inBookshop { db, _ throws in
      var draft = Draft(name: "a")
      try draft.insertAndFetch(db, selection: Self.ids) { statement in
        _ = try Int64.fetchOne(statement)
        try Country(code: "ES").insert(db)
        try db.execute(sql: "INSERT INTO note (rowid, text) VALUES (77, 'x')")
        try db.execute(sql: "DELETE FROM note WHERE rowid = 78")
      }
      #expect(draft.id == 4)
      let updated = try draft.updateAndFetch(db, selection: Self.ids) { statement in
        let cursor = try Int64.fetchCursor(statement)
        let id = try cursor.next()
        try db.execute(sql: "DELETE FROM note WHERE rowid = 78")
        return id
      }
      #expect(updated == 4)
      var other = Draft(name: "b")
      let inserted = try other.insertAndFetch(db, selection: Self.ids) { statement in
        let id = try Int64.fetchOne(statement)
        try db.execute(sql: "DELETE FROM note WHERE rowid = 78")
        return id
      }
      #expect(inserted == 5)
    }
  }

  @Test func `A fetch that does not run the statement is reported`() throws {
    try inBookshop { db, _ throws in
      var draft = Draft(name: "a")
      let inserted = databaseError {
        try draft.insertAndFetch(db, selection: Self.ids) { _ in 1 }
      }
      #expect(inserted?.resultCode == .SQLITE_MISUSE)
      #expect(inserted?.message == "the fetch function did not run the statement")
      #expect(inserted?.sql?.hasSuffix(#"RETURNING "id""#) == true)
      #expect(draft.id == nil)
      let updated = databaseError {
        try Draft(id: 1, name: "a").updateAndFetch(db, selection: Self.ids) { _ in 1 }
      }
      #expect(updated?.resultCode == .SQLITE_MISUSE)
      #expect(try Draft.fetchCount(db) == 3)
    }
  }

  @Test func `A row that outlives the fetch keeps its values`() throws {
    try inBookshop { db, _ throws in
      var draft = Draft(name: "a")
      var kept: Row?
      try draft.insertAndFetch(db, selection: [AllColumns()]) { statement in
        kept = try Row.fetchCursor(statement).next()
      }
      #expect(kept == ["id": 4, "name": "a", "country": nil, "birthYear": nil])
    }
  }
}
