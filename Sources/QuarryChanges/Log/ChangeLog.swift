public import Foundation
public import Quarry

/// A log of the transactions of a database, which other databases receive, so that all become
/// equal.
///
/// ```swift
/// let log = try ChangeLog(dbQueue, tables: ["author", "book"])
/// try dbQueue.write { db in
///   try db.execute(sql: "UPDATE book SET price = 12 WHERE id = 1")
/// }
/// // What the other one does not have yet.
/// let batch = try log.changes(after: other.cursor(of: log.identity), for: other.identity)
/// try other.receive(batch)
/// try log.acknowledge(batch.position, by: other.identity)
/// ```
///
/// Each transaction that changes the tables adds its changes to the log before it commits, in the
/// same transaction: the log has neither more nor less than the database. What is received is
/// written in one transaction with the note that it was, so that a batch may come twice, or half of
/// it again. It is a part of the log as well, and goes on to others, but not back to its origin.
///
/// Databases that have received the same transactions have the same rows, in whatever order they
/// have received them: see the manual for how. No database is the first among them, and none has to
/// be there all the time.
///
/// The log has tables of its own, whose names begin with its name. They are a part of the database:
/// don't change them.
public final class ChangeLog: Sendable {
  /// The name of the log, and of its table.
  public let name: String

  let writer: any DatabaseWriter
  let tables: LogTables
  let policy: ConflictPolicy
  let clock: LogClock
  private let recording: TransactionRecording

  /// Opens the log of a database, and begins to record transactions. Its tables are created where
  /// they are missing.
  ///
  /// Rows that are there before are not sent: all databases begin with the same ones, or with none.
  /// Migrate before: a migration that changes rows would be logged, and other databases do the same
  /// themselves. Open it once for each connection that writes to the tables, in each process. A
  /// table is in one open log: another one would lack the rows that the first one receives.
  ///
  /// - parameter writer: The database.
  /// - parameter tables: The tables that are logged. All databases have the same ones.
  /// - parameter name: The name of the log.
  /// - parameter identity: The name of the database among the others, when the log is created: a
  ///   random one by default.
  /// - parameter policy: What a row is after several databases have changed it.
  /// - parameter clockTolerance: How far the clock of another database may be ahead. What comes
  ///   from later is not received, since it would win over all that comes from others until then.
  /// - parameter now: The clock.
  /// - throws: ``ChangesetError`` for tables that can't be logged, for a connection that only
  ///   reads, or that has the log or one with a table of it already, inside of a transaction, and
  ///   where SQLite has no sessions; `DatabaseError`.
  public init(
    _ writer: some DatabaseWriter, tables: [String], name: String = "changeLog",
    identity: String? = nil, policy: ConflictPolicy = .lastWriterWins,
    clockTolerance: Duration = .seconds(86_400), now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    self.writer = writer
    self.name = name
    self.policy = policy
    let log = LogTables(name)
    self.tables = log
    clock = LogClock(tolerance: clockTolerance, now: now)
    let local = LocalChanges(log, tables, policy, clock)
    recording = TransactionRecording(
      log: name, tables: tables,
      .init(
        willCommit: { try local.append($0, $1) }, didRollback: { local.forgetSchema() }))
    try writer.unsafeReentrantWrite { [recording] db throws -> Void in
      try recording.check(db)
      try Self.checkIsOnly(name, tables, db)
      try db.inTransaction {
        try Self.checkNames(tables, log)
        _ = try LogSchema(db, tables)
        try log.create(db, identity: identity ?? Self.randomIdentity)
        return .commit
      }
      try recording.start(db, isFirst: true)
    }
    self.local = local
  }

  private let local: LocalChanges

  deinit { recording.deactivate() }

  static var randomIdentity: String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Throws for a second log of the connection with the name or a table of another one.
  private static func checkIsOnly(_ name: String, _ tables: [String], _ db: Database) throws {
    for log in db.recorders.compactMap({ ($0 as? TransactionRecording)?.openLog }) {
      if log.name.lowercasedASCII == name.lowercasedASCII {
        throw ChangesetError(
          .unrecordable,
          "the log \(name) of this database is open already, and another one would log each transaction "
            + "again: use that one, or stop it before")
      }
      let others = log.tables.map(\.lowercasedASCII)
      guard let table = tables.first(where: { others.contains($0.lowercasedASCII) }) else {
        continue
      }
      throw ChangesetError(
        .unrecordable,
        "the log \(name) can't have the table \(table), which the log \(log.name) of this database has: "
          + "it would not know what that one receives and hides. List the table in one log, or stop "
          + "that one before", table: table)
    }
  }

  private static func checkNames(_ tables: [String], _ log: LogTables) throws {
    let own = Set(log.names.map(\.lowercasedASCII))
    guard let table = tables.first(where: { own.contains($0.lowercasedASCII) }) else { return }
    throw ChangesetError(
      .unrecordable, "the table \(table) is one of the log itself, which can't log it",
      table: table)
  }

  /// Stops to record transactions: the changes of later ones are not logged. Those of one that is
  /// open are not, either. A log that is released stops, too.
  public func stop() {
    recording.deactivate()
    writer.unsafeReentrantWrite { [recording] db -> Void in recording.stop(db) }
  }

  /// Runs a transaction that is not recorded, since it writes to the log itself.
  func writingUnrecorded<T>(_ body: (Database, LogSchema) throws -> T) throws -> T {
    try writer.writeWithoutTransaction { db throws -> T in
      recording.isPaused = true
      defer { recording.isPaused = false }
      var result: T?
      try db.inTransaction {
        result = try body(db, local.schema(db))
        return .commit
      }
      guard let result else {
        throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Transaction was aborted")
      }
      return result
    }
  }
}

extension ChangeLog {
  /// The name of the database among the others.
  ///
  /// - throws: A `DatabaseError`.
  public var identity: String {
    get throws { try read { db in try self.tables.state(db).identity } }
  }

  /// The position of the last transaction in the log, 0 where there is none.
  ///
  /// - throws: A `DatabaseError`.
  public var lastPosition: Int64 {
    get throws { try read { db in try self.tables.lastPosition(db) } }
  }

  /// The position in the log of another database up to which this one has received it.
  ///
  /// - throws: A `DatabaseError`.
  public func cursor(of peer: String) throws -> Int64 {
    try read { db in try self.tables.cursor(peer, db) }
  }

  /// For each database that has acknowledged something, the position.
  ///
  /// - throws: A `DatabaseError`.
  public var acknowledgments: [String: Int64] {
    get throws { try read { db in try self.tables.acknowledged(db) } }
  }

  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try writer.unsafeReentrantRead { db throws -> T in
      if db.isInsideTransaction { return try body(db) }
      return try db.inReadTransaction { try body(db) }
    }
  }

  /// Transactions after a position, in the order in which they were committed or received.
  ///
  /// - parameter position: A position, such as the cursor of the one that asks.
  /// - parameter peer: The database that asks: its own transactions are left out.
  /// - parameter limit: How many transactions at most.
  /// - parameter byteLimit: How many bytes of changes at most, nil for any number. One transaction
  ///   is returned all the same.
  /// - throws: ``ChangesetError`` with the code `compacted` where transactions after the position
  ///   are no longer in the log, and with the code `identity` for a position that the log never
  ///   had; `DatabaseError`.
  public func changes(
    after position: Int64, for peer: String? = nil, limit: Int = 1000, byteLimit: Int? = nil
  ) throws -> ChangeBatch {
    try read { db in
      let state = try self.tables.state(db)
      let last = try self.tables.lastPosition(db)
      try self.check(position, last, dropped: state.dropped)
      var (found, end, byteCount): ([LoggedChanges], Int64, Int) = ([], position, 0)
      try self.tables.forEach(after: position, db) { position, changes in
        if peer?.hasSameBytes(as: changes.origin) != true {
          let isFull = byteLimit.map { byteCount + changes.changes.byteCount > $0 } ?? false
          guard found.count < max(limit, 1), found.isEmpty || !isFull else { return false }
          byteCount += changes.changes.byteCount
          found.append(changes)
        }
        end = position
        return true
      }
      return ChangeBatch(
        sender: state.identity, transactions: found, position: end, start: position,
        isLast: end >= last)
    }
  }

  func check(_ position: Int64, _ last: Int64, dropped: Int64) throws {
    guard position <= last else {
      throw ChangesetError(
        .identity,
        "the log \(name) ends at \(last) and never had the position \(position): the database was "
          + "replaced by an older copy. Give it another identity with `renewIdentity`, and receive all again"
      )
    }
    guard position >= dropped else {
      throw ChangesetError(
        .compacted,
        "the log \(name) has no transactions before \(dropped + 1) any more, and those after \(position) "
          + "are asked for. Begin with a copy of the database, and `renewIdentity`")
    }
  }
}
