import CSQLite
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport

/// Connections to one file that name the tables of their commits, or don't.
final class SignalWorld {
  let path: String
  /// The connection that is notified.
  let receiver: DatabaseQueue
  let commits: NamedCommits
  private var publishers: [NamedCommits] = []

  init(_ directory: String, schema: String) throws {
    path = directory + "/library.sqlite"
    receiver = try DatabaseQueue(path: path, configuration: Self.configuration)
    try receiver.write { db in try db.execute(sql: schema) }
    commits = try NamedCommits(SignalFile(database: path))
    try receiver.writeWithoutTransaction { [commits] db in try commits.publisher.start(db) }
  }

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(600)
    configuration.journalMode = .wal
    return configuration
  }

  /// Another connection.
  func open(namingTables: Bool = true) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    if namingTables {
      let commits = try NamedCommits(SignalFile(database: path))
      try queue.writeWithoutTransaction { db in try commits.publisher.start(db) }
      publishers.append(commits)
    }
    return queue
  }

  /// What is notified, once it is decided.
  func look() throws -> NamedCommits.Outcome {
    var outcome = NamedCommits.Outcome.none
    repeat {
      outcome = outcome.joined(
        with: try receiver.writeWithoutTransaction { [commits] db in try commits.notify(db) })
      if !commits.isComplete { usleep(1000) }
    } while !commits.isComplete
    return outcome
  }
}

extension NamedCommits.Outcome {
  func joined(with other: Self) -> Self {
    switch (self, other) {
    case (.all, _), (_, .all): .all
    case (.tables(let tables), .tables(let others)): .tables(tables.union(others))
    case (.tables, _): self
    default: other
    }
  }

  func covers(_ tables: Set<String>) -> Bool {
    switch self {
    case .all: true
    case .tables(let names): tables.isSubset(of: names)
    case .none, .waiting: tables.isEmpty
    }
  }
}

extension Database {
  /// Executes SQL by the functions of C.
  func executeInC(_ sql: String) throws {
    let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
