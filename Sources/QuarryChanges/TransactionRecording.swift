import Quarry

/// Takes part in the transactions of a connection, and records their changes.
///
/// A session lives from the beginning of a transaction to its end. Its changes are taken before the
/// commit, since they are differences to the rows of the database, and a commit lets other
/// processes write. All methods are called on the thread of the connection.
final class TransactionRecording: @unchecked Sendable {
  struct Actions {
    /// Before the commit, where the database can be written: undone where the commit is refused.
    var willCommit: ((Changeset, Database) throws -> Void)?
    /// After the commit, if there are changes.
    var didCommit: (Changeset, Database) -> Void = { _, _ in }
    /// After a rollback.
    var didRollback: () -> Void = {}
  }

  private let log: String?
  private let tables: [String]?
  private let excluded: [String]
  private let actions: Actions
  private let isActive = Locked(true)
  private var schema: (state: SchemaState, filter: TableFilter)?
  private var session: Session?
  /// The changes of the commit that is on its way.
  private var changes: Changeset?
  /// The number of changes of the connection when they were taken.
  private var changesCount = 0
  /// The changes of commits that are not reported yet.
  private var committed: [Changeset] = []
  private var isReporting = false
  /// Whether the next transaction of the connection is left out.
  var isPaused = false

  /// - parameter log: The name of the log that the recording is for, if any.
  init(log: String? = nil, tables: [String]?, besides excluded: [String] = [], _ actions: Actions) {
    self.log = log
    self.tables = tables
    self.excluded = excluded
    self.actions = actions
  }

  /// Throws where transactions can't be recorded.
  func check(_ db: Database) throws {
    try Session.checkAvailability()
    guard !db.configuration.readonly else {
      throw ChangesetError(
        .unrecordable, "a connection that only reads has no transactions to record")
    }
    guard !db.isInsideTransaction else {
      throw ChangesetError(
        .unrecordable,
        "a recording of transactions can't begin inside of one: create it before the transaction")
    }
  }

  /// The name and the tables of the log that the recording is for, while it goes on.
  var openLog: (name: String, tables: [String])? {
    guard let log, let tables, isActive.withLock({ $0 }) else { return nil }
    return (log, tables)
  }

  func start(_ db: Database, isFirst: Bool = false) throws {
    try check(db)
    _ = try db.inReadTransaction { try filter(db) }
    db.recorders.insert(self, at: isFirst ? 0 : db.recorders.count)
    db.add(transactionObserver: self)
  }

  /// Stops, from any thread: what is left is removed by the next transaction.
  func deactivate() { isActive.withLock { $0 = false } }

  func stop(_ db: Database) {
    deactivate()
    endSession()
    db.recorders.removeAll { $0 === self }
    db.remove(transactionObserver: self)
  }

  private var isOff: Bool { isPaused || !isActive.withLock { $0 } }

  private func endSession() {
    session?.end()
    session = nil
    changes = nil
  }

  /// The filter for the schema as it is, whose tables are checked when it has changed.
  private func filter(_ db: Database) throws -> TableFilter {
    let state = try SchemaState(db)
    if let schema, schema.state == state { return schema.filter }
    let filter = try TableFilter(db, schema: "main", tables: tables, besides: excluded)
    schema = (state, filter)
    return filter
  }
}

extension TransactionRecording: TransactionRecorder {
  func transactionDidBegin(_ db: Database) throws {
    endSession()
    guard isActive.withLock({ $0 }) else { return stop(db) }
    if isPaused { return }
    // Listed tables are checked before the commit: a transaction that is deferred takes no lock
    // here.
    let filter = try tables == nil ? filter(db) : schema?.filter ?? filter(db)
    session = try Session(db, schema: "main", TableFilter(filter))
  }

  func transactionWillCommit(_ db: Database) throws {
    if isOff { return endSession() }
    guard let session else { throw Self.lostSession }
    if changes == nil, !session.filter.hasChanged { return }
    // Those of a commit that has failed were checked, unless rows were changed since.
    let isChecked = changes != nil && changesCount == Session.changesCount(of: db)
    let found = try changes(of: session, checksNulls: !isChecked, db)
    guard changes == nil else {
      // The commit was tried before, and has failed.
      guard changes == found else { throw Self.changedCommit }
      return
    }
    changes = try prepared(found, of: session, db)
    changesCount = Session.changesCount(of: db)
  }

  /// Lets others write what belongs to the changes. Returns all changes.
  private func prepared(
    _ found: Changeset, of session: Session, _ db: Database
  ) throws -> Changeset {
    guard !found.isEmpty, let willCommit = actions.willCommit else { return found }
    // The transaction stays open where the commit is refused, and may be committed again.
    var all = found
    try db.inSavepoint {
      try willCommit(found, db)
      all = try changes(of: session, checksNulls: false, db)
      return .commit
    }
    return all
  }

  private func changes(
    of session: Session, checksNulls: Bool = true, _ db: Database
  ) throws -> Changeset {
    let filter = try filter(db)
    session.filter.base = filter
    let changes = try session.changes(checksNulls: checksNulls)
    // The transaction may have created a virtual table.
    if filter.shadowTables == session.filter.shadowTables { return changes }
    return changes.filtered { !filter.shadowTables.contains($0.table.lowercasedASCII) }
  }

  func transactionDidEnd(_ completion: Database.TransactionCompletion) {
    if completion == .commit, let changes, !changes.isEmpty { committed.append(changes) }
    endSession()
    if completion == .rollback {
      // The version of the schema may come again, with another schema.
      schema = nil
      actions.didRollback()
    }
    // Observers may write before the access ends.
    isPaused = false
  }

  func tablesWillChange(_ names: [String], outsideOfTransactionsOf db: Database?) throws {
    if isOff { return }
    guard let name = try names.first(where: { try records($0, db) }) else { return }
    throw ChangesetError(
      .unrecordable,
      "changes of \(name) are recorded, which is done before a commit: write in a transaction, with "
        + "`write` or `inTransaction`", table: name)
  }

  private func records(_ table: String, _ db: Database?) throws -> Bool {
    let name = table.lowercasedASCII
    if let tables { return tables.contains { $0.lowercasedASCII == name } }
    guard let db, !name.hasPrefix("sqlite_"),
      !excluded.contains(where: { $0.lowercasedASCII == name })
    else { return false }
    return try db.tableExists(table, in: "main")
      && !db.virtualTables(in: "main").contains(name)
      && schema?.filter.shadowTables.contains(name) != true
  }

  func connectionWillClose() { endSession() }

  private static var lostSession: ChangesetError {
    ChangesetError(
      .unrecordable,
      "the changes of the transaction are not recorded: it was begun with the C API, or its connection "
        + "was about to be closed. Roll it back, and use `write` or `inTransaction`")
  }

  private static var changedCommit: ChangesetError {
    ChangesetError(
      .unrecordable,
      "the transaction has changed rows after a commit that failed, whose changes are recorded: roll "
        + "it back, and begin another one")
  }
}

extension TransactionRecording: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}

  /// Refuses a commit by the C API, which has not been prepared.
  func databaseWillCommit() throws {
    guard !isOff, changes == nil, let session, !session.isEmpty else { return }
    throw Self.lostSession
  }

  /// An observer that was notified before may have committed another transaction, as the closure
  /// that is called here may: the order is that of the commits.
  func databaseDidCommit(_ db: Database) {
    if isReporting { return }
    isReporting = true
    defer { isReporting = false }
    while !committed.isEmpty { actions.didCommit(committed.removeFirst(), db) }
  }

  func databaseDidRollback(_ db: Database) {}
}
