import QuarryTestSupport
import Testing

@testable import Quarry

private final class Journal {
  var events: [String] = []
}

/// An author that notes its callbacks.
private struct Watched: Encodable, MutablePersistableRecord {
  static let databaseTableName = "author"
  static var hasAroundCallbacks: Bool { true }

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

/// An author with the callbacks that many records may have together.
private struct Unsurrounded: Encodable, MutablePersistableRecord {
  static let databaseTableName = "author"

  var id: Int64?
  var name: String
  let journal: Journal

  private enum CodingKeys: CodingKey { case id, name }

  func willSave(_ db: Database) throws { journal.events.append("willSave \(name)") }
  mutating func willInsert(_ db: Database) throws {
    journal.events.append("willInsert \(name)")
    name += "!"
  }
  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
    note("didInsert", inserted.persistenceContainer)
  }
  func didSave(_ saved: PersistenceSuccess) { note("didSave", saved.persistenceContainer) }

  private func note(_ event: String, _ container: PersistenceContainer) {
    let name: String? = container["name"]
    let id: Int64? = container["id"]
    journal.events.append("\(event) \(name ?? "-") \(id ?? 0)")
  }
}

@Suite(.onQueueAndPool)
struct BatchCallbackTests {
  @Test func `Records with callbacks around the insertion are inserted one by one`() throws {
    try inBookshop { db, _ throws in
      let journal = Journal()
      var records = ["a", "b"].map { Watched(name: $0, journal: journal) }
      try Watched.insert(db, contentsOf: &records)
      #expect(
        journal.events == [
          "willSave a", "save( a", "willInsert a", "insert( a", ")insert a", "didInsert a 4",
          ")save a", "didSave a", "willSave b", "save( b", "willInsert b", "insert( b",
          ")insert b", "didInsert b 5", ")save b", "didSave b",
        ])
      #expect(records.map(\.id) == [4, 5])
    }
  }

  @Test func `Records without such callbacks have theirs before and after the statement`() throws {
    try inBookshop { db, recorder throws in
      let journal = Journal()
      var records = ["a", "b"].map { Unsurrounded(name: $0, journal: journal) }
      try Unsurrounded.insert(db, contentsOf: &records)
      #expect(
        journal.events == [
          "willSave a", "willInsert a", "willSave b", "willInsert b", "didInsert a! 4",
          "didSave a! 4", "didInsert b! 5", "didSave b! 5",
        ])
      #expect(records.map(\.id) == [4, 5])
      #expect(
        recorder.takeStatements()[1]
          == #"INSERT INTO "author" ("id", "name") VALUES (?,?),(?,?) RETURNING "id""#)
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

  @Test func `A callback that does not call its action is reported`() throws {
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
      static var hasAroundCallbacks: Bool { true }
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
      #expect(inserted.map(\.name) == ["x of 3", "y of 5"])
      #expect(try Country.exists(db, key: "x of 3"))
      let names = try String.fetchAll(db, sql: "SELECT name FROM author WHERE id > 3 ORDER BY id")
      #expect(names == ["x of 3", "after x of 3", "y of 5", "after y of 5"])
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

// Records are inserted some hundred at a time: all of them have their callbacks.
@Suite(.onQueueAndPool)
struct LaterBatchCallbackTests {
  @Test func `Identifiers are set in all chunks`() throws {
    try inBookshop { db, _ throws in
      var records = (1...700).map { Numbered(name: "\($0)") }
      try Numbered.insert(db, contentsOf: &records)
      #expect(records.map(\.id) == (4...703).map { Int64($0) })
      let again = try Numbered.inserted(db, contentsOf: records.map { Numbered(name: $0.name) })
      #expect(again.map(\.id) == (704...1403).map { Int64($0) })
      let names = try String.fetchAll(db, sql: "SELECT name FROM author WHERE id > 703 ORDER BY id")
      #expect(names == again.map(\.name))
    }
  }

  @Test func `Each callback that a type has is called in all chunks`() throws {
    let journal = Journal()
    try inBookshop { db, _ throws in
      try WillSave.insert(db, contentsOf: (1...400).map { WillSave(name: "\($0)", journal) })
      #expect(journal.events == (1...400).map { "willSave \($0)" })
      journal.events = []
      try WillInsert.insert(db, contentsOf: (1...400).map { WillInsert(name: "\($0)", journal) })
      #expect(journal.events == (1...400).map { "willInsert \($0)" })
      journal.events = []
      try DidSave.insert(db, contentsOf: (1...400).map { DidSave(name: "\($0)", journal) })
      #expect(journal.events == (1...400).map { "didSave \($0) \($0)" })
      journal.events = []
      try Around.insert(db, contentsOf: (1...130).map { Around(name: "\($0)", journal) })
      #expect(journal.events.count == 260)
      #expect(journal.events[256...259] == ["before 129", "after 129", "before 130", "after 130"])
    }
  }

  @Test func `Subclasses have callbacks of their own`() throws {
    class Person: Encodable, PersistableRecord {
      class var databaseTableName: String { "author" }
      static var hasAroundCallbacks: Bool { true }
      let name: String
      private enum CodingKeys: CodingKey { case name }
      init(_ name: String) { self.name = name }
      func note() {}
      func didInsert(_ inserted: InsertionSuccess) { note() }
      func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
        _ = try save()
      }
    }
    final class Noting: Person {
      var noted = 0
      override func note() { noted += 1 }
    }
    try inBookshop { db, _ throws in
      let people = (1...600).map { $0.isMultiple(of: 3) ? Noting("\($0)") : Person("\($0)") }
      try Person.insert(db, contentsOf: people)
      #expect(people.compactMap { ($0 as? Noting)?.noted } == Array(repeating: 1, count: 200))
      #expect(try Draft.fetchCount(db) == 603)
    }
  }

  @Test func `Callbacks may insert many records of another type`() throws {
    struct Outer: Encodable, PersistableRecord {
      static let databaseTableName = "author"
      var name: String
      func willInsert(_ db: Database) throws {
        guard name == "1" || name == "300" else { return }
        try HandWritten.insert(
          db, contentsOf: (1...100).map { HandWritten(id: nil, name: "\(name).\($0)") })
      }
    }
    try inBookshop { db, _ throws in
      try Outer.insert(db, contentsOf: (1...400).map { Outer(name: "\($0)") })
      #expect(try Draft.fetchCount(db) == 603)
    }
  }

  @Test func `An error in a later chunk leaves the records as they were`() throws {
    try inBookshop { db, _ throws in
      var records = (1...700).map { Numbered(id: $0 == 650 ? 3 : nil, name: "\($0)") }
      let error = databaseError { try Numbered.insert(db, contentsOf: &records) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(records.filter { $0.id != nil }.map(\.id) == [3])
      #expect(try Draft.fetchCount(db) == 3)
    }
  }
}

private struct Numbered: Encodable, MutablePersistableRecord {
  static let databaseTableName = "author"
  var id: Int64?
  var name: String
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private class Named: Encodable {
  static var databaseTableName: String { "author" }
  let name: String
  let journal: Journal
  private enum CodingKeys: CodingKey { case name }
  init(name: String, _ journal: Journal) {
    self.name = name
    self.journal = journal
  }
}

private final class WillSave: Named, PersistableRecord {
  func willSave(_ db: Database) throws { journal.events.append("willSave \(name)") }
}

private final class WillInsert: Named, PersistableRecord {
  func willInsert(_ db: Database) throws { journal.events.append("willInsert \(name)") }
}

private final class DidSave: Named, PersistableRecord {
  func didSave(_ saved: PersistenceSuccess) {
    let saved: String? = saved.persistenceContainer["name"]
    journal.events.append("didSave \(name) \(saved ?? "nothing")")
  }
}

private final class Around: Named, PersistableRecord {
  static var hasAroundCallbacks: Bool { true }

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    journal.events.append("before \(name)")
    _ = try insert()
    journal.events.append("after \(name)")
  }
}
