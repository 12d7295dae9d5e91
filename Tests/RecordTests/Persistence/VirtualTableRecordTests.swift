import QuarryTestSupport
import Testing

@testable import Quarry

/// Records of virtual tables, whose rows `RETURNING` does not return.
@Suite(.needs(.fullText))
struct VirtualTableRecordTests {
  private struct Document: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
    static var databaseSelection: [any SQLSelectable] { [.rowID, .allColumns] }
    var rowid: Int64?
    var title: String
    mutating func didInsert(_ inserted: InsertionSuccess) { rowid = inserted.rowID }
  }

  private struct Place: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64?
    var low: Double
    var high: Double
  }

  private func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE document USING fts5(title);
          CREATE VIRTUAL TABLE place USING rtree(id, low, high);
          INSERT INTO document (rowid, title) VALUES (7, 'first');
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  @Test func `Records that are inserted together get their rowids`() throws {
    try inDatabase { db, _ throws in
      var documents = [Document(title: "a"), Document(title: "b"), Document(rowid: 20, title: "c")]
      try Document.insert(db, contentsOf: &documents)
      #expect(documents.map(\.rowid) == [8, 9, 20])
      #expect(try Document.fetchAll(db).map(\.title) == ["first", "a", "b", "c"])
      #expect(
        try Place.inserted(
          db, contentsOf: [Place(id: 3, low: 1, high: 2), Place(id: 4, low: 1, high: 2)]
        ).map(\.id) == [3, 4])
    }
  }

  @Test func `Writes fetch the rows as they are`() throws {
    try inDatabase { db, recorder throws in
      var document = try Document(title: "a").insertAndFetch(db)
      #expect(document == Document(rowid: 8, title: "a"))
      document.title = "b"
      #expect(try document.updateAndFetch(db) == document)
      #expect(try document.updateChangesAndFetch(db) { $0.title = "c" } == document)
      #expect(try document.saveAndFetch(db) == document)
      #expect(try Document(title: "d").saveAndFetch(db) == Document(rowid: 9, title: "d"))
      let statements = recorder.takeStatements().filter { !$0.hasPrefix("--") }
      #expect(
        statements.prefix(4) == [
          "SAVEPOINT grdb", #"INSERT INTO "document" ("rowid", "title") VALUES (?,?)"#,
          #"SELECT "rowid", * FROM "document" WHERE "rowid" = ?"#, "RELEASE SAVEPOINT grdb",
        ])
      #expect(!statements.contains { $0.contains("RETURNING") })
      let place = Place(id: 5, low: 1, high: 2)
      #expect(try place.insertAndFetch(db) == place)
    }
  }

  @Test func `Requests fetch the rows that they change`() throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "INSERT INTO document (rowid, title) VALUES (8, 'second')")
      let request = Document.filter(Column.rowID == 8)
      #expect(
        try request.updateAndFetchAll(db, [Column("title").set(to: "x")])
          == [Document(rowid: 8, title: "x")])
      #expect(try request.deleteAndFetchAll(db) == [Document(rowid: 8, title: "x")])
      #expect(try Document.fetchAll(db) == [Document(rowid: 7, title: "first")])
    }
  }

  @Test func `What is missing, or not supported, is reported`() throws {
    try inDatabase { db, _ throws in
      #expect(
        errorText { try Document(rowid: 1, title: "a").updateAndFetch(db) }
          == "Key not found in table document: [rowid:1]")
      #expect(
        errorText { try Document(title: "a").updateAndFetch(db) }
          == "Key not found in table document: [rowid:NULL]\n\(nullKeyDetails)")
      try Place(id: 1, low: 1, high: 2).insert(db)
      let place = Place(id: 1, low: 3, high: 4)
      #expect(databaseError { try place.insertAndFetch(db) }?.resultCode == .SQLITE_CONSTRAINT)
      #expect(
        errorText { try place.insertAndFetch(db, onConflict: .ignore) }?
          .hasPrefix("Key not found in table place") == true)
      var document = Document(rowid: 7, title: "a")
      let upsert = errorText { try document.upsert(db) }
      #expect(upsert?.contains(#"UPSERT not implemented for virtual table "document""#) == true)
      #expect(try Document.fetchAll(db).map(\.title) == ["first"])
      #expect(try Place.fetchCount(db) == 1)
    }
  }
}
