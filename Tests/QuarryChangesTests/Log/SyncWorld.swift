import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// A database with a log, and a clock that the test sets.
final class SyncPeer {
  static let tables = ["team", "member", "badge"]
  static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, size REAL);
    CREATE TABLE member (
      id TEXT PRIMARY KEY NOT NULL, teamId INTEGER REFERENCES team ON DELETE CASCADE,
      email TEXT, phone TEXT, bossId TEXT REFERENCES member ON DELETE SET NULL, note,
      UNIQUE (email), UNIQUE (phone, teamId));
    CREATE TABLE badge (
      color TEXT NOT NULL, number INTEGER NOT NULL, memberId TEXT REFERENCES member,
      PRIMARY KEY (number, color)) WITHOUT ROWID;
    """

  static let teams = "SELECT id, name, size FROM team ORDER BY id"

  let name: String
  let queue: DatabaseQueue
  let clock = Locked(Date(timeIntervalSince1970: 1_000_000))
  private(set) var log: ChangeLog!
  let policy: ConflictPolicy

  init(
    _ name: String, policy: ConflictPolicy = .lastWriterWins, schema: String = SyncPeer.schema,
    tables: () -> [String] = { SyncPeer.tables }
  ) throws {
    self.name = name
    self.policy = policy
    queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: schema) }
    try open(tables())
  }

  /// A copy of the file of another one, with an identity of its own.
  init(_ name: String, copying original: DatabaseQueue) throws {
    self.name = name
    policy = .lastWriterWins
    queue = try DatabaseQueue()
    try original.backup(to: queue)
    try open()
    try log.renewIdentity(name)
  }

  /// Opens the log again, as after a restart of the program.
  func open(_ tables: [String] = SyncPeer.tables) throws {
    let clock = clock
    log?.stop()
    log = try ChangeLog(
      queue, tables: tables, identity: name, policy: policy, now: { clock.withLock { $0 } })
  }

  func write(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    clock.withLock { $0 += 1 }
    try queue.write { db in try db.execute(sql: sql, arguments: arguments) }
  }

  /// Receives all that another one has.
  func receive(_ other: SyncPeer, limit: Int = 1000) throws {
    while true {
      let batch = try other.log.changes(
        after: log.cursor(of: other.name), for: name, limit: limit)
      try log.receive(batch)
      try other.log.acknowledge(batch.position, by: name)
      if batch.isLast { return }
    }
  }

  /// The rows of a query as texts.
  func rows(_ sql: String) throws -> [String] {
    try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map(\.description).joined(separator: " ")
      }
    }
  }

  func tables() throws -> [String: [Row]] {
    try queue.read { db in
      try db.snapshot(besides: Set(["", "_version", "_peer", "_state"].map { "changeLog" + $0 }))
    }
  }

  /// The transactions of the log.
  func transactions(after position: Int64 = 0) throws -> [LoggedChanges] {
    try log.changes(after: position, limit: .max).transactions
  }
}

/// Exchanges all that there is, until all have all.
func exchange(_ peers: [SyncPeer]) throws {
  for _ in 0..<peers.count {
    for peer in peers {
      for other in peers where other !== peer { try peer.receive(other) }
    }
  }
}

func makePeers(
  _ count: Int, policy: ConflictPolicy = .lastWriterWins
) throws -> [SyncPeer] {
  try ["A", "B", "C"].prefix(count).map { try SyncPeer($0, policy: policy) }
}

func expectEqual(_ peers: [SyncPeer], _ sql: String, _ rows: [String]) throws {
  for peer in peers { try #expect(peer.rows(sql) == rows, "\(peer.name)") }
}
