import Dispatch
import Foundation
import Quarry

/// The writer of a soak, with its observers. The tables are those of the program KillTarget.
final class SoakWriter {
  private static let transactionLimit = 200

  private let soak: Soak
  private let commits = CommitLog()
  private let observed = Shared<Int?>(nil)
  private var cancellable: AnyDatabaseCancellable?

  init(_ soak: Soak) { self.soak = soak }

  static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY, process TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE INDEX entry_number ON entry (process, number);
        CREATE TABLE counter (process TEXT PRIMARY KEY, value INTEGER NOT NULL);
        """)
  }

  static func areWhole(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT (SELECT count(*) FROM entry) = 10 * (SELECT coalesce(sum(value), 0) FROM counter)
        """) ?? false
  }

  static func delete(_ process: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM entry WHERE process = ?", arguments: [process])
    try db.execute(sql: "DELETE FROM counter WHERE process = ?", arguments: [process])
  }

  /// Writes transactions, and deletes them from time to time.
  func run() {
    soak.pool.add(transactionObserver: commits, extent: .databaseLifetime)
    observe()
    while !soak.isOver.value {
      for _ in 1...Self.transactionLimit where !soak.isOver.value { commit() }
      restart()
    }
    cancellable?.cancel()
  }

  /// The number of the last transaction that was acknowledged.
  private var last = 0

  private func commit() {
    let number = last + 1
    let time = ContinuousClock().measure {
      do {
        let commitCount = commits.count.value
        try soak.pool.write { db in try Self.insert(number, db) }
        last = number
        if commits.count.value == commitCount {
          soak.report("the commit of transaction \(number) was not notified")
        }
      } catch {
        soak.report(error, in: "a write")
        // An error of the commit itself does not say whether it took place.
        settle(number)
      }
    }
    soak.state.withLock { $0.writes.add(time) }
  }

  private static func insert(_ number: Int, _ db: Database) throws {
    let value = try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE process = 'own'") ?? 0
    if value != number - 1 { throw Lost(value: value, number: number) }
    for _ in 1...10 {
      try db.execute(
        sql: "INSERT INTO entry (process, number, text) VALUES ('own', ?, ?)",
        arguments: [number, String(repeating: "s", count: 200)])
    }
    try db.execute(sql: "INSERT OR REPLACE INTO counter VALUES ('own', ?)", arguments: [number])
  }

  private struct Lost: Error {
    let value: Int
    let number: Int
  }

  /// After an error, the transaction is there or not.
  private func settle(_ number: Int) {
    for _ in 1...10 {
      do {
        let value = try soak.pool.read { db in
          try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE process = 'own'") ?? 0
        }
        if value == number || value == number - 1 {
          last = value
        } else {
          soak.report("the last transaction is \(value), not \(number) or \(number - 1)")
        }
        return
      } catch {
        soak.report(error, in: "the read after an error")
      }
    }
  }

  /// The observation has seen the last transaction, or has failed. Then all begins again.
  private func restart() {
    let end = Date().addingTimeInterval(60)
    while let value = observed.value, value != last {
      guard Date() < end else {
        soak.report("the observation has seen \(value) instead of \(last)")
        break
      }
      usleep(1000)
    }
    do {
      try soak.pool.write { db in try Self.delete("own", db) }
      last = 0
    } catch {
      soak.report(error, in: "a deletion")
      do {
        last =
          try soak.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE process = 'own'") ?? 0
          }
      } catch {
        soak.report(error, in: "the read after a deletion")
      }
    }
    if observed.value == nil { observe() }
  }

  private func observe() {
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE process = 'own'") ?? 0
    }
    observed.withLock { $0 = 0 }
    cancellable = observation.start(
      in: soak.pool, scheduling: .async(onQueue: DispatchQueue(label: "soak"))
    ) { [soak, observed] error in
      soak.report(error, in: "an observation")
      observed.withLock { $0 = nil }
    } onChange: { [observed] value in
      observed.withLock { $0 = value }
    }
  }
}

/// Counts the commits that it is notified of.
private final class CommitLog: TransactionObserver, Sendable {
  let count = Shared(0)

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == "counter"
  }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { count.withLock { $0 += 1 } }
  func databaseDidRollback(_ db: Database) {}
}
