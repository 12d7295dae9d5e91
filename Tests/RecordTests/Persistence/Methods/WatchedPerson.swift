@testable import Quarry

/// What happens to a record, in order: callbacks, and the statements that run between them.
final class PersonJournal {
  struct Refusal: Error {}

  var events: [String] = []
  /// The event that throws an error.
  var failure: String?
  /// The action that is not called.
  var skipped: String?

  func note(_ event: String) throws {
    events.append(event)
    if event == failure { throw Refusal() }
  }

  func surround<Success>(_ name: String, _ detail: String = "", _ action: () throws -> Success)
    throws
  {
    try note("\(name)(\(detail)")
    if skipped == name { return }
    do {
      _ = try action()
    } catch {
      events.append("\(name) failed")
      throw error
    }
    try note(")\(name)")
  }
}

extension Set<String> {
  /// `name rank`
  var journalText: String { sorted().joined(separator: " ") }
}

/// A person that notes its callbacks.
protocol WatchedPerson: FetchableRecord, MutablePersistableRecord {
  var id: Int64? { get }
  var name: String { get set }
  var journal: PersonJournal { get }
  /// Whether the record takes the identifier of its row.
  static var takesIdentifier: Bool { get }

  init(id: Int64?, name: String, journal: PersonJournal)
}

extension WatchedPerson {
  init(row: Row) {
    self.init(id: row["id"], name: row["name"], journal: PersonJournal())
  }

  var text: String { "\(id.map { "\($0)" } ?? "nil") \(name)" }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
  }

  func willSave(_ db: Database) throws { try journal.note("willSave") }

  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try journal.surround("save", "", save)
  }

  func didSave(_ saved: PersistenceSuccess) { journal.events.append("didSave") }

  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try journal.surround("insert", "", insert)
  }

  func willUpdate(_ db: Database, columns: Set<String>) throws {
    try journal.note("willUpdate \(columns.journalText)")
  }

  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    try journal.surround("update", columns.journalText, update)
  }

  func didUpdate(_ updated: PersistenceSuccess) { journal.events.append("didUpdate") }

  func willDelete(_ db: Database) throws { try journal.note("willDelete") }

  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    try journal.surround("delete", "", delete)
  }

  func didDelete(deleted: Bool) { journal.events.append("didDelete \(deleted)") }
}

struct MutablePerson: WatchedPerson {
  static let databaseTableName = "person"
  static let takesIdentifier = true
  var id: Int64?
  var name: String
  let journal: PersonJournal

  mutating func willInsert(_ db: Database) throws { try journal.note("willInsert") }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
    journal.events.append("didInsert \(inserted.rowID)")
  }
}

struct FixedPerson: WatchedPerson, PersistableRecord {
  static let databaseTableName = "person"
  static let takesIdentifier = false
  var id: Int64?
  var name: String
  let journal: PersonJournal

  func willInsert(_ db: Database) throws { try journal.note("willInsert") }

  func didInsert(_ inserted: InsertionSuccess) {
    journal.events.append("didInsert \(inserted.rowID)")
  }
}

/// A person of the `Record` class.
final class PersonObject: Record, WatchedPerson {
  override class var databaseTableName: String { "person" }
  static let takesIdentifier = true
  var id: Int64?
  var name: String
  let journal: PersonJournal

  init(id: Int64?, name: String, journal: PersonJournal) {
    self.id = id
    self.name = name
    self.journal = journal
    super.init()
  }

  required init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    journal = PersonJournal()
    try super.init(row: row)
  }

  override func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["name"] = name
  }

  override func willInsert(_ db: Database) throws {
    try super.willInsert(db)
    try journal.note("willInsert")
  }

  override func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    try journal.surround("insert") { try super.aroundInsert(db, insert: insert) }
  }

  override func didInsert(_ inserted: InsertionSuccess) {
    super.didInsert(inserted)
    id = inserted.rowID
    journal.events.append("didInsert \(inserted.rowID)")
  }

  override func willUpdate(_ db: Database, columns: Set<String>) throws {
    try super.willUpdate(db, columns: columns)
    try journal.note("willUpdate \(columns.journalText)")
  }

  override func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    try journal.surround("update", columns.journalText) {
      try super.aroundUpdate(db, columns: columns, update: update)
    }
  }

  override func didUpdate(_ updated: PersistenceSuccess) {
    super.didUpdate(updated)
    journal.events.append("didUpdate")
  }

  override func willSave(_ db: Database) throws {
    try super.willSave(db)
    try journal.note("willSave")
  }

  override func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    try journal.surround("save") { try super.aroundSave(db, save: save) }
  }

  override func didSave(_ saved: PersistenceSuccess) {
    super.didSave(saved)
    journal.events.append("didSave")
  }

  override func willDelete(_ db: Database) throws {
    try super.willDelete(db)
    try journal.note("willDelete")
  }

  override func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    try journal.surround("delete") { try super.aroundDelete(db, delete: delete) }
  }

  override func didDelete(deleted: Bool) {
    super.didDelete(deleted: deleted)
    journal.events.append("didDelete \(deleted)")
  }
}

/// A row with columns that the record does not have.
struct RankedPerson: FetchableRecord, TableRecord {
  static let databaseTableName = "person"
  static var databaseSelection: [any SQLSelectable] { [Column("name"), Column("rank")] }
  var text: String

  init(row: Row) {
    let name: String = row["name"]
    let rank: Int = row["rank"]
    text = "\(name) ranks \(rank)"
  }
}
