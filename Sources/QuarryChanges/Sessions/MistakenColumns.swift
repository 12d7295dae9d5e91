import Quarry

// SQLite 3.40 records other numbers than those of some tables `WITHOUT ROWID`. Their rows are in
// the index of the primary key, whose columns come first. The preupdate hook finds a value by the
// place of its column there, and takes the type of the column that has this place in the table:
// whole numbers of a column of type REAL become integers, and integers of other columns become
// doubles, also those of the key.

extension Database {
  /// The column of a table whose numbers SQLite mistakes, if there is one.
  ///
  /// - parameter columns: The names and types of its columns.
  func mistakenColumn(among columns: [Row], of table: String, in schema: String) throws -> String? {
    let areReal = columns.map { Self.isReal($0["type"]) }
    guard areReal.contains(true), MistakenColumns.exist else { return nil }
    // The columns of the index, for tables WITHOUT ROWID only.
    let places = try Int.fetchAll(
      self, sql: "SELECT cid FROM pragma_index_xinfo(?, ?) ORDER BY seqno",
      arguments: [table, schema])
    let mistaken = zip(areReal, places).first { isReal, column in isReal != areReal[column] }
    guard let column = mistaken?.1 else { return nil }
    let name: String = columns[column]["name"]
    return name
  }

  /// Whether a declared type has the affinity REAL.
  ///
  /// See <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>.
  static func isReal(_ type: String) -> Bool {
    let type = type.uppercased()
    let others = ["INT", "CHAR", "CLOB", "TEXT", "BLOB"]
    return ["REAL", "FLOA", "DOUB"].contains { type.contains($0) }
      && !others.contains { type.contains($0) }
  }
}

private enum MistakenColumns {
  /// Whether this SQLite has the fault.
  static let exist: Bool = {
    let change = Session.recordedChange(
      of: "DELETE FROM price",
      after: """
        CREATE TABLE price (amount REAL, item INTEGER NOT NULL, PRIMARY KEY (item)) WITHOUT ROWID;
        INSERT INTO price VALUES (1.5, 4)
        """)
    if case .int64? = change?.oldValues?[1]?.storage { return false }
    return true
  }()
}
