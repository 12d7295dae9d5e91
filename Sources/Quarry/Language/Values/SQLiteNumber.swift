import CSQLite

/// How SQLite reads decimal numbers: versions before 3.47 don't always find the nearest double.
package enum SQLiteNumber {
  private static let cast = Locked(Cast())

  /// The double that SQLite reads in a text such as `1.5` or `-1.25e-07`. Nil where it has no
  /// memory.
  package static func double(_ text: String) -> Double? { cast.withLock { $0.double(text) } }

  /// A statement of its own connection.
  @safe private struct Cast {
    private var statement: OpaquePointer?

    mutating func double(_ text: String) -> Double? {
      if unsafe statement == nil { prepare() }
      return unsafe text.withCString { text in
        defer { unsafe sqlite3_reset(statement) }
        guard unsafe sqlite3_bind_text(statement, 1, text, -1, nil) == SQLITE_OK,
          unsafe sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return unsafe sqlite3_column_double(statement, 0)
      }
    }

    private mutating func prepare() {
      var connection: OpaquePointer?
      unsafe sqlite3_open(":memory:", &connection)
      unsafe sqlite3_prepare_v2(connection, "SELECT CAST(? AS REAL)", -1, &statement, nil)
      if unsafe statement == nil { unsafe sqlite3_close(connection) }
    }
  }
}
