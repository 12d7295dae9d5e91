import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A process that migrates a database and commits transactions is killed at random moments. Each
/// migration must be there wholly or not at all, and each committed transaction must be there.
///
/// `QUARRY_KILL_ROUNDS` is how often (`.ci/run` sets 200), `QUARRY_KILL_SEED` repeats a run.
@Suite("Killed processes", .serialized)
struct KillTests {
  enum Journal: String, CaseIterable, Sendable {
    case wal, rollback
  }

  @Test(.timeLimit(.minutes(5)), arguments: Journal.allCases)
  func `what was committed survives`(_ journal: Journal) throws {
    let environment = ProcessInfo.processInfo.environment
    let rounds = environment["QUARRY_KILL_ROUNDS"].flatMap(Int.init) ?? 10
    let seed =
      environment["QUARRY_KILL_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
    print("KillTests: QUARRY_KILL_SEED=\(seed) \(journal.rawValue)")
    var generator = SeededGenerator(seed: seed)
    let whole = try withTemporaryDirectory { directory in
      try completeRun(directory + "/library.sqlite", journal)
    }
    var kills = 0
    for round in 1...max(1, rounds / 2) {
      try withTemporaryDirectory { directory in
        let path = directory + "/library.sqlite"
        let target = try KillTarget(path: path, journal: journal.rawValue)
        let line = Int.random(in: 0..<whole.count, using: &generator)
        let delay = useconds_t.random(in: 0..<6000, using: &generator)
        let (lines, isKilled) = target.kill(afterLine: line, delay: delay)
        if isKilled { kills += 1 }
        let comment: Comment = "seed \(seed), round \(round), line \(line), delay \(delay)"
        #expect(lines == Array(whole.prefix(lines.count)), comment)
        try check(path, lines, comment)
        // What was killed goes on.
        if round % 5 == 1 { try check(path, completeRun(path, journal), comment) }
      }
    }
    // A process that ends before it is killed is no kill: most are. In a few rounds, chance
    // decides.
    if rounds >= 100 { #expect(kills * 2 > rounds / 2) }
  }

  /// The lines of a run that is not killed.
  private func completeRun(_ path: String, _ journal: Journal) throws -> [String] {
    let target = try KillTarget(path: path, journal: journal.rawValue)
    let (lines, _) = target.kill(afterLine: .max, delay: 0)
    try #require(lines.last == "done")
    return lines
  }

  private func check(_ path: String, _ lines: [String], _ comment: Comment) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      #expect(lines.isEmpty, comment)
      return
    }
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db throws in
      let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      #expect(integrity == ["ok"], comment)
      try db.checkForeignKeys()
      let migrations = try migrations(db)
      for line in lines where line.hasPrefix("m ") {
        #expect(migrations.contains("m" + line.dropFirst(2)), comment)
      }
      for number in 1...8 {
        try checkMigration(db, number, isApplied: migrations.contains("m\(number)"), comment)
      }
      if migrations.contains("m0") { try checkTransactions(db, lines, comment) }
    }
  }

  private func migrations(_ db: Database) throws -> [String] {
    guard try db.tableExists("grdb_migrations") else { return [] }
    let migrations = try String.fetchAll(
      db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    #expect(migrations == (0..<migrations.count).map { "m\($0)" })
    return migrations
  }

  private func checkMigration(
    _ db: Database, _ number: Int, isApplied: Bool, _ comment: Comment
  ) throws {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE tbl_name LIKE ? ORDER BY name",
      arguments: ["%t\(number)"])
    #expect(names == (isApplied ? ["t\(number)", "t\(number)_value"] : []), comment)
    guard isApplied else { return }
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t\(number)")
    #expect(count == 50 + number, comment)
    let isNotNull = try db.columns(in: "t\(number)")[1].isNotNull
    #expect(isNotNull, comment)
  }

  private func checkTransactions(
    _ db: Database, _ lines: [String], _ comment: Comment
  ) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT number, count(*) FROM entry GROUP BY number")
    let counts = try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        try (row.decode(Int.self, atIndex: 0), row.decode(Int.self, atIndex: 1))
      })
    for line in lines where line.hasPrefix("t ") {
      #expect(Int(line.dropFirst(2)).flatMap { counts[$0] } != nil, comment)
    }
    #expect(counts.values.allSatisfy { $0 % 10 == 0 }, comment)
    let committed = counts.values.reduce(0, +) / 10
    let counter = try Int.fetchOne(db, sql: "SELECT value FROM counter")
    #expect(counter == committed, comment)
  }
}

/// Random numbers that a seed repeats. See <https://prng.di.unimi.it/splitmix64.c>.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
