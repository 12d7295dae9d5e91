import Foundation
import Quarry

/// An entry of a transaction, which has several of them.
struct Entry: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var process: String
  var number: Int
  var text: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A database that keeps transactions: their entries, and how many each process has written.
///
/// A line `t <process> <number>` reports a transaction that is committed.
struct Books: Sendable {
  let database: any DatabaseWriter
  let process: String

  init(connection: String, path: String, process: String) throws {
    self.process = process
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.maximumReaderCount = 4
    // Pages are written before the commit as well.
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = 10") }
    switch connection {
    case "pool":
      database = try DatabasePool(path: path, configuration: configuration)
    default:
      if connection == "walQueue" { configuration.journalMode = .wal }
      database = try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS entry (
          id INTEGER PRIMARY KEY, process TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS entry_number ON entry (process, number);
        CREATE TABLE IF NOT EXISTS counter (process TEXT PRIMARY KEY, value INTEGER NOT NULL);
        """)
  }

  func createTables() throws { try database.write(Self.createTables) }

  /// The transactions that processes have written before, and this one.
  func commit(isBatch: Bool = false, _ willCommit: (Int) -> Void = { _ in }) throws {
    let number = try database.write { db in
      let last = try Int.fetchOne(
        db, sql: "SELECT value FROM counter WHERE process = ?", arguments: [process])
      let number = (last ?? 0) + 1
      var entries = (1...(isBatch ? 100 + number % 50 : 10)).map { _ in
        Entry(process: process, number: number, text: String(repeating: "e", count: 300))
      }
      if isBatch {
        try Entry.insert(db, contentsOf: &entries)
      } else {
        for var entry in entries { try entry.insert(db) }
      }
      try db.execute(
        sql: "INSERT OR REPLACE INTO counter VALUES (?, ?)", arguments: [process, number])
      willCommit(number)
      return number
    }
    tell("t \(process) \(number)")
  }

  /// Whether a read sees whole transactions.
  static func areWhole(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT (SELECT count(*) FROM entry) = 10 * (SELECT coalesce(sum(value), 0) FROM counter)
        """) ?? false
  }
}
