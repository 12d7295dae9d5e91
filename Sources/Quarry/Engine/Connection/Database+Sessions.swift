import CSQLite

// Sessions of SQLite, which the library QuarryChanges has: they record changes by the preupdate
// hook, and changesets are applied by functions of SQLite, not by statements of the library.
//
// A connection has one preupdate hook, which the sessions share. Meanwhile, observations do without
// it, as they do where SQLite has none.
//
// See <https://www.sqlite.org/sessionintro.html>.

extension Database {
  /// Leaves the preupdate hook to a session, until ``endSession()``.
  ///
  /// - throws: A ``DatabaseError`` in a function that a statement calls, where the application has
  ///   a preupdate hook, and outside of an access.
  package func beginSession() throws {
    try checkAccess()
    try checkHasNoEngine("a session")
    let connection = try unsafe requireConnection()
    guard broker.followed.isEmpty else {
      throw DatabaseError.misuse(
        "a session can't begin inside of a statement whose changes are observed")
    }
    if broker.sessionCount == 0 { try unsafe leaveHook(of: connection) }
    broker.sessionCount += 1
    guard effectsRecorder.hasTruncation else { return }
    // Statements that were compiled before would delete all rows of a table without report.
    effectsRecorder.hasTruncation = false
    unsafe effectsRecorder.install(on: connection)
  }

  private func leaveHook(of connection: SQLiteConnection) throws {
    unsafe broker.preUpdateHook.removeFallback(from: connection)
    guard unsafe quarry_preupdate_hook(connection, nil, nil) == nil else {
      throw DatabaseError.misuse(
        "the application has a preupdate hook on this connection, or a session of its own"
      ).detailed("SQLite has one for each connection. It is removed now")
    }
    broker.hasPreUpdateHook = false
  }

  /// Called when a session has ended.
  package func endSession() {
    broker.sessionCount -= 1
    guard broker.sessionCount == 0 else { return }
    broker.hasPreUpdateHook = PreUpdateHook.isAvailable && configuration.usesPreUpdateHook
    // A statement that seems to read may have changed rows that nothing has reported.
    if !broker.listened.isEmpty { broker.regions.all.forEach(broker.touch) }
  }

  /// Calls `body`, in which SQLite compiles statements that read NULL from all columns.
  package func readingNulls<T>(_ body: () throws -> T) rethrows -> T {
    // Another authorizer would have SQLite compile all statements of the connection again.
    effectsRecorder.readsNulls = true
    defer { effectsRecorder.readsNulls = false }
    return try body()
  }
}

extension Database {
  /// Calls `apply`, a function of SQLite that changes rows in a transaction, and reports its
  /// changes like those of a statement.
  ///
  /// - parameter announcements: Statements that change what the function may change. They are
  ///   compiled, and not executed.
  /// - returns: The result code of the function.
  /// - throws: A ``DatabaseError`` in a read-only access, outside of an access, and where a
  ///   statement can't be compiled.
  package func applyingChanges(
    announcedBy announcements: () throws -> [Statement], _ apply: (SQLiteConnection) -> CInt
  ) throws -> CInt {
    try checkAccess()
    try checkHasNoEngine("a changeset")
    try checkMayWrite()
    try checkIsNotNotifying(sql: nil)
    let connection = try unsafe requireConnection()
    guard owner.isObserved else { return unsafe apply(connection) }
    let announcements = try announcements()
    let followed = try broker.follow(
      announcements.flatMap { try announcedKinds(of: $0) },
      ofTables: announcements.reduce(into: []) { $0.formUnion($1.effects.changedTables) },
      by: broker.registrations)
    let changeCount = broker.pending.changes.count
    let silences = announcements.reduce(into: SilentTables()) {
      $0.merge(silentTables(of: $1)) { first, second in max(first, second) }
    }
    let silentRegions = followed.silentRegions(unreported, silences, schema)
    broker.followed.append(followed)
    updateTransactionHooks()
    let code = unsafe listening(on: connection, for: followed) {
      stepFollowed { unsafe apply(connection) }
    }
    broker.followed.removeLast()
    if let conflict = broker.preUpdateHook.takeConflict() { throw DatabaseError.misuse(conflict) }
    if code == SQLITE_OK {
      broker.pending.touch(silentRegions)
      didChange(followed)
    } else {
      undoChanges(downTo: changeCount)
    }
    return code
  }

  /// Conflicts may be resolved by a removal of rows.
  private var unreported: UnreportedRows { broker.hasPreUpdateHook ? .none : .replaced }
}
