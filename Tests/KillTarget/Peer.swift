import Dispatch
import Foundation
import Quarry
import QuarryAccess
import QuarryChanges

/// A process that uses a database together with others, as
/// Tests/EngineTests/Access/Pool/PoolProcessTests.swift asks for:
///
///     KillTarget peer <path of the database> transfers <name> <count>
///     KillTarget peer <path of the database> lock
///     KillTarget peer <path of the database> first-write
///     KillTarget peer <path of the database> execute <SQL>
///     KillTarget peer <path of the database> statements
///     KillTarget peer <path of the database> signals
///     KillTarget peer <path of the database> retries queue|wal|pool <name> <seconds>
///
/// `transfers` moves 1 from an account to another one and notes it, so many times, each in a
/// transaction: "t <n>" is a transaction that is committed, and "half" one that a read has seen
/// half of. `lock` keeps a transaction open until it can read a line, and so does `first-write`,
/// which inserts a note into an empty write-ahead log. `statements` executes each line that it
/// reads, and says when it had committed, in nanoseconds of the clock of the machine. `signals`
/// does so, too, and names the tables of its commits. `retries` lends books for so many seconds, as
/// the manual says for several processes: its lines are the number of transactions, and the errors
/// before.
enum Peer {
  static func run(_ arguments: [String]) throws {
    if arguments[1] == "retries" {
      try retry(arguments[0], arguments[2], arguments[3], Double(arguments[4]) ?? 0)
      return tell("done")
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    let pool = try DatabasePool(path: arguments[0], configuration: configuration)
    switch arguments[1] {
    case "transfers":
      for number in 1...(Int(arguments[3]) ?? 0) {
        try pool.write { db in try transfer(db, arguments[2], number) }
        tell("t \(number)")
        if try !pool.read(isWhole) { tell("half") }
        if number.isMultiple(of: 5) {
          _ = try? pool.writeWithoutTransaction { db in try db.checkpoint() }
        }
      }
    case "lock":
      try pool.write { db in
        tell("locked")
        _ = readLine()
      }
    case "first-write":
      _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
      try pool.write { db in
        try db.execute(sql: "INSERT INTO note (text) VALUES ('first')")
        tell("locked")
        _ = readLine()
      }
    case "statements", "signals":
      let signals =
        arguments[1] == "signals"
        ? try pool.notifyChangesOfOtherProcesses(namingTables: true) : nil
      defer { signals?.cancel() }
      while let sql = readLine() {
        try pool.write { db in try db.execute(sql: sql) }
        tell("\(DispatchTime.now().uptimeNanoseconds)")
      }
    default:
      try pool.write { db in try db.execute(sql: arguments[2]) }
    }
    tell("done")
  }

  private static func retry(
    _ path: String, _ kind: String, _ process: String, _ seconds: Double
  ) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    if kind == "wal" { configuration.journalMode = .wal }
    let database: any DatabaseWriter =
      kind == "pool"
      ? try DatabasePool(path: path, configuration: configuration)
      : try DatabaseQueue(path: path, configuration: configuration)
    let end = ContinuousClock.now + .seconds(seconds)
    var count = 0
    while .now < end {
      do {
        try database.write(retry: .whenLocked) { db in
          try db.execute(sql: "INSERT INTO loan (process) VALUES (?)", arguments: [process])
          try db.execute(sql: "UPDATE book SET copies = copies + 1 WHERE id = 1")
        }
        count += 1
        _ = try database.read(retry: .whenLocked) { db in
          try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM loan WHERE process = ?", arguments: [process])
        }
      } catch {
        tell("\(error)")
      }
    }
    tell("\(count)")
  }

  /// What each transaction keeps.
  private static func isWhole(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT (SELECT SUM(balance) FROM account) = 1000000
          AND (SELECT balance FROM account WHERE id = 2) = (SELECT COUNT(*) FROM transfer)
        """) ?? false
  }

  private static func transfer(_ db: Database, _ process: String, _ number: Int) throws {
    try db.execute(sql: "UPDATE account SET balance = balance - 1 WHERE id = 1")
    try db.execute(sql: "UPDATE account SET balance = balance + 1 WHERE id = 2")
    try db.execute(sql: "INSERT INTO transfer VALUES (?, ?)", arguments: [process, number])
  }
}
