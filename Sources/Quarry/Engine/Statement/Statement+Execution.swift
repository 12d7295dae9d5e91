extension Statement {
  /// Executes the statement, and forgets its rows, if any.
  ///
  /// ```swift
  /// try statement.execute(arguments: ["score": 1000, "id": 1])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` when arguments don't fit, or when SQLite fails.
  public func execute(arguments: StatementArguments? = nil) throws {
    if let arguments { try setArguments(arguments) }
    try run()
  }

  /// Steps to the end.
  func run() throws {
    try prepareExecution()
    defer { reset() }
    if try start() { while try step() {} }
  }

  /// Ends the current execution, and the claims of its cursor.
  ///
  /// - Throws: ``DatabaseError`` when the statement is calling its user, and the error of an
  ///   execution that writes and was left in the middle of its rows.
  @inline(__always) func prepareExecution() throws {
    if execution.activity != .none { try endOtherExecution() }
    execution.begin()
  }

  private func endOtherExecution() throws {
    try checkIsAllowed()
    try checkIsNotCalling()
    try endExecution()
  }

  /// Begins an execution, and moves to the first row. Returns false when there is none.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, `CancellationError` when the access was
  ///   cancelled.
  @usableFromInline func start() throws -> Bool {
    try checkIsAllowed()
    try owner.database?.use { try $0.willExecute(self) }
    execution.activity = .calling
    owner.running.append(self)
    let code = owner.isObserved ? database.observedStep(self) : handle.step()
    if execution.notesFirstStep { noteFirstStep(code) }
    if columns.refresh(handle) { didRecompile(code) }
    if code == ResultCode.SQLITE_ROW.rawValue { return true }
    try end(code: code)
    return false
  }

  /// Moves to the next row. Returns false at the end.
  func step() throws -> Bool {
    let code = handle.step()
    if code == ResultCode.SQLITE_ROW.rawValue { return true }
    try end(code: code)
    return false
  }

  /// Ends the execution after a step that returned no row.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, `CancellationError` when the access was
  ///   cancelled.
  @inline(never) @usableFromInline func end(code: CInt) throws {
    rows.moving?.use { $0.endDecoding() }
    if effects.mayCommit {
      owner.database?.use { database in
        database.mayHaveCommitted()
        if owner.isObserved { database.didHalt(self, code: code) }
      }
    }
    guard code == ResultCode.SQLITE_DONE.rawValue else {
      // After `SQLITE_BUSY`, another step would execute the statement after all.
      defer { handle.reset() }
      throw database.didFail(self, code: code)
    }
    if !effects.isEmpty { try database.didExecute(self) }
  }

  /// Ends the execution where no error can be thrown. The arguments stay.
  @inline(__always) func reset() { if execution.activity != .none { endExecutionLeniently() } }

  private func endExecutionLeniently() {
    do {
      try endExecution()
    } catch {
      owner.postpone(error)
    }
  }

  /// Ends the execution. The arguments stay.
  ///
  /// - Throws: the error of an execution that writes, and was left in the middle of its rows.
  func endExecution() throws {
    guard execution.activity != .none else { return }
    execution.begin()
    detachMovingRow()
    let error = isReadonly || columnCount == 0 ? nil : endWriting()
    execution.activity = .none
    owner.running.remove(self)
    handle.reset()
    owner.statementDidEnd()
    if let error { throw error }
  }

  /// Steps to the end of an execution that writes and returns rows: what it does counts when it is
  /// done.
  private func endWriting() -> (any Error)? {
    guard handle.isBusy, owner.isInAccess else { return nil }
    execution.activity = .calling
    do {
      while try step() {}
      return nil
    } catch {
      return error
    }
  }

  /// Ends the use of a statement of the library's own requests: its arguments are forgotten, and
  /// the memory of large ones is freed.
  @usableFromInline func release() {
    reset()
    if isInternal, bindings.parameters.count > 0 { bindings.forget() }
  }

  /// Begins another use of a cached statement. An earlier one may have been dropped in the middle
  /// of its rows.
  func startUse() {
    release()
    if bindings.request != nil { bindings.request = nil }
  }

  /// Calls `body`, and ends the use of the statement afterwards.
  package func use<T>(_ body: (Statement) throws -> T) rethrows -> T {
    defer { release() }
    return try body(self)
  }

  /// Calls `body`, and ends the use of the statement when that fails.
  func releasingOnError<T>(_ body: (Statement) throws -> T) rethrows -> T {
    do {
      return try body(self)
    } catch {
      release()
      throw error
    }
  }

  /// SQLite compiled the statement again: maybe because another connection has changed the schema.
  /// It can't do that during a transaction.
  ///
  /// Where the step has failed, nothing is compiled: SQLite still has the message.
  private func didRecompile(_ code: CInt) {
    let database = database
    // Another connection may have made a trigger, or a pragma has enabled foreign keys.
    let isKnown = database.effectsRecorder.hasCompiled(within: effects)
    if !isKnown {
      doubtEffects()
      let hasFailed =
        code != ResultCode.SQLITE_ROW.rawValue && code != ResultCode.SQLITE_DONE.rawValue
      if owner.isObserved, !hasFailed { database.reportUnknownChanges(by: self) }
    }
    announcedKinds = nil
    if database.broker.witness != nil { database.effectsRecorder.didCompileAgain(effects) }
    // One that was compiled for an observer, or a session, may not have been able to before.
    let deletes =
      !isKnown || effects.kinds.contains { if case .delete = $0 { true } else { false } }
    mayTruncate = deletes && database.effectsRecorder.hasTruncation
    if !database.isInsideTransaction { database.requireSchemaVerification() }
  }
}

extension Statement {
  /// Calls `body`, which executes the statement, and returns the effects of the first step, if
  /// there was any.
  func notingFirstStep<T>(_ body: (Statement) throws -> T) rethrows -> (T, StatementFirstStep?) {
    execution.firstStep = nil
    execution.notesFirstStep = true
    defer { execution.notesFirstStep = false }
    let result = try body(self)
    return (result, execution.firstStep)
  }

  private func noteFirstStep(_ code: CInt) {
    execution.firstStep = StatementFirstStep(
      rowID: database.lastInsertedRowID, hasRow: code == ResultCode.SQLITE_ROW.rawValue)
  }
}
