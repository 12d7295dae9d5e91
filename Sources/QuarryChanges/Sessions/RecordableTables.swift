import Quarry

extension Database {
  /// Throws for a table that SQLite can't record.
  func checkIsRecordable(_ table: String, in schema: String) throws {
    func fail(_ reason: String, column: String?) -> ChangesetError {
      ChangesetError(
        .unrecordable, "changes of \(table) can't be recorded: \(reason)", table: table,
        column: column)
    }
    guard try tableExists(table, in: schema) else {
      throw fail("there is no such table in the schema \(schema)", column: nil)
    }
    if try virtualTables(in: schema).contains(table.lowercasedASCII) {
      throw fail(
        "it is a virtual table, whose module stores it as it likes. Record the table that it is made "
          + "from", column: nil)
    }
    try checkColumns(of: table, in: schema, fail)
  }

  private func checkColumns(
    of table: String, in schema: String, _ fail: (String, String?) -> ChangesetError
  ) throws {
    let columns = try Row.fetchAll(
      self, sql: "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, ?)",
      arguments: [table, schema])
    if let generated = columns.first(where: { $0["hidden"] == 2 || $0["hidden"] == 3 }) {
      let name: String = generated["name"]
      throw fail(
        "SQLite does not record tables with generated columns, such as \(name). "
          + "Compute it in a view, or list the tables to record", name)
    }
    if let key = columns.first(where: { $0["pk"] != 0 && Self.isReal($0["type"]) }) {
      let name: String = key["name"]
      throw fail(
        "its key has the column \(name) of type REAL, whose whole numbers SQLite mistakes for integers "
          + "when it records them. Declare another key, or list the tables to record", name)
    }
    if !columns.contains(where: { $0["pk"] != 0 }) {
      throw fail(
        "it declares no primary key, which identifies rows. Declare one, or list the tables to "
          + "record", nil)
    }
    if let name = try keyColumnWithOtherCollation(table, in: schema) {
      throw fail(
        "its key compares the column \(name) by another collation than the column has, by which "
          + "SQLite finds other rows too. Declare the same collation for both, or list the tables "
          + "to record", name)
    }
    if let name = try mistakenColumn(among: columns, of: table, in: schema) {
      throw fail(
        "SQLite \(SQLiteVersion.linked) mistakes the numbers of its column \(name): it is "
          + "WITHOUT ROWID, has a column of type REAL, and others before those of its key. "
          + "Declare the columns of the key first, in their order, or list the tables to record",
        name)
    }
  }
}
