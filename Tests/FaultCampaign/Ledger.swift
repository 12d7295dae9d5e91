import Quarry

/// An entry of a transaction, which has several of them.
struct Entry: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  static let writer = belongsTo(Author.self)

  var id: Int64?
  var number: Int
  var text: String
  var authorId: Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The parent of entries.
struct Author: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  static let entries = hasMany(Entry.self)

  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The transactions that have been begun, and those that are acknowledged: the write has returned
/// without error.
final class Ledger: Sendable {
  private struct State {
    /// How many entries each transaction has.
    var entryCounts: [Int: Int] = [:]
    var acknowledged: Set<Int> = []
    /// Those that were rolled back on purpose.
    var undone: Set<Int> = []
  }

  private let state: Shared<State>

  init() { state = Shared(State()) }

  /// A ledger that begins where another one is.
  init(continuing other: Ledger) { state = Shared(other.state.value) }

  func begin(_ number: Int, entryCount: Int) {
    state.withLock { $0.entryCounts[number] = entryCount }
  }

  func acknowledge(_ number: Int) {
    state.withLock { _ = $0.acknowledged.insert(number) }
  }

  func undo(_ number: Int) {
    state.withLock { _ = $0.undone.insert(number) }
  }

  var acknowledgedCount: Int { state.value.acknowledged.count }

  /// The entries of a transaction.
  static func entries(_ number: Int, count: Int) -> [Entry] {
    (0..<count).map { index in
      Entry(
        number: number, text: "entry \(number) \(index) " + String(repeating: "e", count: 180),
        authorId: Int64(index % 3 + 1))
    }
  }

  static func createTables(_ db: Database) throws {
    try db.create(table: "author") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).notNull()
    }
    try db.create(table: "entry") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("number", .integer).notNull().indexed()
      t.column("text", .text).notNull()
      t.belongsTo("author").notNull()
    }
    for name in ["Ada", "Bo", "Cy"] {
      var author = Author(name: name)
      try author.insert(db)
    }
  }

  /// The contradictions between the ledger and a database that is whole.
  func contradictions(_ db: Database) throws -> [String] {
    try Self.readFullTextIndexes(db)
    let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
    let problems = integrity == ["ok"] ? [] : ["the database is corrupt: \(integrity)"]
    return try problems + wrongTransactions(db)
  }

  /// From SQLite 3.44 on, the check looks at full-text indexes. It compares one that another
  /// connection has changed with what this one has read of it before, and finds an error, unless a
  /// query comes first.
  private static func readFullTextIndexes(_ db: Database) throws {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'")
    for name in names {
      _ = try Int.fetchOne(db, sql: "SELECT 1 FROM \(name) WHERE \(name) MATCH 'entry'")
    }
  }

  /// The transactions that are lost, there in part, or there in spite of a rollback.
  func wrongTransactions(_ db: Database) throws -> [String] {
    var problems: [String] = []
    let rows = try Row.fetchAll(db, sql: "SELECT number, count(*) FROM entry GROUP BY number")
    let state = state.value
    var found: Set<Int> = []
    for row in rows {
      let number = try row.decode(Int.self, atIndex: 0)
      let count = try row.decode(Int.self, atIndex: 1)
      found.insert(number)
      if state.entryCounts[number] != count {
        let expected = state.entryCounts[number].map { "\($0)" } ?? "no"
        problems.append("transaction \(number) has \(count) entries of \(expected)")
      }
    }
    for number in state.acknowledged.subtracting(found).sorted() {
      problems.append("the acknowledged transaction \(number) is lost")
    }
    for number in state.undone.intersection(found).sorted() {
      problems.append("transaction \(number) is there, although it was rolled back")
    }
    return problems
  }
}
