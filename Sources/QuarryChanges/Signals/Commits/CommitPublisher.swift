import CSQLite
package import Quarry

/// Leaves a message of each commit of a connection, with the tables that may have changed, where
/// that can be proven.
///
/// The commit hook is called while the connection has the lock for writing: no other commit is on
/// its way. The hook of the log is called after the commit, with its last frame, when others may
/// have committed already, and for some commits later. The frame is that of the commit if
///
/// - the log has not begun again meanwhile, as its salts show, since frames of commits are not
///   written again before, and
/// - the log had no commit up to this frame in the commit hook.
///
/// The start of the commit is the commit before it in the log. If the commit itself has begun the
/// log again, it starts where the last one before the commit hook has ended: see `restart`.
/// Otherwise there is no message: others notify all observers.
@safe package final class CommitPublisher: ChangeWitness {
  private let file: SignalFile
  package let author = UInt64.random(in: .min ... .max)
  /// True while nothing is noted.
  var isMuted = false
  /// The tables of the transaction. Nil for any.
  private var pending: Set<String>? = []
  private var hasPending = false
  /// Those of the commit that the hook of the log has not been called for.
  private var committed: (tables: Set<String>?, before: LogState?)?
  private var autocheckpoint = 0
  private var connection: OpaquePointer?

  /// The log at the time of the commit hook.
  private struct LogState {
    let salts: UInt64
    /// The last frame that may be the end of a commit.
    let lastFrame: UInt32
    /// The end of the last commit, where it is known.
    var end: LogPosition?
  }

  package init(_ file: SignalFile) { self.file = file }

  package func tablesMayChange(_ names: [String]?) {
    if isMuted { return }
    committed = nil
    hasPending = true
    guard let names else { return pending = nil }
    pending?.formUnion(names)
  }

  package func transactionWillCommit(others: [String]?) {
    // Nothing announces what C functions of the application do.
    let tables = hasPending ? others.flatMap { pending?.union($0) } : nil
    var before = logState
    // The hook of the log may come for a commit before this one.
    if committed != nil { before?.end = nil }
    committed = (tables, before)
    forgetPending()
  }

  package func transactionDidRollBack() {
    committed = nil
    forgetPending()
  }

  private func forgetPending() {
    pending = []
    hasPending = false
  }

  private var logState: LogState? {
    guard let connection = unsafe connection, let log = unsafe WriteAheadLog(connection) else {
      return nil
    }
    let end = file.lastEnd.flatMap { $0.salts == log.salts ? $0 : nil }
    switch unsafe log.rest(after: end ?? log.start, connection) {
    case .unknown: return nil
    case .commits(let frame): return LogState(salts: log.salts, lastFrame: frame, end: nil)
    case .empty: return LogState(salts: log.salts, lastFrame: end?.frame ?? 0, end: end)
    }
  }
}

extension CommitPublisher {
  /// Begins to publish.
  ///
  /// - throws: `DatabaseError`, also where the connection has a publisher.
  package func start(_ db: Database) throws {
    guard db.changeWitness == nil else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "the connection names the tables of its commits already: cancel these signals "
          + "first")
    }
    guard try String.fetchOne(db, sql: "PRAGMA main.journal_mode") == "wal" else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "tables can only be named with a write-ahead log: use a DatabasePool, or "
          + "Configuration.journalMode = .wal, or signals without namingTables")
    }
    // Of a transaction that has begun before.
    tablesMayChange(nil)
    autocheckpoint = try Int.fetchOne(db, sql: "PRAGMA wal_autocheckpoint") ?? 0
    db.changeWitness = self
    connectionStaysOpen(db)
  }

  package func connectionStaysOpen(_ db: Database) {
    guard let connection = db.sqliteConnection else { return }
    unsafe self.connection = connection
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe sqlite3_wal_hook(
      connection,
      { context, connection, name, frame in
        guard let context = unsafe context, let connection = unsafe connection else { return 0 }
        let publisher = unsafe Unmanaged<CommitPublisher>.fromOpaque(context).takeUnretainedValue()
        unsafe publisher.didCommit(connection, name, frame: frame)
        return SQLITE_OK
      }, unsafe context)
  }

  /// Ends it.
  package func end(_ db: Database) {
    guard db.changeWitness === self else { return }
    db.changeWitness = nil
    connectionWillClose(db)
  }

  package func connectionWillClose(_ db: Database) {
    guard let connection = unsafe connection else { return }
    // It replaces the hook.
    unsafe sqlite3_wal_autocheckpoint(connection, CInt(autocheckpoint))
    unsafe self.connection = nil
  }

  private func didCommit(_ connection: OpaquePointer, _ name: UnsafePointer<CChar>?, frame: CInt) {
    if let name = unsafe name, unsafe String(cString: name) == "main" {
      if let message = unsafe takeMessage(connection, UInt32(frame)) { file.post(message) }
    }
    // As SQLite does by itself without a hook.
    if autocheckpoint > 0, frame >= CInt(autocheckpoint) {
      unsafe sqlite3_wal_checkpoint(connection, name)
    }
  }

  private func takeMessage(_ connection: OpaquePointer, _ frame: UInt32) -> CommitMessage? {
    guard let committed, let before = committed.before else {
      committed = nil
      return nil
    }
    self.committed = nil
    guard let log = unsafe WriteAheadLog(connection), let commit = log.commit(endingAt: frame)
    else { return nil }
    let start =
      log.salts != before.salts
      ? restart(from: before.end, to: commit) : frame > before.lastFrame ? commit.start : nil
    return start.map {
      CommitMessage(start: $0, end: commit.end, author: author, tables: committed.tables)
    }
  }

  /// The start of the first commit of a log, if it is that of this connection, after `end`.
  ///
  /// The commit has not a frame after `end` in the former log, since its frame is none of these. So
  /// it is in the next log, whose first salt is higher by one.
  private func restart(
    from end: LogPosition?, to commit: (start: LogPosition, end: LogPosition)
  ) -> LogPosition? {
    guard let end, commit.start.frame == 0, commit.end.frame <= end.frame,
      UInt32(commit.end.salts >> 32) == UInt32(end.salts >> 32) &+ 1
    else { return nil }
    return end
  }
}

extension SignalFile {
  /// The end of the last commit that there is a message of.
  package var lastEnd: LogPosition? { recentEnd.map { messages(from: $0).last?.end ?? $0 } }
}
