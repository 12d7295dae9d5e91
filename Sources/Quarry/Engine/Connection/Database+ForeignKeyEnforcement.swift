import CSQLite

extension Database {
  /// True if SQLite enforces foreign keys.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_foreign_keys>.
  package func areForeignKeysEnabled() throws -> Bool {
    try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
  }

  /// Runs `body` while foreign keys, which are enforced otherwise, are not. The pragma does nothing
  /// in a transaction.
  package func withoutForeignKeys(_ body: () throws -> Void) throws {
    // The pragma may have taken effect even if it throws.
    let result = Result {
      try execute(sql: "PRAGMA foreign_keys = OFF")
      try body()
    }
    try? ignoringCancellation { try execute(sql: "PRAGMA foreign_keys = ON") }
    configure(SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    try result.get()
  }

  /// Undoes `PRAGMA legacy_alter_table = ON`.
  package func endLegacyAlterations() {
    try? ignoringCancellation { try execute(sql: "PRAGMA legacy_alter_table = OFF") }
    configure(SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0)
  }

  /// Sets an option of the connection, which also makes sure of a pragma that must not stay as it
  /// is: it may have failed for lack of memory, and `foreign_keys` does nothing in a transaction,
  /// which a failed rollback has left open. This call needs no memory.
  ///
  /// See <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>.
  func configure(_ option: CInt, _ value: CInt) {
    guard let sqliteConnection else { return }
    _ = unsafe quarry_db_config_int(sqliteConnection, option, value)
  }
}

extension Database {
  /// Whether there may be tables beside those of the main schema. SQLite opens the temporary schema
  /// for its first object. A connection with an engine has the main schema only.
  var mayHaveOtherSchemas: Bool {
    guard engine == nil else { return false }
    let hasTemporary =
      unsafe sqliteConnection.flatMap { unsafe sqlite3_db_filename($0, "temp") } != nil
    return hasTemporary || effectsRecorder.hasAttached
  }
}
