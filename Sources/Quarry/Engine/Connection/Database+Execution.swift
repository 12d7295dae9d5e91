import CSQLite

// The beginning and the end of each execution of a statement.

extension Database {
  /// Called before the first step, inside an access.
  @inline(__always) func willExecute(_ statement: Statement) throws {
    // The rows of a cursor may have ended, while somebody still has the cursor.
    if owner.hasWaitingWork { statementDidEnd() }
    if owner.isObserved { try willExecuteObserved(statement) }
    if !statement.bindings.isReady { try statement.bindings.checkIsReady() }
    if access.isCancelled { throw accessEnd(sql: statement.sql, statement.arguments) }
    if isBackupDestination { throw Self.backupError(sql: statement.sql) }
    if schema.isDoubtful { try resolveDoubt(before: statement) }
    if let effect = statement.effects.transaction { try willExecute(effect, statement) }
    try checkMayRun(statement)
    if readOnlyDepth > 0, statement.effects.mayWrite { try checkOnlyReads(statement) }
    if let engine { try engine.willExecute(statement, in: self) }
  }

  private func willExecute(
    _ effect: StatementEffects.TransactionEffect, _ statement: Statement
  ) throws {
    if isSnapshot { try checkKeepsSnapshot(effect) }
    if statement.effects.isCommitOrRelease {
      try owner.endWritingCursors()
      try recordersWillEnd(statement.effects)
    }
    if effect == .releaseSavepoint { transactions.wasWriting = isWriting }
    transactions.hadBegun = isInsideTransaction
    if transactions.hadBegun { return }
    owner.leavePostponedErrorToAccess()
    transactions.date = nil
    requireSchemaVerification()
    let begins = effect == .begin || effect == .beginSavepoint
    guard begins, statement.isReadonly, !isReadOnly else { return }
    try checkMayRun(statement)
    try schema.deferredTransactionWillBegin()
  }

  /// A rollback is possible in all cases, and what a savepoint releases is not committed yet.
  private func resolveDoubt(before statement: Statement) throws {
    let effects = statement.effects
    let ends: [StatementEffects.TransactionEffect?] = [
      .rollback, .rollbackToSavepoint, .releaseSavepoint,
    ]
    guard !ends.contains(effects.transaction) || broker.commits(effects) else { return }
    try checkMayRun(statement)
    if effects.changesSchema {
      try schema.resolveDoubt(beforeDefinition: statement.sql, in: effects.changedSchemas)
    } else {
      try ignoringCancellation { try schema.resolveDoubt() }
    }
  }

  @inline(__always) private func checkMayRun(_ statement: Statement) throws {
    try checkBlockIsAlive(sql: statement.sql, arguments: statement.arguments)
    if suspension != nil { try checkSuspension(statement) }
  }

  /// Throws in a block, and in a snapshot, whose transaction SQLite has rolled back by itself.
  @inline(__always) func checkBlockIsAlive(
    sql: @autoclosure () -> String?, arguments: @autoclosure () -> StatementArguments?
  ) throws {
    if transactions.blockDepth > 0 || isSnapshot, !isInsideTransaction {
      try checkSnapshot()
      throw error(.SQLITE_ABORT, "Transaction was aborted", sql: sql(), arguments())
    }
  }

  /// Called after the last step of a statement that has effects.
  func didExecute(_ statement: Statement) throws {
    if statement.effects.changesSchema {
      if schema.isDoubtful {
        ignoringCancellation {
          schema.resolveDoubt(afterDefinitionIn: statement.effects.changedSchemas)
        }
      }
      schemaDidChange()
    }
    guard let effect = statement.effects.transaction else { return }
    if !isInsideTransaction {
      transactions.needsRollback = false
      transactions.date = nil
    }
    if transactions.date == nil, isInsideTransaction {
      transactions.mayWrite = !isReadOnly
      transactions.date = Result { try configuration.transactionClock.now(self) }
      broker.isTransactionSavepoint = effect == .beginSavepoint
      try recordersDidBegin()
    }
    try transactionDidEnd(statement, effect)
    if effect == .rollbackToSavepoint {
      endStreams(fromDepth: broker.pending.savepoints.count + 1)
    } else if statement.effects.isCommitOrRelease {
      lowerStreams()
    }
    if effect == .rollback || effect == .rollbackToSavepoint { forgetRolledBackSchema() }
    if !isInsideTransaction { requireSchemaVerification() }
  }

  /// Called when a step fails. Returns the error to throw.
  func didFail(_ statement: Statement, code: CInt) -> any Error {
    defer { mayHaveRolledBack() }
    failureFunction?(statement.expandedSQL)
    // Taken in all cases: what a refused commit has changed is undone with it, and a later failure
    // must not find it.
    let failed = broker.failure.take()
    transactionDidFail(statement)
    if let failure = engine?.failure(of: statement, in: self) { return failure }
    if let conflict = broker.preUpdateHook.takeConflict() {
      return error(.SQLITE_MISUSE, conflict, sql: statement.sql, statement.arguments)
    }
    if let veto = takeVeto() {
      forgetRolledBackSchema()
      return veto
    }
    var error = explainingTokenizer(
      error(
        code: code, sql: statement.sql, arguments: statement.arguments,
        trimmedByteCount: statement.handle.trimmedByteCount))
    // Other statements are reset: SQLite forgets the message.
    if code == SQLITE_INTERRUPT { endInterruptedStatements(except: statement) }
    endUndoneSavepoint(statement)
    if code == SQLITE_INTERRUPT, access.isCancelled {
      return accessEnd(sql: statement.sql, statement.arguments)
    }
    if access.endReason == .task, error.resultCode == .SQLITE_BUSY { return accessEnd() }
    if let failed { undoChanges(of: failed, statement, error.extendedResultCode) }
    if access.isCancelled, error.isThrownCancellation {
      return accessEnd(sql: statement.sql, statement.arguments)
    }
    switch error.resultCode {
    case .SQLITE_CONSTRAINT: explain(&error) { explainConstraint(&$0, of: statement) }
    case .SQLITE_BUSY, .SQLITE_READONLY, .SQLITE_ERROR: explainAccess(&error, of: statement)
    default: break
    }
    forgetSchema(after: error)
    // SQLite has compiled the statement again, for another schema.
    explainNames(&error, sql: statement.sql)
    statements.remove(statement)
    publicStatements.remove(statement)
    return error
  }

  /// Called when SQLite does not compile a statement. Returns the error to throw.
  func didFailToCompile(_ sql: String, code: CInt) -> any Error {
    defer { engine?.didFailToCompile(sql) }
    var error = explainingTokenizer(explainingRefusal(error(code: code, sql: sql)))
    if code == SQLITE_INTERRUPT {
      endInterruptedStatements()
      if access.isCancelled { return accessEnd(sql: sql) }
    }
    if let failure = schema.failureHiding(error) { return failure }
    forgetSchema(after: error)
    explainNames(&error, sql: sql)
    return explainedError(error)
  }

  /// Called after an interruption: SQLite interrupts whatever is started until the last statement
  /// has ended.
  package func endInterruptedStatements(except failed: Statement? = nil) {
    // The end of the first cursor notifies a rollback to observers, who may write.
    endRolledBackStreams()
    owner.interruptCursors()
    let calling = owner.running.first { $0 !== failed && $0.execution.activity == .calling }
    guard calling == nil else { return }
    // A blob can't be read once the statement inside of it is reset.
    for blob in blobs { blob.value?.interrupt() }
    resetForeignStatements()
  }

  /// Resets the statements that virtual tables leave running: full-text tables do so until the end
  /// of a transaction that has written to them. They start these statements again when they need
  /// them.
  private func resetForeignStatements() {
    guard unsafe sqliteConnection != nil else { return }
    unsafe forEachStatement { statement in
      if unsafe sqlite3_stmt_busy(statement) != 0 { unsafe sqlite3_reset(statement) }
    }
  }

  /// The error of a statement, with the message of the full-text tokenizer that has caused it.
  private func explainingTokenizer(_ error: DatabaseError) -> DatabaseError {
    TokenizerFailure.take()?.explaining(error) ?? error
  }

  /// The error of a statement that was interrupted together with another one.
  func interruption(of statement: Statement) -> any Error {
    if access.isCancelled { return accessEnd(sql: statement.sql, statement.arguments) }
    return error(
      .SQLITE_INTERRUPT, "interrupted", sql: statement.sql, statement.arguments)
  }

  /// A statement that does not compile may have been written for a schema that another connection
  /// has changed since.
  func forgetSchema(after error: DatabaseError) {
    guard error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_SCHEMA else { return }
    schema.clear()
    // Nothing would show later that what is known of record types is outdated.
    if schema.hasUnknownVersion { slots.empty() }
  }

  /// Called when a statement, or a blob stream, has failed: SQLite may have rolled the transaction
  /// back, whatever has begun it.
  ///
  /// See <https://www.sqlite.org/lang_transaction.html>.
  package func mayHaveRolledBack() {
    endRolledBackStreams()
    guard transactions.date != nil, !isInsideTransaction else { return }
    transactions.date = nil
    forgetRolledBackSchema()
  }

  /// The rolled back changes may have been changes of the schema.
  private func forgetRolledBackSchema() {
    endRolledBackStreams()
    schema.restart()
    slots.empty()
    requireSchemaVerification()
  }

  /// Has the next look-up verify the schema, which other connections may change from now on.
  func requireSchemaVerification() {
    schema.isVerified = false
    if schema.isDoubtful, !isInsideTransaction { schema.doubts = [] }
    slots.doubtSchema()
  }

  /// Forgets what depends on the schema, which this connection has changed.
  package func schemaDidChange() {
    broker.forgetFollowedRows()
    schemaMayHaveChanged()
  }

  /// Forgets what depends on the schema.
  func schemaMayHaveChanged() {
    schema.restart()
    clearStatementCaches()
  }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  func interrupt() {
    engine?.interrupt()
    unsafe Self.interrupt(interruptible)
  }

  /// Has SQLite forget an interruption that no statement has met: it would stop a checkpoint, also
  /// that of the close. While a statement runs, the interruption is its own, and stays.
  ///
  /// See <https://www.sqlite.org/c3ref/interrupt.html>.
  func forgetInterruption() {
    guard let sqliteConnection else { return }
    // SQLite forgets it when it begins to compile, and this is no statement.
    var statement: OpaquePointer?
    unsafe sqlite3_prepare_v2(sqliteConnection, " ", -1, &statement, nil)
  }

  /// Runs statements while ``interrupt()`` stops those of a connection, or of none.
  func interrupting<T>(_ connection: SQLiteConnection?, _ body: () throws -> T) rethrows -> T {
    let former = unsafe interruptible.withLock { current in
      defer { unsafe current = unsafe connection }
      return unsafe current
    }
    defer { unsafe interruptible.withLock { unsafe $0 = unsafe former } }
    return try body()
  }

  static func interrupt(_ interruptible: Locked<SQLiteConnection?>) {
    unsafe interruptible.withLock { connection in
      if let connection = unsafe connection { unsafe sqlite3_interrupt(connection) }
    }
  }

  /// Throws when the connection is used outside of its access.
  package func checkAccess() throws { guard owner.isInAccess else { throw Self.accessError() } }

  /// The error of a connection that is used outside of its access, or by another thread than the
  /// one of its access.
  ///
  /// - parameter sql: The statement at fault, nil for the connection.
  static func accessError(sql: String? = nil) -> DatabaseError {
    let (thing, wayOut) =
      sql == nil
      ? ("the connection `db`", "use it inside of the closure of `read` or `write` only")
      : ("a statement or its cursor", "fetch inside of the closure, as `fetchAll` does")
    return .misuse("\(thing) was used outside of its access", sql: sql)
      .detailed("the access has ended, or another thread runs it: \(wayOut)")
  }

  /// Runs statements that a cancelled task must still run, such as a rollback.
  func ignoringCancellation<T>(_ body: () throws -> T) rethrows -> T {
    access.ignoranceDepth += 1
    defer { access.ignoranceDepth -= 1 }
    return try body()
  }
}

extension DatabaseError {
  /// Whether a function or tokenizer has thrown the cancellation of its task.
  fileprivate var isThrownCancellation: Bool {
    resultCode == .SQLITE_ERROR && message?.hasSuffix("\(CancellationError())") == true
  }
}
