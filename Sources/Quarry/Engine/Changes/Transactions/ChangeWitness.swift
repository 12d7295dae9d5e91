/// Is shown which tables a connection may change: the seam of the signals of `QuarryChanges`.
///
/// Tables too many are shown rather than too few. The rows that change are of no interest, so that
/// a deletion of all rows at once, and tables `WITHOUT ROWID`, are as any others.
package protocol ChangeWitness: AnyObject {
  /// Called before tables may change, with the keys of their names: those of triggers and foreign
  /// key actions as well. Nil where nobody knows which ones.
  func tablesMayChange(_ names: [String]?)

  /// Called by SQLite's commit hook: the database can't be used.
  ///
  /// - parameter others: The tables that statements may change which the library has not compiled,
  ///   or which SQLite has compiled again, at any time before. Nil where nobody knows.
  func transactionWillCommit(others: [String]?)

  /// Called by SQLite's rollback hook.
  func transactionDidRollBack()

  /// Called before the connection is closed.
  func connectionWillClose(_ db: Database)

  /// Called when the connection could not be closed.
  func connectionStaysOpen(_ db: Database)
}

extension Database {
  /// The witness of the connection. There is one at most.
  package var changeWitness: (any ChangeWitness)? {
    get { broker.witness }
    set {
      broker.witness = newValue
      updateObservation()
      updateTransactionHooks()
    }
  }

  /// Called before the first step of a statement.
  func witnessChanges(by effects: StatementEffects) {
    guard let witness = broker.witness else { return }
    guard effects.mayWrite, effects.transaction == nil else { return }
    if !broker.hasOpaqueTables, effects.changedTables.contains(where: isOpaque) {
      broker.hasOpaqueTables = true
    }
    let isKnown = !effects.changesSchema && !effects.changedTables.isEmpty
    witness.tablesMayChange(isKnown ? effects.changedTables.map(\.text) : nil)
  }

  /// Called by the commit hook.
  func witnessCommit() {
    guard let witness = broker.witness else { return }
    let others = effectsRecorder.tablesOfOthers.map(\.text)
    witness.transactionWillCommit(others: broker.hasOpaqueTables ? nil : others)
  }

  /// Whether a table belongs to a module that may write wherever it wants, now and later. The
  /// modules of SQLite write to their shadow tables.
  private func isOpaque(_ key: BinaryText) -> Bool {
    // The schema, sequences, statistics.
    if key.hasPrefix("sqlite_"), key.text != "sqlite_dbpage" { return false }
    guard (try? schema.isView(key.text)) != true else { return false }
    guard let module = try? schema.module(of: key.text) else { return true }
    return !["", "fts3", "fts4", "fts5", "rtree", "rtree_i32", "geopoly"].contains(module)
  }
}
