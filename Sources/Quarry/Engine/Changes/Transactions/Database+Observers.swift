extension Database {
  /// How long an observer observes.
  public enum TransactionObservationExtent: Sendable {
    /// As long as the observer exists: the connection does not keep it.
    case observerLifetime
    /// Until the end of the current or of the next transaction. The connection keeps the observer.
    case nextTransaction
    /// As long as the connection exists. The connection keeps the observer.
    case databaseLifetime
  }

  /// Adds an observer, which is notified from the next statement on.
  ///
  /// An observer that is added twice is notified twice. Read-only connections have nothing to
  /// notify.
  ///
  /// - precondition: It is called in an access to the connection.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    requireAccess()
    if configuration.readonly { return }
    broker.add(transactionObserver, extent: extent)
    observersDidChange()
  }

  /// Removes an observer. Does nothing if it was not added.
  ///
  /// While a savepoint is open, or outside of transactions a cursor of a statement that writes, its
  /// changes so far are still notified when it is released, but not the end of the transaction. An
  /// observer that is removed while the end of a transaction is notified is still called for this
  /// end.
  ///
  /// - precondition: It is called in an access to the connection.
  public func remove(transactionObserver: some TransactionObserver) {
    requireAccess()
    broker.remove(transactionObserver)
    observersDidChange()
  }

  private func requireAccess() {
    precondition(owner.isInAccess, "Database was not used on the correct thread.")
  }

  /// Reports unspecified changes of a region: to observers of the tables in it, which get
  /// ``TransactionObserver/databaseDidChange()`` now, and to observations of the region, which act
  /// at the next commit.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try db.notifyChanges(in: Table("book"))
  /// }
  /// ```
  ///
  /// It is for the changes that SQLite does not report: those by other connections, those of what
  /// virtual tables show, and those of tables `WITHOUT ROWID`, for observers of transactions. Does
  /// nothing where only reads are possible.
  ///
  /// - throws: the error of the region.
  public func notifyChanges(in region: some DatabaseRegionConvertible) throws {
    if isReadOnly { return }
    let tables = try region.databaseRegion(self).normalized(in: self)
    let kinds = try tables.map { table -> [DatabaseEventKind] in
      let columns = try table.columns.map { Array($0.values) } ?? columnNames(of: table)
      return try addingGeneratedColumns(
        to: [DatabaseEventKind](allOfTable: table.name, columns: columns))
    }
    notifyChanges(ofKinds: kinds)
  }

  /// All kinds of changes of the tables of a schema. Others may be locked or damaged, and are not
  /// asked.
  package func eventKinds(inSchema id: DatabaseSchemaID) throws -> [[DatabaseEventKind]] {
    try readObjects(of: id).filter { $0.type == "table" }.map { table -> [DatabaseEventKind] in
      // The module of a virtual table may be missing.
      let columns = try? readColumns(of: DatabaseObjectID(name: table.name, schemaID: id))
      return [DatabaseEventKind](allOfTable: table.name, columns: columns?.map(\.name) ?? [])
    }
  }

  /// Reports unspecified changes.
  package func notifyChanges(ofKinds kinds: [[DatabaseEventKind]]) {
    if isReadOnly || kinds.isEmpty { return }
    broker.witness?.tablesMayChange(kinds.map { $0[0].tableName.identifierKey.text })
    broker.notifyChanges(ofKinds: kinds, areLasting: !isInsideTransaction)
    updateTransactionHooks()
  }

  /// Called after a step for which SQLite has compiled the statement again, for a schema that could
  /// not be read before: it waited for its lock. Changes of kinds that nobody knew of are reported
  /// as unspecified ones.
  func reportUnknownChanges(by statement: Statement) {
    let known = statement.effects.kinds
    statement.renewEffects(self)
    let kinds = statement.effects.kinds.filter { !known.includes($0) }
    notifyChanges(ofKinds: kinds.map { [$0] })
    // The commit may have been none of interest.
    if !kinds.isEmpty, !hasUncommittedChanges { transactionWillEnd(.commit) }
  }

  private func columnNames(of table: TableRegion) throws -> [String] {
    // The temporary schema may not exist yet. Its table has the columns of the one of the main
    // schema.
    let isSchema = table.name == DatabaseSchemaID.temp.schemaTableName
    return try schema.columnNames(
      of: isSchema ? DatabaseSchemaID.main.schemaTableName : table.name)
  }

  /// Has statements and SQLite report to the observers that there are.
  func observersDidChange() {
    broker.sweepRegions()
    if broker.followed.isEmpty, !hasUncommittedChanges { broker.pending.clear() }
    updateObservation()
    updateTransactionHooks()
  }

  /// Has statements report what they do as long as somebody wants to know.
  func updateObservation() {
    owner.isObserved = !broker.isEmpty || broker.recordsRegion || broker.witness != nil
  }
}

extension Database {
  /// Throws when an observer uses the connection that notifies it of a change.
  func checkIsNotNotifying(sql: @autoclosure () -> String?) throws {
    guard broker.isNotifyingChanges else { return }
    throw DatabaseError.misuse(
      "the database can't be used in databaseDidChange, databaseWillChange, databaseWillCommit",
      sql: sql())
  }

  /// Runs the first step, which performs all changes of the statement, and reports them to its
  /// followers.
  func observedStep(_ statement: Statement) -> CInt {
    if broker.witness != nil || !broker.recorders.isEmpty { effectsRecorder.willStep() }
    if broker.witness != nil { witnessChanges(by: statement.effects) }
    guard !statement.effects.changedTables.isEmpty else {
      if statement.effects.isVacuum { return stepObservingRowIDs(statement) }
      return listenIfItMayWrite(to: statement) ? statement.handle.step() : refusal
    }
    guard let sqliteConnection, !isReadOnly,
      let followed = broker.follow(
        statement, (try? announcedKinds(of: statement)) ?? statement.effects.kinds)
    else { return unfollowedStep(statement) }
    if statement.mayTruncate { unsafe recompileStatements(sqliteConnection, for: statement) }
    if statement.effects.changesSchema { willChangeSchema() }
    if broker.followed.isEmpty, !hasUncommittedChanges { broker.pending.clear() }
    let changeCount = broker.pending.changes.count
    let silentRegions =
      engine == nil
      ? silentRegions(of: statement, followed) : noteUnreportedChanges(of: statement, followed)
    let silentChangeCount = totalChangesCount
    let reprepareCount = statement.handle.reprepareCount
    broker.begin(followed)
    updateTransactionHooks()
    let code = unsafe listening(on: sqliteConnection, for: followed) {
      stepFollowed { statement.handle.step() }
    }
    broker.followed.removeLast()
    if code == ResultCode.SQLITE_ROW.rawValue || code == ResultCode.SQLITE_DONE.rawValue {
      let isDone = code == ResultCode.SQLITE_DONE.rawValue
      if !isDone || totalChangesCount != silentChangeCount {
        broker.pending.touch(silentRegions)
        // Another connection may have made a table again.
        if statement.handle.reprepareCount != reprepareCount, engine == nil {
          broker.pending.touch(followed.silentRegions(.none, silentTables(of: statement), schema))
        }
      }
      didChange(followed)
    } else if ResultCode(rawValue: code).primaryResultCode == .SQLITE_CONSTRAINT {
      // `FAIL` keeps what the statement has done, and the rows are not reported either.
      broker.pending.touch(silentRegions)
      broker.failure = FailedStatement(
        statement: followed, changeCount: changeCount,
        keptRowCount: engine == nil ? sqliteChangesCount : 0)
    } else {
      undoChanges(of: FailedStatement(statement: followed, changeCount: changeCount))
    }
    return code
  }

  /// Steps a statement that nobody follows. It may be executed by a function that a followed
  /// statement calls, or between the rows of one that seems to read: its changes are not theirs.
  private func unfollowedStep(_ statement: Statement) -> CInt {
    if broker.followed.isEmpty, broker.listened.isEmpty {
      // The observers may have been cancelled.
      if broker.isEmpty { updateObservation() }
      return statement.handle.step()
    }
    broker.followed.append(FollowedStatement())
    defer { broker.followed.removeLast() }
    return stepFollowed { statement.handle.step() }
  }

  /// Called by virtual tables, whose changes SQLite does not report. Rows without rowid are none
  /// for observers of transactions, as those of tables `WITHOUT ROWID`.
  ///
  /// - parameter replacesRows: Whether the table may have removed other rows.
  package func virtualTableDidChange(_ event: DatabaseEvent, hasRowID: Bool, replacesRows: Bool) {
    guard let statement = broker.followed.last ?? broker.unannouncedChange(of: event.tableName)
    else { return }
    if hasRowID, !statement.followers.isEmpty { broker.pending.append(.row(event, statement)) }
    if statement.hasRegions {
      statement.touchRegions(event, &broker.pending, mayTouchOtherRows: replacesRows)
    }
  }

  func undoChanges(downTo count: Int) {
    broker.pending.undo(downTo: count)
    updateTransactionHooks()
  }

  /// Undoes what a statement has changed, but not what its functions have: in a transaction, SQLite
  /// keeps that where a statement can change one row at most, and has no journal of its own. The
  /// rows of functions in C count as changed by the statement.
  ///
  /// See <https://www.sqlite.org/tempfiles.html#statement_journal_files>.
  private func undoChanges(of failure: FailedStatement) {
    guard failure.statement.hasInnerStatements else {
      return undoChanges(downTo: failure.changeCount)
    }
    broker.pending.undo(failure.statement, downTo: failure.changeCount)
    notifyLastingChanges()
  }

  /// Called when a constraint has failed, once the error is known: what the statement has changed
  /// is undone, unless the conflict resolution algorithm is `FAIL`.
  func undoChanges(of failure: FailedStatement, _ statement: Statement, _ code: ResultCode) {
    guard failure.changeCount < broker.pending.changes.count else {
      return updateTransactionHooks()
    }
    // It reads the schema, which is no occasion to notify the changes that may be undone.
    broker.followed.append(failure.statement)
    let isKept = broker.end.completion == .commit || keepsChanges(of: failure, statement, code)
    broker.followed.removeLast()
    if isKept {
      didChange(failure.statement)
    } else {
      undoChanges(of: failure)
    }
  }

  /// Notes the changes of a statement that an engine executes, before it does: the statement may
  /// commit. Returns the regions that are still to be touched: none.
  private func noteUnreportedChanges(
    of statement: Statement, _ followed: FollowedStatement
  ) -> [RegionObserver] {
    if followed.hasRegions {
      let rows = UnreportedRows.all(mayReplace: mayReplace(statement))
      broker.pending.touch(followed.silentRegions(rows, [:], schema))
    }
    broker.pending.append(.unspecified(followed))
    return []
  }

  private func silentRegions(
    of statement: Statement, _ followed: FollowedStatement
  ) -> [RegionObserver] {
    guard followed.hasRegions else { return [] }
    let rows: UnreportedRows =
      broker.hasPreUpdateHook ? .none : mayReplace(statement) ? .replaced : .withoutRowID
    return followed.silentRegions(rows, silentTables(of: statement), schema)
  }

  /// Notifies the changes of a statement that has succeeded, unless a savepoint or an outer
  /// statement may still undo them.
  func didChange(_ followed: FollowedStatement) {
    followed.touchDefinitions(&broker.pending)
    notifyLastingChanges()
  }

  /// The changes of a statement outside of transactions are lasting when it has committed: one that
  /// returns rows does at its end.
  func notifyLastingChanges() {
    let isCommitAhead = !isInsideTransaction && isWriting
    if broker.followed.isEmpty, !broker.pending.isInsideSavepoint, !isCommitAhead {
      broker.notifyChanges()
    }
    updateTransactionHooks()
  }

  /// The result of a statement that is not stepped, since the application has a preupdate hook.
  private var refusal: CInt { ResultCode.SQLITE_MISUSE.rawValue }

  func listening(
    on connection: SQLiteConnection, for followed: FollowedStatement, _ body: () -> CInt
  ) -> CInt {
    let broker = broker
    let listener: RowListener = { event, values in
      guard broker.followed.last === followed else { return }
      broker.record(event, values, of: followed)
    }
    func listeningToRows() -> CInt {
      if followed.followers.isEmpty, broker.hasPreUpdateHook { return body() }
      return unsafe updateHook.listen(on: connection, during: body, listener)
    }
    guard broker.hasPreUpdateHook, followed.hasRegions || followed.wantsPreUpdates else {
      return listeningToRows()
    }
    let hook = broker.preUpdateHook
    return unsafe hook.listen(on: connection, during: listeningToRows, listener) ?? refusal
  }

  /// Has SQLite compile statements again that it has compiled when nobody followed their deletions:
  /// it does not report those of whole tables.
  ///
  /// See <https://www.sqlite.org/c3ref/set_authorizer.html>.
  private func recompileStatements(_ connection: SQLiteConnection, for statement: Statement) {
    effectsRecorder.hasTruncation = false
    unsafe effectsRecorder.install(on: connection)
    statement.mayTruncate = false
  }
}

/// A statement that has failed, and the number of changes before it.
struct FailedStatement {
  let statement: FollowedStatement
  let changeCount: Int
  /// The number of rows that SQLite counts for the statement: none unless it keeps its changes.
  var keptRowCount = 0
}
