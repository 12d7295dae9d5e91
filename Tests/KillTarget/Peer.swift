import Foundation
import Quarry

/// A process that uses a database together with others, as
/// Tests/EngineTests/Access/Pool/PoolProcessTests.swift asks for:
///
///     KillTarget peer <path of the database> transfers <name> <count>
///     KillTarget peer <path of the database> lock
///     KillTarget peer <path of the database> first-write
///     KillTarget peer <path of the database> execute <SQL>
///
/// `transfers` moves 1 from an account to another one and notes it, so many times, each in a
/// transaction: "t <n>" is a transaction that is committed, and "half" one that a read has seen
/// half of. `lock` keeps a transaction open until it can read a line, and so does `first-write`,
/// which inserts a note into an empty write-ahead log.
enum Peer {
  static func run(_ arguments: [String]) throws {
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
    default:
      try pool.write { db in try db.execute(sql: arguments[2]) }
    }
    tell("done")
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
