extension Database {
  /// True if SQLite enforces foreign keys.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_foreign_keys>.
  func areForeignKeysEnabled() throws -> Bool {
    try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
  }

  /// Runs `body` while foreign keys, which are enforced otherwise, are not. The pragma does nothing
  /// in a transaction.
  func withoutForeignKeys(_ body: () throws -> Void) throws {
    try execute(sql: "PRAGMA foreign_keys = OFF")
    let result = Result { try body() }
    try ignoringCancellation { try execute(sql: "PRAGMA foreign_keys = ON") }
    try result.get()
  }
}
