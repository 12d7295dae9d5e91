import CSQLite

/// Something that SQLite calls: a function or a collation, added to a connection or removed from
/// it.
protocol Registration {
  /// The name that statements use.
  var name: String { get }

  /// Returns the code of SQLite: `SQLITE_BUSY` for what can't be replaced while statements are
  /// running.
  func apply(to connection: SQLiteConnection) -> CInt
}

extension Database {
  /// Applies a registration, at once or when the running statements have ended.
  func register(_ registration: some Registration) {
    guard let sqliteConnection else { return }
    broker.forgetFollowedRows()
    applyPendingRegistrations()
    // The order matters: the last one wins.
    if pendingRegistrations.isEmpty, unsafe apply(registration, to: sqliteConnection) { return }
    pendingRegistrations.append(registration)
    owner.hasWaitingWork = true
  }

  /// Returns false while statements are running.
  ///
  /// A refusal of SQLite can't be thrown here, since `add` does not throw. It is remembered for the
  /// statement that misses it: see ``explainingRefusal(_:)``.
  private func apply(_ registration: any Registration, to connection: SQLiteConnection) -> Bool {
    if let engine {
      let refusal = engine.refusal(of: "Swift code in statements")
      refusals[registration.name.identifierKey] = "\(refusal)"
      return true
    }
    let code = unsafe registration.apply(to: connection)
    if let function = registration as? FunctionRegistration {
      unsafe didApply(function, code, to: connection)
    }
    return code != SQLITE_BUSY
  }

  private func didApply(
    _ function: FunctionRegistration, _ code: CInt, to connection: SQLiteConnection
  ) {
    switch code {
    case SQLITE_OK:
      // SQLite only compiles statements again for another function with the same number of
      // arguments. See <https://www.sqlite.org/c3ref/set_authorizer.html>.
      unsafe effectsRecorder.install(on: connection)
      if addedFunctions != nil {
        addedFunctions = nil
        slots.empty()
      }
    case SQLITE_MISUSE:
      refusals[function.name.identifierKey] =
        "SQLite has refused the function: \(function.refusal)"
    default: break
    }
  }

  /// Applies what had to wait, as far as the running statements allow.
  func applyPendingRegistrations() {
    guard let sqliteConnection else { return }
    while let registration = pendingRegistrations.first,
      unsafe apply(registration, to: sqliteConnection)
    {
      pendingRegistrations.removeFirst()
    }
  }
}

extension Database {
  /// The error of a compilation, with the reason why a function or a collation was refused.
  func explainingRefusal(_ error: DatabaseError) -> DatabaseError {
    guard !refusals.isEmpty, let message = error.message else { return error }
    let key = message.identifierKey
    let refusal = refusals.first { name, _ in
      key.hasSuffix("function: \(name.text)") || key.hasSuffix("function \(name.text)")
        || key.hasSuffix("function \(name.text)()")
        || key.hasSuffix("collation sequence: \(name.text)")
        || key.hasSuffix("tokenizer: \(name.text)")
    }
    guard let refusal else { return error }
    var error = error
    error.message = "\(message) - \(refusal.value)"
    return error
  }
}

extension Database {
  /// Called after a statement has ended, when there is something to do.
  func statementDidEnd() {
    owner.endDroppedCursors()
    forgetShadowedError()
    shadowedChanges = nil
    applyPendingRegistrations()
    if !broker.listened.isEmpty { endListening() }
    owner.hasWaitingWork =
      !pendingRegistrations.isEmpty || !owner.keptStatements.isEmpty || !broker.listened.isEmpty
    notifyTransactionEnd()
  }
}
