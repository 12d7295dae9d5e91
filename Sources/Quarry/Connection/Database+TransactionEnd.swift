import CSQLite

/// The callbacks that wait for the end of a transaction.
struct TransactionHandlers {
  var onCommit: @Sendable (Database) -> Void
  var onRollback: @Sendable (Database) -> Void
}

/// How SQLite says that a transaction has ended, before the statement that ends it has ended as well.
struct TransactionEndings {
  var handlers: [TransactionHandlers] = []
  /// The end that is not reported yet.
  var completion: Database.TransactionCompletion?

  var areWatched: Bool { !handlers.isEmpty }
}

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
  /// A savepoint that is rolled back does not count: the function waits for the end of its transaction. A statement outside of
  /// transactions is its own transaction. Reads are not: the function waits for a transaction that may write.
  ///
  /// The functions run where the transaction ended, outside of it, in the order of their registration. They can use the
  /// database, and register other functions for the transaction that comes next. A cancellation of the task does not
  /// stop them.
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
    precondition(!configuration.readonly, "Read-only transactions are not notified")
    endings.handlers.append(TransactionHandlers(onCommit: onCommit, onRollback: onRollback))
    updateTransactionHooks()
  }

  /// Has SQLite report the ends of transactions as long as somebody wants to know.
  private func updateTransactionHooks() {
    guard let sqliteConnection else { return }
    guard endings.areWatched else {
      unsafe sqlite3_commit_hook(sqliteConnection, nil, nil)
      unsafe sqlite3_rollback_hook(sqliteConnection, nil, nil)
      return
    }
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_commit_hook(
      sqliteConnection,
      { context in
        unsafe Database.fromHook(context)?.transactionWillEnd(.commit)
        return 0
      }, unsafe context)
    unsafe sqlite3_rollback_hook(
      sqliteConnection, { unsafe Database.fromHook($0)?.willRollback() }, unsafe context)
  }

  private static func fromHook(_ context: UnsafeMutableRawPointer?) -> Database? {
    unsafe context.map { unsafe Unmanaged<Database>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Called by SQLite. A statement that fails outside of a transaction has undone itself: there is nothing to report.
  private func willRollback() {
    endings.completion = nil
    if isInsideTransaction { transactionWillEnd(.rollback) }
  }

  private func transactionWillEnd(_ completion: TransactionCompletion) {
    endings.completion = completion
    owner.hasWaitingWork = true
  }

  /// Called when a statement failed: a commit that fails with its transaction gone is a rollback.
  func transactionDidFail(_ statement: Statement) {
    guard endings.areWatched, !isInsideTransaction else { return }
    switch statement.effects.transaction {
    case .commit, .releaseSavepoint: transactionWillEnd(.rollback)
    default: break
    }
  }

  /// Called after a statement that ends a transaction: SQLite does not call the commit hook for a transaction that wrote nothing.
  func transactionDidEnd(_ effect: StatementEffects.TransactionEffect) {
    guard endings.areWatched, endings.completion == nil, !isReadOnly, !isInsideTransaction else {
      return
    }
    switch effect {
    case .commit, .releaseSavepoint: transactionWillEnd(.commit)
    case .rollback: transactionWillEnd(.rollback)
    case .begin, .beginSavepoint, .rollbackToSavepoint: break
    }
  }

  /// Reports the end of the transaction to the callbacks that wait for it.
  func notifyTransactionEnd() {
    guard let completion = endings.completion, !isInsideTransaction, let sqliteConnection else {
      return
    }
    let handlers = endings.handlers
    endings = TransactionEndings()
    updateTransactionHooks()
    let lastInsertedRowID = lastInsertedRowID
    ignoringCancellation {
      unsafe interrupting(sqliteConnection) {
        for handler in handlers {
          switch completion {
          case .commit: handler.onCommit(self)
          case .rollback: handler.onRollback(self)
          }
        }
      }
    }
    // The statement that ended the transaction may be an insertion, whose author wants to know.
    unsafe sqlite3_set_last_insert_rowid(sqliteConnection, lastInsertedRowID)
  }
}
