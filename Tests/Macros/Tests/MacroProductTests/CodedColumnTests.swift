import Foundation
import QuarryMacros
import QuarryRecords
import Testing

@Record struct Poem: Equatable, SoftDeletableRecord {
  @PrimaryKey @Column(as: LowercaseText.self) var id: UUID
  var title: String
  @Column(as: UnixSeconds.self) var deletedAt: Date?
}

@Suite("Codings of records by macro, with the protocols of other products")
struct CodedColumnTests {
  private let id = UUID(uuid: (0xAB, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let now = Date(timeIntervalSince1970: 1_800_000_000.5)

  private func withPoems<T>(_ body: (Database) throws -> T) throws -> T {
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in Self.now }
    return try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(
        sql: """
          CREATE TABLE poem (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, deletedAt DOUBLE)
          """)
      return try body(db)
    }
  }

  @Test func `a deletion stores its date by the coding of the column`() throws {
    try withPoems { db in
      let poem = Poem(id: id, title: "If")
      try poem.insert(db)
      #expect(try poem.delete(db))
      let stored = try String.fetchOne(db, sql: "SELECT quote(deletedAt) FROM poem")
      #expect(stored == "1800000000.5")
      #expect(try Poem.onlyDeleted().fetchOne(db)?.deletedAt == Self.now)
      #expect(try Poem.fetchOne(db, id: id) == nil)
      #expect(try poem.restore(db))
      #expect(try Poem.find(db, id: id) == poem)
      #expect(try Poem.deleteOne(db, id: id))
      #expect(try Poem.onlyDeleted().filter(id: id).fetchCount(db) == 1)
    }
  }

  @Test func `the history of a record is found by a key with a coding`() throws {
    try withPoems { db in
      try db.createHistory(of: "poem")
      try Poem(id: id, title: "If").insert(db)
      try Poem(id: id, title: "Ode").update(db)
      #expect(try Poem.history(key: id).fetchAll(db).map(\.record.title) == ["If", "Ode"])
      #expect(try Poem.history(key: ["id": id]).fetchCount(db) == 2)
    }
  }
}
