import CSQLite

// The observers of a transaction are notified after the statement that ends it, and before the
// caller of the statement goes on. They may execute others, whose changes SQLite reports from then
// on. So the counts of the statement itself are kept until the next one is executed.

/// How many rows a statement has changed.
struct ChangeCounts: Equatable {
  /// Without those that triggers changed.
  let last: Int
  /// All changes of the connection until then. Nil where nobody asks for them.
  let total: Int?
}

extension Database {
  /// Calls `notify`, which may execute statements, and keeps the counts of the one before.
  func shadowingChanges(_ notify: () -> Void) {
    let counts = changeCounts
    notify()
    // Those of a statement of an observer.
    shadowedChanges = nil
    // An engine would have to ask for the total.
    if engine == nil, changeCounts == counts { return }
    shadowedChanges = counts
    // The next statement forgets the counts.
    owner.hasWaitingWork = true
  }

  /// What SQLite reports, also where observers have executed statements since.
  var sqliteChangesCount: Int {
    if let engine { return engine.lastChangesCount }
    return unsafe sqliteConnection.map { unsafe Int(sqlite3_changes($0)) } ?? 0
  }

  private var changeCounts: ChangeCounts {
    guard let engine else { return ChangeCounts(last: changesCount, total: totalChangesCount) }
    // The total is a request, and its callers only want it where no row is counted otherwise.
    let last = engine.lastChangesCount
    return ChangeCounts(last: last, total: last == 0 ? totalChangesCount : nil)
  }

  /// The number of rows changed by the last statement, those of triggers included.
  ///
  /// - parameter total: ``totalChangesCount`` before the statement.
  func changes(since total: Int) -> Int { (shadowedChanges?.total ?? totalChangesCount) - total }
}
