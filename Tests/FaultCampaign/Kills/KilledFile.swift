import Foundation
import Quarry

/// A database file whose processes are killed, and what they have reported as done.
struct KilledFile {
  let use: KillUse
  let connection: Connection
  let path: String
  /// The last transaction that each process has reported.
  private var transactions: [String: Int] = [:]
  /// The last migration and the last rebuild that were reported.
  private var migration: Int?
  private var rebuild = 0
  /// The most transactions that an observation has seen.
  private var observedCount = 0

  init(_ use: KillUse, _ connection: Connection, path: String) {
    self.use = use
    self.connection = connection
    self.path = path
  }

  /// How many transactions, migrations and rebuilds were reported.
  var acknowledgedCount: Int {
    transactions.values.reduce(0, +) + rebuild + (migration.map { $0 + 1 } ?? 0)
  }

  /// Reads a line of a process. Returns the problem that it is.
  private mutating func read(_ line: String) -> String? {
    let words = line.split(separator: " ").map(String.init)
    switch (words.first, words.last.flatMap { Int($0) }) {
    case ("t", let number?) where words.count == 3:
      transactions[words[1]] = max(number, transactions[words[1]] ?? 0)
    case ("m", let number?): migration = max(number, migration ?? 0)
    case ("r", let number?): rebuild = max(number, rebuild)
    case ("v", let count?): observedCount = max(count, observedCount)
    case ("done", nil): break
    default: return "a process says: \(line)"
    }
    return nil
  }

  /// The contradictions between the file and the reports.
  func problems() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else {
      return acknowledgedCount == 0 ? [] : ["the file is not there"]
    }
    let queue = try DatabaseQueue(path: path)
    let problems = try queue.inDatabase { db throws -> [String] in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      if integrity != ["ok"] { return ["the database is corrupt: \(integrity)"] }
      try db.checkForeignKeys()
      return try transactionProblems(db) + migrationProblems(db) + rebuildProblems(db)
    }
    try queue.close()
    return problems
  }

  private func transactionProblems(_ db: Database) throws -> [String] {
    guard try db.tableExists("counter") else {
      return transactions.isEmpty ? [] : ["the transactions are lost"]
    }
    var problems: [String] = []
    let counters = try Row.fetchAll(db, sql: "SELECT process, value FROM counter")
    var total = 0
    var last: [String: Int] = [:]
    for row in counters {
      let process = try row.decode(String.self, atIndex: 0)
      let value = try row.decode(Int.self, atIndex: 1)
      last[process] = value
      total += value
      let counts = try Int.fetchAll(
        db, sql: "SELECT count(*) FROM entry WHERE process = ? GROUP BY number ORDER BY number",
        arguments: [process])
      if counts != (1...max(1, value)).map(use.entryCount) {
        problems.append("the \(value) transactions of \(process) have \(counts) entries")
      }
    }
    for (process, number) in transactions {
      let count = last[process] ?? 0
      if count < number {
        problems.append("\(process): \(count) transactions of \(number) are left")
      }
    }
    // One that is not reported yet may be there.
    for (process, number) in last {
      let limit = (transactions[process] ?? 0) + unreportedLimit(process)
      if number > limit { problems.append("\(process): \(number) transactions, not \(limit)") }
    }
    if total < observedCount {
      problems.append("an observation has seen \(observedCount) transactions: \(total) are there")
    }
    return problems
  }

  /// How many transactions of a process may be there that were not reported: one of each kill
  /// since its last report, and the last one.
  private func unreportedLimit(_ process: String) -> Int { (silentKills[process] ?? 0) + 1 }

  /// How many times in a row the processes of a name were killed without a report.
  private var silentKills: [String: Int] = [:]

  /// Reads what a process has written before it was killed. Returns the problems.
  mutating func read(_ lines: [String], of process: String) -> [String] {
    silentKills[process] = lines.isEmpty ? (silentKills[process] ?? 0) + 1 : 0
    return lines.compactMap { read($0) }
  }

  private func migrationProblems(_ db: Database) throws -> [String] {
    guard use == .migrations else { return [] }
    let applied =
      try db.tableExists("grdb_migrations")
      ? String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid") : []
    var problems: [String] = []
    if applied != (0..<applied.count).map({ "m\($0)" }) || applied.count > 9 {
      problems.append("the migrations are \(applied)")
    }
    if let migration, applied.count <= migration {
      problems.append("migration \(migration) is lost: \(applied) are there")
    }
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    let tables = applied.dropFirst().map { "t\($0.dropFirst())" }
    let expected = Set(
      tables + tables.map { "\($0)_value" }
        + (names.contains("grdb_migrations") ? ["grdb_migrations"] : [])
        + (applied.isEmpty ? [] : ["entry", "entry_number", "counter"]))
    if Set(names) != expected { problems.append("the schema has \(names), not \(expected)") }
    for (table, number) in zip(tables, 1...) {
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
      let isRebuilt = try db.columns(in: table)[1].isNotNull
      if count != 50 + number || !isRebuilt { problems.append("\(table) is not whole") }
    }
    return problems
  }

  private func rebuildProblems(_ db: Database) throws -> [String] {
    guard use == .rebuilds, try db.tableExists("item") else {
      return rebuild == 0 ? [] : ["the table item is lost"]
    }
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    let expected = ["counter", "entry", "entry_number", "item", "item_title", "titles"]
    var problems = names == expected ? [] : ["the schema has \(names)"]
    let columns = try db.columns(in: "item").map(\.name)
    let last = columns.count == 2 ? 0 : Int(columns[2].dropFirst("step".count)) ?? -1
    if last < rebuild || last > rebuild + unreportedLimit("a") {
      problems.append("\(last) rebuilds are there, \(rebuild) were reported")
    }
    let isWhole =
      last == 0
      ? try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 80
      : try Int.fetchOne(
        db, sql: "SELECT count(*) FROM item WHERE step\(last) = \(last) AND title LIKE 'item %'")
        == 80
    if !isWhole { problems.append("the table item is not whole after rebuild \(last)") }
    return problems
  }
}
