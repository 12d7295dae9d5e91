import CSQLite

/// Something that SQLite calls: a function or a collation, added to a connection or removed from it.
protocol Registration {
  /// Returns the code of SQLite: `SQLITE_BUSY` for what can't be replaced while statements are running.
  func apply(to connection: SQLiteConnection) -> CInt
}

extension Database {
  /// Applies a registration, at once or when the running statements have ended.
  func register(_ registration: some Registration) {
    guard let sqliteConnection else { return }
    applyPendingRegistrations()
    // The order matters: the last one wins.
    guard pendingRegistrations.isEmpty else { return postpone(registration) }
    let code = registration.apply(to: sqliteConnection)
    precondition(code != SQLITE_MISUSE, "invalid name, or invalid number of arguments")
    if code == SQLITE_BUSY { postpone(registration) }
  }

  private func postpone(_ registration: some Registration) {
    pendingRegistrations.append(registration)
    epilogue.isNeeded = true
  }

  /// Applies what had to wait, as far as the running statements allow.
  func applyPendingRegistrations() {
    guard let sqliteConnection else { return }
    while let registration = pendingRegistrations.first,
      registration.apply(to: sqliteConnection) != SQLITE_BUSY
    {
      pendingRegistrations.removeFirst()
    }
  }
}

extension Database {
  /// Called after a statement has ended, when there is something to do.
  func statementDidEnd() {
    applyPendingRegistrations()
    epilogue.isNeeded = !pendingRegistrations.isEmpty
    notifyTransactionEnd()
  }
}
