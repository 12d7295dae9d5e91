import CSQLite

extension Database {
  /// Called after a step that may have committed.
  func mayHaveCommitted() { if !isInsideTransaction { broker.commitCount.raise() } }

  /// Called after an access, for the commits that no statement of the library did: those of
  /// backups, and of the C API.
  ///
  /// See <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion>.
  func countOtherCommits() {
    guard let sqliteConnection, !configuration.readonly else { return }
    var version: CUnsignedInt = 0
    unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    if version == broker.dataVersion { return }
    broker.dataVersion = version
    broker.commitCount.raise()
  }
}
