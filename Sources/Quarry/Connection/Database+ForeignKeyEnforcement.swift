extension Database {
  /// True if SQLite enforces foreign keys.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_foreign_keys>.
  func areForeignKeysEnabled() throws -> Bool {
    try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") ?? false
  }

  /// Runs `body` while foreign keys are not enforced, with whether they were. The pragma does
  /// nothing in a transaction.
  func withoutForeignKeys(_ body: (_ wereEnabled: Bool) throws -> Void) throws {
    guard try areForeignKeysEnabled() else { return try body(false) }
    try execute(sql: "PRAGMA foreign_keys = OFF")
    let result = Result { try body(true) }
    try ignoringCancellation { try execute(sql: "PRAGMA foreign_keys = ON") }
    try result.get()
  }
}
