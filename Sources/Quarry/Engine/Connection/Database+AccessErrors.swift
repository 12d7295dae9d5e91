import CSQLite

// SQLite reports a lock, a refused write, or a transaction inside another one: which setting or
// method is the way out depends on the connection.

extension Database {
  /// Adds the way out of an error that concerns the access or its transaction.
  func explainAccess(_ error: inout DatabaseError, of statement: Statement) {
    switch error.resultCode {
    case .SQLITE_BUSY where error.message?.hasSuffix("SQL statements in progress") == true:
      error.addDetails(
        "a blob stream that writes, or a statement, is still open: close it first")
    case .SQLITE_BUSY where access.endReason == .deadline: explainDeadline(&error)
    case .SQLITE_BUSY: error.addDetails(busyDetails(of: statement))
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY:
      error.addDetails(readOnlyDetails)
    case _ where statement.effects.transaction == .begin && isInsideTransaction:
      error.addDetails(
        "`write`, `read` or `inTransaction` has opened one: `inSavepoint` nests in it, and "
          + "`writeWithoutTransaction` opens none")
    default: break
    }
  }

  /// The error of a function of SQLite that does not execute a statement.
  func explainedError(_ error: DatabaseError) -> any Error {
    switch (error.resultCode, access.endReason) {
    case (.SQLITE_INTERRUPT, .some), (.SQLITE_BUSY, .task): return accessEnd()
    case (.SQLITE_BUSY, .deadline):
      var error = error
      explainDeadline(&error)
      return error
    default: return error
    }
  }

  private func explainDeadline(_ error: inout DatabaseError) {
    error.accessLimit = .deadline
    error.addDetails("another connection had locked the database when the deadline passed")
  }

  /// The way to wait for another connection.
  private func busyDetails(of statement: Statement) -> String {
    if statement.effects.mayWrite, isUpgrading(statement) {
      return "the transaction has read before it writes: begin it with the kind .immediate"
    }
    return busyDetails
  }

  var busyDetails: String {
    let holder = "another connection has locked the database"
    guard case .timeout(let seconds) = configuration.busyMode else {
      return "\(holder): `busyMode = .timeout(5)` in the configuration waits for it"
    }
    return "\(holder) for longer than the \(seconds) seconds of `busyMode`"
  }

  /// Whether the transaction has read, and begins to write. It can't after another connection has
  /// written: the statement fails at once, whatever the busy mode.
  ///
  /// See <https://www.sqlite.org/isolation.html>.
  private func isUpgrading(_ statement: Statement) -> Bool {
    let changed = statement.effects.changedSchemas.map { DatabaseSchemaID(name: $0.text) }
    return isInsideTransaction
      && (changed.isEmpty ? [.main] : changed).contains { lockState(of: $0) == SQLITE_TXN_READ }
  }

  /// The way to write where only reads are possible. Nil for a file that can't be written.
  var readOnlyDetails: String? {
    guard isReadOnly else { return nil }
    return configuration.readonly && !configuration.readsForPool
      ? "the connection only reads: use `write`, with a configuration that is not `readonly`"
      : "the access only reads: use `write`"
  }
}
