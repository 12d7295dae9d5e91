package import Quarry

/// The commits of other connections and processes, with the tables that they have changed.
///
/// A message proves what the commits between two positions of the log have changed. Messages that
/// follow each other from the last position that was notified, up to one after which the log has no
/// visible commit, prove it for all of them. In all other cases, all observers are notified:
///
/// - a commit without a message, of another program or of a process that was killed,
/// - a log that has begun again without a message, and a database without log,
/// - changes of the schema.
///
/// Positions are those of messages: their commits were visible when they were written. The end of a
/// commit in the file is none before, since it may stay invisible.
package final class NamedCommits: @unchecked Sendable {
  // The variables are those of the accesses to the connection.
  private let file: SignalFile
  package let publisher: CommitPublisher
  private var version: Int?
  private var schema: Int?
  /// All commits of others up to this position are notified.
  private var position: LogPosition?
  private var awaited: AwaitedCommit?
  private var patience = Patience()
  /// Whether nothing was left to notify by the last call.
  package private(set) var isComplete = true

  /// A commit in the log that may have been visible with a version of the data, and whose message
  /// is not there yet.
  private struct AwaitedCommit {
    let version: Int?
    let salts: UInt64
    let frame: UInt32
  }

  package enum Outcome: Hashable, Sendable {
    /// Nothing to notify.
    case none
    /// The observers of these tables, or of all, are notified.
    case tables(Set<String>)
    case all
    /// There is a commit whose message may come.
    case waiting
  }

  package init(_ file: SignalFile) {
    self.file = file
    publisher = CommitPublisher(file)
  }

  /// Notifies the observers of what others have committed since the last call.
  @discardableResult
  package func notify(_ db: Database) throws -> Outcome {
    // In a transaction that was left open, the version does not move.
    guard !db.isInsideTransaction else { return .none }
    isComplete = true
    // Before the versions, so that they see what is visible now.
    let end = file.lastEnd
    let seenSchema = try Int.fetchOne(db, sql: "PRAGMA main.schema_version")
    let seen = try Int.fetchOne(db, sql: "PRAGMA main.data_version")
    if seen == version {
      settle(seen, seenSchema, end ?? position)
      return .none
    }
    if version != nil, position != nil, schema == seenSchema {
      switch try changes(db, seen) {
      case .tables(let tables, let end, let version):
        try notify(tables, db)
        settle(version, seenSchema, end)
        isComplete = version == seen
        return tables.map { $0.isEmpty ? .none : .tables($0) } ?? .all
      case .unknown:
        if patience.waits() {
          isComplete = false
          return .waiting
        }
        patience.gaveUp()
      }
    }
    try notify(nil, db)
    settle(seen, seenSchema, end)
    return .all
  }

  private func settle(_ version: Int?, _ schema: Int?, _ position: LogPosition?) {
    (self.version, self.schema, self.position) = (version, schema, position)
    awaited = nil
  }

  private enum Changes {
    /// The tables, nil for any, that all commits up to a position have changed, and a version of
    /// the data that has no others.
    case tables(Set<String>?, LogPosition, version: Int?)
    case unknown
  }

  private func changes(_ db: Database, _ seen: Int?) throws -> Changes {
    guard let position, let connection = db.sqliteConnection else { return .unknown }
    let messages = file.messages(from: position)
    let end = messages.last?.end ?? position
    guard let version = unsafe provenVersion(connection, seen, [position] + messages.map(\.end))
    else { return .unknown }
    patience.renew()
    let others = messages.filter { $0.author != publisher.author }
    let tables = others.reduce(Set() as Set<String>?) { tables, message in
      message.tables.flatMap { tables?.union($0) }
    }
    // After the messages: no commit among them has changed the schema unseen.
    let isSame = try Int.fetchOne(db, sql: "PRAGMA main.schema_version") == schema
    return .tables(isSame ? tables : nil, end, version: version)
  }

  /// A version of the data whose commits all are before the last one of some positions.
  private func provenVersion(
    _ connection: OpaquePointer, _ seen: Int?, _ positions: [LogPosition]
  ) -> Int? {
    guard let end = positions.last, let log = unsafe WriteAheadLog(connection) else { return nil }
    switch unsafe log.rest(after: end, connection) {
    case .empty: return seen
    case .unknown: break
    case .commits(let frame):
      if awaited == nil { awaited = AwaitedCommit(version: seen, salts: log.salts, frame: frame) }
    }
    guard let awaited, let last = positions.last(where: { $0.salts == awaited.salts }) else {
      return nil
    }
    // Where a log follows, none of the former one is missing.
    let isThere = last.frame >= awaited.frame || last != end
    return isThere ? awaited.version : nil
  }
}

extension NamedCommits {
  private func notify(_ tables: Set<String>?, _ db: Database) throws {
    if tables?.isEmpty == true { return }
    try db.inReadTransaction {
      // Nothing that the publisher has to name: others know it already.
      publisher.isMuted = true
      defer { publisher.isMuted = false }
      if let tables {
        for table in try observedTables(tables, db) { try db.notifyChanges(in: Table(table)) }
      } else {
        try db.notifyChanges(in: .fullDatabase)
      }
    }
  }

  /// Some tables, and those that change with others: virtual tables with their shadow tables, and
  /// those of SQLite.
  private func observedTables(_ tables: Set<String>, _ db: Database) throws -> Set<String> {
    let others = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM main.sqlite_master AS t
        WHERE type = 'table' AND (rootpage = 0 OR name GLOB 'sqlite_*' OR EXISTS (
          SELECT 1 FROM main.sqlite_master AS v WHERE v.type = 'table' AND v.rootpage = 0
          AND substr(t.name, 1, length(v.name) + 1) = v.name || '_'))
        """)
    return tables.union(others).union(db.moduleTables)
  }
}
