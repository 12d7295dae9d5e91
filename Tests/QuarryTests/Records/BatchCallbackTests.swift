import QuarryTestSupport
import Testing

@testable import Quarry

private final class Journal {
  var events: [String] = []
}

/// An author that notes its callbacks.
private struct Watched: Encodable, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String
  let journal: Journal
  var failure: String?

  private enum CodingKeys: CodingKey { case id, name }

  private func note(_ event: String) throws {
    journal.events.append("\(event) \(name)")
    if event == failure { throw Refusal() }
  }

  struct Refusal: Error {}

  func willSave(_ db: Database) throws { try note("willSave") }
  mutating func willInsert(_ db: Database) throws { try note("willInsert") }
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try note("save(")
    let saved = try save()
    #expect(saved.persistenceContainer["name"] == name)
    try note(")save")
  }
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try note("insert(")
    if failure == "skip" { return }
    let inserted = try insert()
    #expect(inserted.persistenceContainer["name"] == name)
    #expect(inserted.persistenceContainer["id"] == inserted.rowID)
    try note(")insert")
  }
  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
    journal.events.append("didInsert \(name) \(inserted.rowID)")
  }
  func didSave(_ saved: PersistenceSuccess) { journal.events.append("didSave \(name)") }
}

struct BatchCallbackTests {
  @Test func `Each record has its callbacks, those around the statement nested`() throws {
    try inBookshop { db, _ throws in
      let journal = Journal()
      var records = ["a", "b"].map { Watched(name: $0, journal: journal) }
      try Watched.insert(db, contentsOf: &records)
      #expect(
        journal.events == [
          "willSave a", "willSave b", "save( a", "save( b", "willInsert a", "willInsert b",
          "insert( a", "insert( b", ")insert b", ")insert a", "didInsert a 4", "didInsert b 5",
          ")save b", ")save a", "didSave a", "didSave b",
        ])
      #expect(records.map(\.id) == [4, 5])
    }
  }

  @Test(arguments: ["willSave", "willInsert", "save(", "insert(", ")insert", ")save"])
  func `An error of a callback leaves nothing`(_ event: String) throws {
    try inBookshop { db, _ throws in
      let journal = Journal()
      var records = (1...100).map { Watched(name: "\($0)", journal: journal) }
      records[80].failure = event
      #expect(throws: Watched.Refusal.self) { try Watched.insert(db, contentsOf: &records) }
      #expect(records.allSatisfy { $0.id == nil })
      #expect(try Draft.fetchCount(db) == 3)
    }
  }

  @Test func `A callback that does not call its action is told`() throws {
    try inBookshop { db, _ throws in
      let journal = Journal()
      var records = ["a", "b", "c"].map { Watched(name: $0, journal: journal) }
      records[1].failure = "skip"
      let error = databaseError { try Watched.insert(db, contentsOf: &records) }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message?.contains("Watched.aroundInsert") == true)
      #expect(try Draft.fetchCount(db) == 3)
    }
  }

  @Test func `Callbacks may use the database, and insert other records`() throws {
    struct Chained: Encodable, MutablePersistableRecord {
      static let databaseTableName = "author"
      var id: Int64?
      var name: String
      mutating func willInsert(_ db: Database) throws {
        name += " of \(try Draft.fetchCount(db))"
        if name.hasPrefix("x") { try Country(code: name).insert(db) }
      }
      func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
        _ = try insert()
        try HandWritten.insert(db, contentsOf: [HandWritten(id: nil, name: "after \(name)")])
      }
    }
    try inBookshop { db, _ throws in
      let inserted = try Chained.inserted(
        db, contentsOf: ["x", "y"].map { Chained(name: $0) })
      #expect(inserted.map(\.name) == ["x of 3", "y of 3"])
      #expect(try Country.exists(db, key: "x of 3"))
      let names = try String.fetchAll(db, sql: "SELECT name FROM author WHERE id > 3 ORDER BY id")
      #expect(names == ["x of 3", "y of 3", "after y of 3", "after x of 3"])
    }
  }

  @Test func `Classes get their identifiers`() throws {
    final class Person: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var id: Int64?
      let name: String
      init(_ name: String) { self.name = name }
      func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    try inBookshop { db, _ throws in
      let people = (1...70).map { Person("\($0)") }
      try Person.insert(db, contentsOf: people)
      #expect(people.map(\.id) == (4...73).map { Int64($0) })
    }
  }

  @Test func `Containers that callbacks keep don't change`() throws {
    final class Kept { var containers: [PersistenceContainer] = [] }
    struct Keeping: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var name: String
      let kept: Kept
      private enum CodingKeys: CodingKey { case name }
      func didSave(_ saved: PersistenceSuccess) {
        kept.containers.append(saved.persistenceContainer)
      }
    }
    try inBookshop { db, _ throws in
      let kept = Kept()
      try Keeping.insert(db, contentsOf: (1...130).map { Keeping(name: "\($0)", kept: kept) })
      #expect(kept.containers.map { $0["name"] } == (1...130).map { "\($0)" })
    }
  }
}
