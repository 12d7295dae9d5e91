/// Is called in the transactions of a connection that writes: the seam of `QuarryChanges`.
package protocol TransactionRecorder: AnyObject {
  /// Called when a transaction has begun that may write. If it throws, the transaction is rolled
  /// back.
  func transactionDidBegin(_ db: Database) throws

  /// Called before a statement that commits, while the database can be used. If it throws, the
  /// statement does, and the transaction stays open.
  func transactionWillCommit(_ db: Database) throws

  /// Called when the transaction has ended, before its observers. The database can't be used.
  func transactionDidEnd(_ completion: Database.TransactionCompletion)

  /// Called before tables of the main database are changed without a transaction. If it throws,
  /// they are not.
  ///
  /// - parameter db: Nil in the commit hook, where the database can't be used: a trigger changes
  ///   the tables that was made while the statement waited for the lock.
  func tablesWillChange(_ names: [String], outsideOfTransactionsOf db: Database?) throws

  /// Called before the connection is closed.
  func connectionWillClose()
}

extension Database {
  /// The recorders, in the order of their calls.
  package var recorders: [any TransactionRecorder] {
    get { broker.recorders }
    set { broker.recorders = newValue }
  }

  /// Called after the statement that has begun a transaction, and at the end of ``readOnly(_:)``
  /// when it has begun there.
  func recordersDidBegin() throws {
    if broker.recorders.isEmpty || isReadOnly { return }
    try rollingBackFailure {
      for recorder in broker.recorders { try recorder.transactionDidBegin(self) }
    }
  }

  /// Called before a statement that ends a transaction or a savepoint.
  func recordersWillEnd(_ effects: StatementEffects) throws {
    if broker.recorders.isEmpty || couldOnlyRead || !isInsideTransaction { return }
    guard broker.commits(effects) else { return }
    // Recorders may write, also where the transaction ends inside of `readOnly(_:)`.
    let readOnlyDepth = readOnlyDepth
    self.readOnlyDepth = 0
    defer { self.readOnlyDepth = readOnlyDepth }
    for recorder in broker.recorders { try recorder.transactionWillCommit(self) }
  }

  /// Called before a statement, or a blob, changes tables of the main database, or where it has,
  /// before its commit.
  package func checkRecorders(
    _ tables: @autoclosure () -> [String], isInCommit: Bool = false
  ) throws {
    if broker.recorders.isEmpty || isInsideTransaction || isReadOnly { return }
    let tables = tables()
    if tables.isEmpty { return }
    for recorder in broker.recorders {
      try recorder.tablesWillChange(tables, outsideOfTransactionsOf: isInCommit ? nil : self)
    }
  }
}
