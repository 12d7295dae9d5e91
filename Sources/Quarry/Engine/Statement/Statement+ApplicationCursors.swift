// The cursors of applications: classes that conform to `DatabaseCursor`. The library keeps nothing
// in them, so the statement knows which cursor has begun which execution.
//
// Nobody reports that such a cursor is gone, and C code may reset the statement between two steps.
// So
//
// - the connection keeps the statement while it runs, and ends an execution whose cursor is gone
//   before the next statement begins: see `ConnectionOwner.endDroppedCursors()`;
// - the next step of a statement that was reset begins again, as `sqlite3_step` does.

/// An execution that a cursor of the application has begun.
struct ApplicationExecution {
  /// Identifies the cursor: the address of one that is gone may be that of another one.
  weak var cursor: AnyObject?
  let number: Int
  let access: Int
  /// The error that the cursor throws for ever.
  var failure: (any Error)?
}

extension Statement {
  /// Moves a cursor of the application to its next row, and lets it read the row until
  /// ``applicationDidRead()``. Returns false after the last row, when the execution has ended.
  ///
  /// - Throws: ``DatabaseError`` when SQLite fails, or when the cursor can't go on.
  @usableFromInline func step(_ cursor: AnyObject) throws -> Bool {
    try checkIsAllowed()
    try checkIsNotCalling()
    guard let index = applicationExecutions.firstIndex(where: { $0.cursor === cursor }) else {
      return try begin(cursor)
    }
    if let failure = applicationExecutions[index].failure { throw failure }
    try checkIsCurrent(
      applicationExecutions[index].number, access: applicationExecutions[index].access)
    guard handle.isBusy else {
      // C code has reset the statement, which commits what it has written.
      if effects.mayCommit { database.mayHaveCommitted() }
      return try begin(cursor)
    }
    execution.activity = .calling
    return try running(cursor) { try step() }
  }

  /// Ends the reading of a row.
  @usableFromInline func applicationDidRead() {
    if execution.activity == .calling { execution.activity = .betweenRows }
  }

  /// True when the cursor of the current execution is one of the application, and gone.
  var hasDroppedCursor: Bool {
    guard isBetweenRows else { return false }
    return applicationExecutions.contains { $0.number == execution.number && $0.cursor == nil }
  }

  private func begin(_ cursor: AnyObject) throws -> Bool {
    try prepareExecution()
    applicationExecutions.removeAll { $0.cursor == nil || $0.cursor === cursor }
    applicationExecutions.append(
      ApplicationExecution(
        cursor: cursor, number: execution.number, access: owner.accessNumber))
    let hasRow = try running(cursor) {
      // There is no way to ask SQLite whether C code has bound the parameters.
      let wasReady = bindings.isReady
      try bindings.assumeIsReady()
      defer { bindings.isReady = wasReady }
      return try start()
    }
    if hasRow { owner.keep(self) }
    return hasRow
  }

  /// Calls `body`, which steps the statement, and ends the execution of the cursor after the last
  /// row.
  private func running(_ cursor: AnyObject, _ body: () throws -> Bool) throws -> Bool {
    do {
      if try body() { return true }
    } catch {
      if let index = applicationExecutions.firstIndex(where: { $0.cursor === cursor }) {
        applicationExecutions[index].failure = error
      }
      reset()
      throw error
    }
    applicationExecutions.removeAll { $0.cursor === cursor }
    reset()
    return false
  }
}

extension ConnectionOwner {
  /// Keeps a statement until its execution ends.
  func keep(_ statement: Statement) {
    keptStatements.append(statement)
    hasWaitingWork = true
  }

  /// Ends the executions of the application's cursors that are gone, and forgets the statements
  /// that have ended.
  func endDroppedCursors() {
    guard !keptStatements.isEmpty else { return }
    let statements = keptStatements
    // The end of a statement comes back here.
    keptStatements = []
    for statement in statements where statement.hasDroppedCursor { statement.reset() }
    keptStatements += statements.filter { $0.execution.activity != .none }
  }
}
