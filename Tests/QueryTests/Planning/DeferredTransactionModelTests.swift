import Quarry
import QuarryTestSupport
import Testing

/// Random deferred transactions, while other connections give the tables other keys.
///
/// The databases have no write-ahead log: nobody changes a schema that a transaction has locked. So
/// what a transaction has found and made when it commits is that of the keys at its end.
@Suite("Random deferred transactions", .timeLimit(.minutes(10)))
struct DeferredTransactionModelTests {
  @Test func `what is committed was found by the keys of the end`() throws {
    let run = RandomRun("Deferred transactions")
    try withTemporaryDirectory { directory in
      var (number, commits, refusals) = (0, 0, 0)
      try run.repeated(seconds: 2) { generator in
        number += 1
        let model = try DeferredTransactionModel("\(directory)/\(number)", generator)
        try model.run()
        #expect(model.faults == [], "QUARRY_RANDOM_SEED=\(run.seed): \(model.log)")
        commits += model.commitCount
        refusals += model.refusalCount
      }
      print("Deferred transactions: \(commits) committed, \(refusals) refused")
      #expect(commits > 0)
    }
  }
}

private final class DeferredTransactionModel {
  /// The tables: of the main database, of one that is attached, and of the connection.
  private enum Name: String, CaseIterable {
    case book, film, loan

    func qualified(_ name: String) -> String {
      switch self {
      case .book: name
      case .film: "archive." + name
      case .loan: "temp." + name
      }
    }
  }

  private struct Item: Codable, FetchableRecord, TableRecord {
    var a: Int
    var b: Int
    var text: String
  }

  private struct Finding {
    var name: Name
    var key: Int
    var text: String
  }

  private static let rows = [(1, 2), (2, 3), (3, 1)]

  private var generator: any RandomNumberGenerator
  private let library: DatabaseQueue
  private let others: [Name: DatabaseQueue]
  /// The key of each table: one of its two columns.
  private var keys: [Name: String] = [.book: "a", .film: "a", .loan: "a"]
  private var findings: [Finding] = []
  /// The views and tables that have the row of a key.
  private var copies: [(copy: String, isView: Bool, name: Name, key: Int)] = []
  private var copyCount = 0
  private var hasChanged = false

  private(set) var log: [String] = []
  private(set) var faults: [String] = []
  private(set) var commitCount = 0
  private(set) var refusalCount = 0

  init(_ path: String, _ generator: any RandomNumberGenerator) throws {
    self.generator = generator
    others = try [.book: DatabaseQueue(path: path), .film: DatabaseQueue(path: path + "-archive")]
    for (name, other) in others {
      try other.write { db in try db.execute(sql: Self.creation(of: name.rawValue, key: "a")) }
    }
    library = try DatabaseQueue(path: path)
    try library.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS archive", arguments: [path + "-archive"])
      try db.execute(sql: Self.creation(of: "temp.loan", key: "a"))
    }
  }

  private static func creation(of table: String, key: String) -> String {
    let columns = ["a", "b"].map { "\($0) INTEGER\($0 == key ? " PRIMARY KEY" : "")" }
    let values = rows.map { "(\($0), \($1), '\($0)\($1)')" }
    return """
      CREATE TABLE \(table) (\(columns.joined(separator: ", ")), text TEXT);
      INSERT INTO \(table) VALUES \(values.joined(separator: ", "));
      """
  }

  private func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  private func isLucky(_ chances: Int) -> Bool { number(below: chances) == 0 }

  private func text(_ name: Name, _ key: Int) -> String {
    let row = Self.rows.first { (keys[name] == "a" ? $0.0 : $0.1) == key }
    return row.map { "\($0.0)\($0.1)" } ?? ""
  }

  private func compare(_ text: String?, _ name: Name, _ key: Int, _ place: String) {
    if text == self.text(name, key) { return }
    faults.append(
      "\(place): \(name) \(key) is \(text ?? "missing"), by the key \(keys[name] ?? "")")
  }

  /// Gives a table of a file another key, unless it is locked.
  private func changeKey() throws {
    let name = isLucky(2) ? Name.book : .film
    let key = keys[name] == "a" ? "b" : "a"
    do {
      try others[name]?.write { db in
        try db.execute(
          sql: """
            DROP TABLE \(name.rawValue);
            \(Self.creation(of: name.rawValue, key: key))
            """)
      }
      keys[name] = key
      hasChanged = true
      log.append("\(name) has the key \(key)")
    } catch DatabaseError.SQLITE_BUSY {
      log.append("\(name) is locked")
    }
  }
}

extension DeferredTransactionModel {
  func run() throws {
    try library.inDatabase { db in
      for _ in 0..<6 where faults.isEmpty {
        for _ in 0..<number(below: 3) { try fetchOutside(db) }
        try runTransaction(db)
        try fetchOutside(db)
      }
    }
  }

  private func fetchOutside(_ db: Database) throws {
    let (name, key) = (anyName(), anyKey())
    let text: String? = try Table(name.rawValue).filter(key: key).fetchOne(db)?["text"]
    compare(text, name, key, "outside")
  }

  private func anyName() -> Name { Name.allCases[number(below: 3)] }
  private func anyKey() -> Int { number(below: 3) + 1 }

  private func runTransaction(_ db: Database) throws {
    (findings, copies) = ([], [])
    if isLucky(3) { try changeKey() }
    hasChanged = false
    do {
      try db.beginTransaction(.deferred)
      log.append("begin")
      for _ in 0...number(below: 6) {
        if isLucky(3) { try changeKey() }
        try isLucky(5) ? runSavepoint(db) : runStep(db)
      }
      try db.commit()
      commitCount += 1
      log.append("commit")
      try compareAll(db)
    } catch DatabaseError.SQLITE_SCHEMA {
      refusalCount += 1
      log.append("refused")
      if !hasChanged { faults.append("refused without a change") }
      if db.isInsideTransaction { try db.rollback() }
    }
  }

  private func compareAll(_ db: Database) throws {
    for finding in findings { compare(finding.text, finding.name, finding.key, "found") }
    for (copy, isView, name, key) in copies {
      compare(try String.fetchOne(db, sql: "SELECT text FROM \(copy)"), name, key, copy)
      // Others may drop its table from now on.
      if isView { try db.execute(sql: "DROP VIEW \(copy)") }
    }
  }

  private func runSavepoint(_ db: Database) throws {
    let outer = copies
    let isKept = isLucky(2)
    log.append("savepoint")
    try db.inSavepoint {
      for _ in 0..<number(below: 3) { try runStep(db) }
      return isKept ? .commit : .rollback
    }
    log.append(isKept ? "kept" : "undone")
    if !isKept { copies = outer }
  }

  private func runStep(_ db: Database) throws {
    let (name, key) = (anyName(), anyKey())
    let request = Table<Item>(name.rawValue).filter(key: key)
    let step = number(below: 7)
    log.append("step \(step) of \(name) \(key)")
    copyCount += 1
    switch step {
    case 0: note(try request.fetchAll(db), name, key)
    case 1:
      let items = try request.updateAndFetchAll(db, [Column("text").set(to: Column("text"))])
      note(items, name, key)
    case 2:
      try db.create(view: name.qualified("view\(copyCount)"), as: request)
      copies.append((name.qualified("view\(copyCount)"), true, name, key))
    case 3:
      try db.create(view: "view\(copyCount)", options: .temporary, as: request)
      copies.append(("view\(copyCount)", true, name, key))
    case 4:
      try db.execute(literal: "CREATE TEMP TABLE \(sql: "copy\(copyCount)") AS \(request)")
      copies.append(("copy\(copyCount)", false, name, key))
    case 5: try db.execute(sql: "CREATE TABLE \(name.qualified("more\(copyCount)")) (id)")
    default:
      let error = databaseError { try db.execute(sql: "SELECT nothing FROM \(name.rawValue)") }
      if error?.resultCode == .SQLITE_SCHEMA { throw DatabaseError(resultCode: .SQLITE_SCHEMA) }
    }
  }

  private func note(_ items: [Item], _ name: Name, _ key: Int) {
    for item in items { findings.append(Finding(name: name, key: key, text: item.text)) }
  }
}
