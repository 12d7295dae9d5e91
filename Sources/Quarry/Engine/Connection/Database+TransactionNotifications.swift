import CSQLite

extension Database {
  /// Calls a function after the current transaction, or else after the next one: once.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try Player.deleteAll(db)
  ///   db.afterNextTransaction { db in
  ///     print("players are deleted for good")
  ///   } onRollback: { db in
  ///     print("players are still there")
  ///   }
  /// }
  /// ```
  ///
  /// A savepoint that is rolled back does not count: the function waits for the end of its
  /// transaction. A statement outside of transactions is its own transaction. Reads are not: the
  /// function waits for a transaction that may write.
  ///
  /// The functions run where the transaction ended, outside of it, in the order of their
  /// registration. They can use the database, and register other functions for the transaction that
  /// comes next. A cancellation of the task does not stop them.
  ///
  /// - precondition: The connection is not read-only.
  /// - parameter onCommit: Called after a commit.
  /// - parameter onRollback: Called after a rollback, also when SQLite itself rolls back.
  ///
  /// See <https://www.sqlite.org/c3ref/commit_hook.html>.
  public func afterNextTransaction(
    onCommit: @escaping @Sendable (Database) -> Void,
    onRollback: @escaping @Sendable (Database) -> Void = { _ in }
  ) {
    precondition(!isReadOnly, "Read-only transactions are not notified")
    afterCurrentTransaction { db, completion in
      if completion == .commit { onCommit(db) } else { onRollback(db) }
    }
  }

  /// Calls a function after the current transaction, also where only reads are possible for the
  /// moment.
  func afterCurrentTransaction(
    _ didEnd: @escaping @Sendable (Database, TransactionCompletion) -> Void
  ) { add(transactionObserver: TransactionHandler(didEnd), extent: .nextTransaction) }
}

/// A function that waits for the end of a transaction.
private final class TransactionHandler: TransactionObserver {
  private let didEnd: @Sendable (Database, Database.TransactionCompletion) -> Void

  init(_ didEnd: @escaping @Sendable (Database, Database.TransactionCompletion) -> Void) {
    self.didEnd = didEnd
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { didEnd(db, .commit) }
  func databaseDidRollback(_ db: Database) { didEnd(db, .rollback) }
}

// SQLite says how a transaction ends before the statement that ends it has ended as well. Then,
// observers are notified.

extension Database {
  /// Has SQLite report the ends of transactions as long as somebody wants to know.
  func updateTransactionHooks() {
    let isWatched = broker.watchesTransactions || engine != nil
    guard let sqliteConnection, isWatched != broker.hasTransactionHooks else { return }
    broker.hasTransactionHooks.toggle()
    guard broker.hasTransactionHooks else {
      unsafe sqlite3_commit_hook(sqliteConnection, nil, nil)
      unsafe sqlite3_rollback_hook(sqliteConnection, nil, nil)
      return
    }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_commit_hook(
      sqliteConnection,
      { unsafe Unmanaged<Database>.context($0)?.willCommit() == false ? 1 : 0 }, unsafe context)
    unsafe sqlite3_rollback_hook(
      sqliteConnection, { unsafe Unmanaged<Database>.context($0)?.willRollback() }, unsafe context)
  }

  /// Called by SQLite. Returns false to roll back.
  private func willCommit() -> Bool {
    if engine?.isCopyingSchema == true { return true }
    broker.notifyChanges()
    do {
      try broker.notifyWillCommit()
      try checkRecorders(effectsRecorder.mainTablesOfOthers, isInCommit: true)
      try engine?.commit()
      witnessCommit()
      transactionWillEnd(.commit)
      return true
    } catch {
      broker.end.veto = error
      return false
    }
  }

  /// Called by SQLite. A statement that fails outside of a transaction has undone itself: there is
  /// nothing to report, unless a commit was announced.
  private func willRollback() {
    if engine?.isCopyingSchema == true { return }
    engine?.rollBack()
    broker.pending.clear()
    broker.witness?.transactionDidRollBack()
    broker.end.completion = nil
    if couldOnlyRead, !broker.end.isAnnounced { return }
    if isInsideTransaction || broker.end.isAnnounced { transactionWillEnd(.rollback) }
  }

  /// Whether the transaction that ends is none for observers: one that has begun where writes are
  /// possible may end inside of ``readOnly(_:)``.
  var couldOnlyRead: Bool { isReadOnly && !transactions.mayWrite }

  func transactionWillEnd(_ completion: TransactionCompletion) {
    broker.end.completion = completion
    owner.hasWaitingWork = true
  }

  /// Called when a statement failed: a commit that fails with its transaction gone is a rollback,
  /// unless there was no transaction.
  func transactionDidFail(_ statement: Statement) {
    if isInsideTransaction {
      // A commit that has failed can be tried again.
      broker.end.completion = nil
      return
    }
    guard broker.hasTransactionHooks, transactions.hadBegun || broker.end.isAnnounced else {
      return
    }
    if statement.effects.isCommitOrRelease { transactionWillEnd(.rollback) }
  }

  /// Rolls back where SQLite has undone all changes, since it failed to commit, but stays inside of
  /// their savepoint: what follows would be committed without them.
  func endUndoneSavepoint(_ statement: Statement) {
    guard statement.effects.transaction == .releaseSavepoint, transactions.wasWriting,
      isInsideTransaction, !isWriting
    else { return }
    try? rollback()
  }

  /// The error of the observer that has refused the commit of a statement, or of a blob stream,
  /// once the transaction is rolled back: SQLite does not do that where the transaction began with
  /// a savepoint.
  package func takeVeto() -> (any Error)? {
    guard let veto = broker.end.veto.take() else { return nil }
    try? rollback()
    return veto
  }

  /// Called after a statement that begins or ends a transaction or a savepoint.
  ///
  /// - Throws: the error of the observer that refuses the commit of a transaction that wrote
  ///   nothing: SQLite does not call its hook.
  func transactionDidEnd(_ statement: Statement, _ effect: StatementEffects.TransactionEffect)
    throws
  {
    updateSavepoints(effect, statement.effects.savepointName)
    guard broker.hasTransactionHooks, broker.end.completion == nil, !couldOnlyRead,
      !isInsideTransaction
    else { return }
    switch effect {
    case .commit, .releaseSavepoint: try emptyTransactionDidCommit()
    case .rollback: transactionWillEnd(.rollback)
    case .begin, .beginSavepoint, .rollbackToSavepoint: break
    }
  }

  private func updateSavepoints(_ effect: StatementEffects.TransactionEffect, _ name: String?) {
    switch (effect, name) {
    case (.beginSavepoint, let name?): broker.pending.beginSavepoint(name)
    case (.releaseSavepoint, let name?): broker.pending.releaseSavepoint(name)
    case (.rollbackToSavepoint, let name?): broker.pending.rollbackToSavepoint(name)
    default: break
    }
    if !isInsideTransaction {
      broker.pending.forgetSavepoints()
    } else if !broker.pending.isInsideSavepoint, broker.followed.isEmpty {
      broker.notifyChanges()
    }
  }

  private func emptyTransactionDidCommit() throws {
    broker.notifyChanges()
    do {
      try broker.notifyWillCommit()
    } catch {
      transactionWillEnd(.rollback)
      throw error
    }
    transactionWillEnd(.commit)
  }
}

extension Database {
  /// Reports the end of the transaction to all observers, in the order of their registration.
  ///
  /// They can use the database, and begin transactions, which are notified completely before the
  /// next observer is: so nothing of the transaction that has ended is left when the first one is
  /// called.
  func notifyTransactionEnd() {
    guard let completion = broker.end.completion, !isInsideTransaction, let sqliteConnection else {
      return
    }
    // Observers are outside of the blocks in which the transaction has ended.
    let (blockDepth, readOnlyDepth) = (transactions.blockDepth, readOnlyDepth)
    (transactions.blockDepth, self.readOnlyDepth) = (0, 0)
    defer { (transactions.blockDepth, self.readOnlyDepth) = (blockDepth, readOnlyDepth) }
    if broker.hidingTables != nil {
      // It executes statements, whose end is not that of the transaction.
      broker.end.completion = nil
      if completion == .commit {
        touchRegionsOfHiddenTables()
        broker.touchRegionsOfMissingTables()
      }
    }
    if !broker.end.concernsRegionsOnly {
      for recorder in broker.recorders { recorder.transactionDidEnd(completion) }
    }
    let witnesses = broker.endTransaction(completion)
    updateObservation()
    updateTransactionHooks()
    if witnesses.isEmpty { return }
    let lastInsertedRowID = lastInsertedRowID
    // A rollback is not, nor a transaction of an observer, which may end between the rows of its
    // cursor.
    let mayBeInterrupted = !access.ignoresCancellation
    shadowingChanges {
      ignoringCancellation {
        // A cursor that is open would let an interruption of the commit last.
        if mayBeInterrupted, access.cancellation?.isCancelled == true { endInterruptedStatements() }
        unsafe interrupting(sqliteConnection) {
          owner.leavingErrorsToAccess {
            broker.notifying(nil) { for witness in witnesses { witness.notify(self) } }
          }
        }
      }
    }
    // The statement that ended the transaction may be an insertion, whose author wants to know.
    unsafe sqlite3_set_last_insert_rowid(sqliteConnection, lastInsertedRowID)
  }
}
