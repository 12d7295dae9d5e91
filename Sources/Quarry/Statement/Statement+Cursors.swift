// A cursor shares its statement: the cursor notices that the execution is not its own any more, and asks why.

/// What a statement is doing.
@usableFromInline enum StatementActivity {
  /// Nothing: it is reset.
  case none
  /// Its cursor is between two rows, or after the last one.
  case betweenRows
  /// It is stepped, or its row is decoded. Both may run code of the application, which can't use the statement.
  case calling
}

/// Why the execution of a cursor has ended, other than by the use of its statement.
enum CursorBreak {
  /// A statement of the connection was interrupted.
  case interruption
  /// A transaction was committed, which the writing statement of the cursor has to precede.
  case commit
}

extension Statement {
  /// Throws when the current thread may not use the statement.
  func checkIsAllowed() throws {
    guard !owner.accessThread.isCurrent else { return }
    guard owner.isConnectionGone else { throw Database.accessError(sql: sql) }
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed", sql: sql)
  }

  /// Throws when the statement is calling the code that wants to use it.
  @inline(__always) func checkIsNotCalling() throws {
    if activity == .calling { throw callError() }
  }

  @usableFromInline func callError() -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "a statement can't be used by a function or a record that it is calling", sql: sql)
  }

  /// True when SQLite is in the middle of the rows.
  var isRunning: Bool { activity == .calling || activity == .betweenRows && handle.isBusy }

  /// Ends the execution of a cursor.
  ///
  /// - Throws: the error of an execution that writes.
  func breakCursor(_ reason: CursorBreak) throws {
    cursorBreak = (executionCount, reason)
    try endExecution()
  }

  /// Called for a cursor before its first step, and when its execution is not the current one.
  ///
  /// - Throws: ``DatabaseError`` outside of the access of the cursor, after an interruption, and when the statement was
  ///   executed again.
  func checkIsCurrent(_ execution: Int, access: Int) throws {
    try checkIsAllowed()
    guard access == owner.accessNumber else {
      throw misuse("the cursor was used outside of its access")
    }
    if execution == executionCount { return }
    guard let cursorBreak, cursorBreak.execution == execution else {
      throw misuse("the statement of the cursor was executed again")
    }
    switch cursorBreak.reason {
    case .interruption: throw database.interruption(of: self)
    case .commit: throw misuse("the statement of the cursor was ended by a commit")
    }
  }

  private func misuse(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: message, sql: sql)
  }
}
