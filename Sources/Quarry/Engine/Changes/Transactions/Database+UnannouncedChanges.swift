// A function in C, such as one of an extension of SQLite, can write while it is called by a
// statement that SQLite takes for a read: nothing announces its changes. So the hooks of SQLite
// stay installed while such a statement runs, if somebody may want to know:
//
// | who | listens to |
// | --- | --- |
// | an observer of all changes | all statements that seem to read |
// | observers of regions | those that call a function |
//
// Statements that the library runs meanwhile have their own followers: see
// ``Database/observedStep(_:)``.

extension Database {
  /// Called before the first step of a statement that announces no change. Returns false where the
  /// application has a preupdate hook.
  func listenIfItMayWrite(to statement: Statement) -> Bool {
    guard broker.followed.isEmpty, !isReadOnly, let sqliteConnection else { return true }
    guard broker.observesAllChanges || statement.effects.callsFunctions && !broker.regions.isEmpty
    else { return true }
    if broker.listened.isEmpty {
      (broker.listenedChangesCount, broker.hasHeardRow) = (totalChangesCount, false)
      guard unsafe beginListening(on: sqliteConnection) else { return false }
    }
    broker.listened.append(statement)
    // Its end is noticed by ``statementDidEnd()``.
    owner.hasWaitingWork = true
    updateTransactionHooks()
    return true
  }

  private func beginListening(on connection: SQLiteConnection) -> Bool {
    let broker = broker
    let listener: RowListener = { event, values in
      guard let followed = broker.heardChange(of: event.tableName) else { return }
      broker.record(event, values, of: followed)
    }
    if broker.hasPreUpdateHook {
      let isListening = unsafe broker.preUpdateHook.setFallback(listener, on: connection)
      guard isListening else { return false }
    }
    unsafe updateHook.setFallback(listener, on: connection)
    return true
  }

  /// Calls `step`, whose changes are announced: they are none of the statements that seem to read.
  func stepFollowed(_ step: () -> CInt) -> CInt {
    // An engine would have to ask for the counts.
    if broker.listened.isEmpty || engine != nil { return step() }
    let unannouncedCount = totalChangesCount - broker.listenedChangesCount
    defer { broker.listenedChangesCount = totalChangesCount - unannouncedCount }
    return step()
  }

  /// Called after the last step of a statement that may write. SQLite counts the rows of one with
  /// `RETURNING` in that step, though it changes them in the first one.
  ///
  /// See <https://www.sqlite.org/lang_returning.html#processing_order>.
  func didHalt(_ statement: Statement, code: CInt) {
    guard !broker.listened.isEmpty, engine == nil,
      code == ResultCode.SQLITE_DONE.rawValue, statement.columnCount > 0,
      !statement.effects.changedTables.isEmpty
    else { return }
    broker.listenedChangesCount += sqliteChangesCount
  }

  /// Called after a statement has ended. Notifies the changes of those that have ended.
  func endListening() {
    broker.listened.removeAll { $0.execution.activity == .none }
    guard broker.listened.isEmpty, let sqliteConnection else { return }
    unsafe updateHook.setFallback(nil, on: sqliteConnection)
    unsafe broker.preUpdateHook.removeFallback(from: sqliteConnection)
    if totalChangesCount != broker.listenedChangesCount {
      mayHaveCommitted()
      // Which ones is not known: of tables without rowid, and of rows that are replaced, nothing is
      // reported; nor of a full-text table that keeps its changes in memory at first.
      let isKnown = broker.hasPreUpdateHook && broker.hasHeardRow
      if !isKnown { broker.regions.all.forEach(broker.touch) }
    }
    // A statement that is followed reports its own changes, and these, when it ends.
    if broker.followed.isEmpty, !hasUncommittedChanges { broker.pending.clear() }
    notifyLastingChanges()
  }
}

extension ObservationBroker {
  /// Those who follow a change that the hooks report while no statement is stepped that announces
  /// its changes, nil if there are none.
  fileprivate func heardChange(of table: String) -> FollowedStatement? {
    guard followed.isEmpty else { return nil }
    hasHeardRow = true
    return unannouncedChange(of: table)
  }

  /// Those who follow a change of a table that no statement announces, nil if nobody listens. The
  /// table may be the shadow table of a virtual one.
  func unannouncedChange(of table: String) -> FollowedStatement? {
    if listened.isEmpty { return nil }
    var kinds: [DatabaseEventKind] = []
    var tables: Set<BinaryText> = [table.identifierKey]
    if let separator = table.lastIndex(of: "_") {
      let owner = String(table[..<separator])
      kinds = [.insert(tableName: owner)]
      tables.insert(owner.identifierKey)
    }
    return follow(kinds, ofTables: tables, by: registrations.filter(\.observesAllChanges))
  }
}
