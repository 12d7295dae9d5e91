import Quarry

extension Database {
  /// How often the integrity check of the main schema reports each fault: once for a row.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_integrity_check>.
  func integrityFaults() throws -> [String: Int] {
    // Without a number, false alarms may be all faults that it reports.
    let lines = try String.fetchCursor(self, sql: "PRAGMA main.integrity_check(2147483647)")
    return try lines.filter { $0 != "ok" }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Whether the integrity check has reported a NULL that is not there. SQLite 3.40 takes other
  /// NULLs of tables without rowid for those of a column that can't be NULL.
  func isFalseAlarm(_ fault: String, _ schema: SchemaModel) throws -> Bool {
    let named = schema.tables.flatMap { table in
      table.columns.filter { fault == "NULL value in \(table.name).\($0.name)" }
        .map { (table: table.name, column: $0.name) }
    }
    return try !named.isEmpty && named.allSatisfy { try !hasNull($0.column, $0.table) }
  }

  private func hasNull(_ column: String, _ table: String) throws -> Bool {
    // SQLite does not execute `IS NULL` for a column that can't be NULL.
    let condition = "typeof(\(column.quotedDatabaseIdentifier)) = 'null'"
    let sql = "SELECT 1 FROM main.\(table.quotedDatabaseIdentifier) WHERE \(condition)"
    return try Row.fetchOne(self, sql: sql) != nil
  }
}
