import CSQLite
import Foundation

// What happens around the execution of a statement.

extension Database {
  /// Called before the first step.
  func willExecute(_ statement: Statement) throws {
    try checkAccess()
    try statement.checkHasArguments()
    try access.checkCancellation()
    if transactions.blockDepth > 0, !isInsideTransaction {
      throw DatabaseError(
        resultCode: .SQLITE_ABORT, message: "Transaction was aborted", sql: statement.sql,
        arguments: statement.arguments,
        publicStatementArguments: configuration.publicStatementArguments)
    }
  }

  /// Called after the last step of a statement that has effects.
  func didExecute(_ statement: Statement) throws {
    if statement.effects.changesSchema { schemaDidChange() }
    guard let effect = statement.effects.transaction else { return }
    if effect == .begin || !isInsideTransaction { transactions.date = nil }
    // The rolled back changes may have been changes of the schema.
    if effect == .rollback || effect == .rollbackToSavepoint { schema.clear() }
  }

  /// Called when a step fails. Returns the error to throw.
  func didFail(_ statement: Statement, code: CInt) -> any Error {
    if code == SQLITE_INTERRUPT, access.isCancelled { return CancellationError() }
    let error = error(code: code, sql: statement.sql, arguments: statement.arguments)
    statements.remove(sql: statement.sql)
    return error
  }

  /// Forgets what depends on the schema.
  func schemaDidChange() {
    schema.clear()
    clearStatementCaches()
  }

  /// Stops the statements that are running: they throw `SQLITE_INTERRUPT`.
  func interrupt() {
    if let sqliteConnection { sqlite3_interrupt(sqliteConnection) }
  }

  /// Throws when the connection is used outside of its access.
  func checkAccess() throws {
    guard access.isAllowed else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "Database was not used on the correct thread.")
    }
  }

  /// Runs statements that a cancelled task must still run, such as a rollback.
  func ignoringCancellation<T>(_ body: () throws -> T) rethrows -> T {
    access.cancellationIgnoranceDepth += 1
    defer { access.cancellationIgnoranceDepth -= 1 }
    return try body()
  }
}
