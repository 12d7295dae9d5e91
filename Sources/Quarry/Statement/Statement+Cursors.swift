// What happens to a cursor behind its back. The cursor notices that the execution is not its own any more, and asks why.

/// Why an execution can't go on as if nothing had happened.
enum CursorBreak {
  /// Its access has ended.
  case suspension
  /// Another statement of the connection was interrupted.
  case interruption
}

extension Statement {
  /// Throws when the current thread may not use the statement.
  func checkIsAllowed() throws {
    guard !owner.accessThread.isCurrent else { return }
    guard owner.isConnectionGone else { throw Database.accessError }
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed", sql: sql)
  }

  /// Called at the end of an access.
  func suspendCursor() {
    guard isRunning, suspendedExecution == nil else { return }
    breakExecution(.suspension)
    detachMovingRow()
  }

  /// Called when the connection is interrupted.
  func interruptCursor() {
    guard isRunning else { return }
    let execution = suspendedExecution ?? executionCount
    reset()
    cursorBreak = (execution, .interruption)
  }

  /// True for an execution that can go on in another access.
  func isSuspended(_ execution: Int) -> Bool { suspendedExecution == execution }

  private var suspendedExecution: Int? {
    guard let (execution, reason) = cursorBreak, reason == .suspension,
      execution &+ 1 == executionCount
    else { return nil }
    return execution
  }

  /// Called for a cursor whose execution is not the current one. Goes on after a suspension.
  ///
  /// - Throws: ``DatabaseError`` outside of an access, after an interruption, and when the statement was executed again.
  func resume(_ execution: Int) throws {
    try checkIsAllowed()
    if isSuspended(execution) {
      cursorBreak = nil
      return
    }
    if let cursorBreak, cursorBreak == (execution, .interruption) {
      throw database.interruption(of: self)
    }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "the statement of the cursor was executed again", sql: sql)
  }
}
