import CSQLite
import Foundation

// What happens around the execution of a statement.

extension Database {
  /// Called before the first step, inside an access.
  func willExecute(_ statement: Statement) throws {
    // The rows of a cursor may have ended, while somebody still has the cursor.
    if epilogue.isNeeded { statementDidEnd() }
    if !statement.isReady { try statement.checkHasArguments() }
    try access.checkCancellation()
    if let effect = statement.effects.transaction { try willExecute(effect) }
    try checkBlockIsAlive(sql: statement.sql, arguments: statement.arguments)
    if suspension != nil { try checkSuspension(statement) }
    if readOnlyDepth > 0, statement.mayWrite { try checkOnlyReads(statement) }
  }

  private func willExecute(_ effect: StatementEffects.TransactionEffect) throws {
    if effect == .commit || effect == .releaseSavepoint { try owner.endWritingCursors() }
    guard !isInsideTransaction else { return }
    transactions.date = nil
    doubtSchema()
  }

  /// Throws in a block whose transaction SQLite has rolled back behind its back.
  func checkBlockIsAlive(
    sql: @autoclosure () -> String?, arguments: @autoclosure () -> StatementArguments?
  ) throws {
    guard transactions.blockDepth > 0, !access.runsNecessaryStatements, !isInsideTransaction
    else { return }
    throw DatabaseError(
      resultCode: .SQLITE_ABORT, message: "Transaction was aborted", sql: sql(),
      arguments: arguments(), publicStatementArguments: configuration.publicStatementArguments)
  }

  /// Called after the last step of a statement that has effects.
  func didExecute(_ statement: Statement) throws {
    if statement.effects.changesSchema { schemaDidChange() }
    guard let effect = statement.effects.transaction else { return }
    if transactions.date == nil, isInsideTransaction {
      transactions.date = Result { try configuration.transactionClock.now(self) }
    }
    transactionDidEnd(effect)
    if effect == .rollback || effect == .rollbackToSavepoint { forgetRolledBackSchema() }
    if !isInsideTransaction { doubtSchema() }
  }

  /// Called when a step fails. Returns the error to throw.
  func didFail(_ statement: Statement, code: CInt) -> any Error {
    transactionDidFail(statement)
    if code == SQLITE_INTERRUPT {
      owner.interruptCursors()
      if access.isCancelled { return CancellationError() }
    }
    let error = error(
      code: code, sql: statement.sql, arguments: statement.arguments,
      trimmedByteCount: statement.handle.trimmedByteCount)
    forgetSchema(after: error)
    // SQLite may have rolled the transaction back.
    if transactions.blockDepth > 0, !isInsideTransaction { forgetRolledBackSchema() }
    statements.remove(statement)
    publicStatements.remove(statement)
    return error
  }

  /// The error of a statement that was interrupted together with another one.
  func interruption(of statement: Statement) -> any Error {
    if access.isCancelled { return CancellationError() }
    return DatabaseError(
      resultCode: .SQLITE_INTERRUPT, message: "interrupted", sql: statement.sql,
      arguments: statement.arguments,
      publicStatementArguments: configuration.publicStatementArguments)
  }

  /// What does not compile may have been compiled for a schema that another connection has changed since.
  func forgetSchema(after error: DatabaseError) {
    if error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_SCHEMA { schema.clear() }
  }

  /// The rolled back changes may have been changes of the schema.
  private func forgetRolledBackSchema() {
    schema.restart()
    persistenceCache.clear()
    doubtSchema()
  }

  /// Other connections may change the schema from now on: what is known of it has to be verified.
  func doubtSchema() {
    schema.isVerified = false
    persistenceCache.forgetLast()
  }

  /// Forgets what depends on the schema.
  func schemaDidChange() {
    schema.restart()
    clearStatementCaches()
  }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  func interrupt() {
    Self.interrupt(interruptible)
  }

  static func interrupt(_ interruptible: Locked<SQLiteConnection?>) {
    interruptible.withLock { connection in
      if let connection { sqlite3_interrupt(connection) }
    }
  }

  /// Throws when the connection is used outside of its access.
  func checkAccess() throws {
    guard owner.accessThread.isCurrent else { throw Self.accessError() }
  }

  static func accessError(sql: String? = nil) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_MISUSE, message: "Database was not used on the correct thread.", sql: sql)
  }

  /// Runs statements that a cancelled task must still run, such as a rollback.
  func ignoringCancellation<T>(_ body: () throws -> T) rethrows -> T {
    access.beginIgnoringCancellation()
    defer { access.endIgnoringCancellation() }
    return try body()
  }
}
