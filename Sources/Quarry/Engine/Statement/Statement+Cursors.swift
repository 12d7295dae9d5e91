// A cursor shares its statement: the cursor notices that the execution is not its own any more, and
// asks why.

extension Statement {
  /// Throws when the current thread may not use the statement.
  @inline(__always) func checkIsAllowed() throws { if !owner.isInAccess { throw accessError() } }

  private func accessError() -> DatabaseError {
    owner.isConnectionGone
      ? DatabaseError.misuse("Connection is closed", sql: sql)
      : Database.accessError(sql: sql)
  }

  /// Throws when the statement is calling the code that wants to use it.
  @inline(__always) func checkIsNotCalling() throws {
    if execution.activity == .calling { throw callError() }
  }

  @usableFromInline func callError() -> DatabaseError {
    DatabaseError.misuse(
      "a statement can't be used by a function or a record that it is calling", sql: sql)
  }

  /// True when SQLite is in the middle of the rows.
  var isRunning: Bool { execution.activity == .calling || isBetweenRows && handle.isBusy }

  /// True when a cursor has left the statement between two rows, or after the last one.
  var isBetweenRows: Bool { execution.activity == .betweenRows }

  /// Ends the execution of a cursor.
  ///
  /// - Throws: the error of an execution that writes.
  func breakCursor(_ reason: CursorBreak) throws {
    execution.breakCursor(reason)
    try endExecution()
  }

  /// Called for a cursor before its first step, and when its execution is not the current one.
  ///
  /// - Throws: ``DatabaseError`` outside of the access of the cursor, after an interruption, and
  ///   when the statement was executed again.
  func checkIsCurrent(_ number: Int, access: Int) throws {
    try checkIsAllowed()
    guard access == owner.accessNumber else {
      throw misuse("the cursor was used outside of its access")
    }
    if number == execution.number { return }
    switch execution.breakReason(of: number) {
    case .interruption: throw database.interruption(of: self)
    case .commit: throw misuse("the statement of the cursor was ended by a commit")
    case nil: throw misuse("the statement of the cursor was executed again")
    }
  }

  private func misuse(_ message: String) -> DatabaseError {
    DatabaseError.misuse(message, sql: sql)
  }
}
