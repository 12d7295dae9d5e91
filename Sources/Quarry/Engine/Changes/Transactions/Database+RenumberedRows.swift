// `VACUUM` may give other rowids to the rows of tables without an `INTEGER PRIMARY KEY`. SQLite
// announces and reports nothing of it, and calls no commit hook.
//
// See <https://www.sqlite.org/lang_vacuum.html#how_vacuum_works>.

extension Database {
  /// Steps `VACUUM`, and touches the regions that may have the rowids that change.
  func stepObservingRowIDs(_ statement: Statement) -> CInt {
    let observers = broker.regions.all.filter { mayRenumberRows(of: $0.region) }
    effectsRecorder.isVacuuming = true
    let code = statement.handle.step()
    effectsRecorder.isVacuuming = false
    guard code == ResultCode.SQLITE_DONE.rawValue, !observers.isEmpty else { return code }
    for observer in observers { broker.touch(observer) }
    broker.end.concernsRegionsOnly = true
    transactionWillEnd(.commit)
    return code
  }

  /// Virtual tables may have the rows of a table by their rowids, as full-text tables do.
  private func mayRenumberRows(of region: DatabaseRegion) -> Bool {
    guard let tables = region.tables else { return true }
    return tables.keys.contains { name in
      (try? schema.areTables(named: name) { try schema.primaryKey(of: $0)?.rowIDColumn != nil })
        != true
    }
  }
}
