public import Quarry

extension Database {
  /// Records all changes of the rows of a table, by triggers.
  ///
  /// ```swift
  /// migrator.registerMigration("history of books") { db in
  ///   try db.createHistory(of: "book")
  /// }
  ///
  /// // SELECT * FROM "book_history" WHERE "id" = ? ORDER BY "historyId"
  /// let entries = try Book.history(key: 1).fetchAll(db)
  /// ```
  ///
  /// The table `book_history` has the columns of `book`, generated ones included, with their types
  /// and collations, without their constraints, and the columns `historyId`, `historyOperation`
  /// (`insert`, `update`, `delete`, `snapshot`), and `historyDate`. Insertions and updates record
  /// the new row, deletions the old one; an update of the primary key records a deletion too. An
  /// index finds the entries of a row.
  ///
  /// The last entry of a key is the row, or its deletion. Where another trigger changes the row at
  /// once, all entries have what it has made of the row, and that of its change may come first. A
  /// row that it deletes may have no entry of its insertion then, and one that it inserts again
  /// none of its deletion. All deletions of rows with a null in their key are recorded.
  ///
  /// The triggers follow all changes of the table, by whatever program. SQLite does not run them
  /// for rows that `INSERT OR REPLACE` deletes, unless `PRAGMA recursive_triggers` is on.
  ///
  /// - parameter table: the table, which has a primary key: after the name of its schema, if that
  ///   is not the main one.
  /// - parameter snapshot: whether the rows that the table has already are recorded.
  /// - Throws: `DatabaseError` for a view, a virtual table, a table without primary key or with a
  ///   column of these names, or one that has a history already; where another table has the name
  ///   of the history; for a table with columns `rowid`, `oid` and `_rowid_` whose key may be null,
  ///   since its rows can't be found. Nothing is created then.
  public func createHistory(of table: String, snapshot: Bool = true) throws {
    let table = try HistoryTable(table, self)
    try table.requireNoHistory(self)
    try inSavepoint {
      for sql in table.creation { try execute(sql: sql) }
      for sql in try HistoryTriggers(table, self).statements { try execute(sql: sql) }
      if snapshot { try execute(sql: table.snapshot) }
      return .commit
    }
  }

  /// Brings the history of a table up to date, after the columns of the table have changed.
  ///
  /// ```swift
  /// migrator.registerMigration("subtitle") { db in
  ///   try db.updateHistory(of: "book") {
  ///     try db.alter(table: "book") { t in t.add(column: "subtitle", .text) }
  ///   }
  /// }
  /// ```
  ///
  /// New columns are added to the history, and recorded from now on. Columns that are dropped stay
  /// in the history, with the values of their time: SQLite drops a column only while no trigger
  /// names it, so drop it in the closure. Rename a column in both tables, in the closure; a table
  /// too, before this call:
  ///
  /// ```swift
  /// try db.updateHistory(of: "book") {
  ///   for table in ["book", "book_history"] {
  ///     try db.alter(table: table) { t in t.rename(column: "title", to: "name") }
  ///   }
  /// }
  /// ```
  ///
  /// Where a column gets another type, rebuild both tables in the closure: the history would
  /// convert values by the old type.
  ///
  /// - parameter table: The table.
  /// - parameter change: changes the table, without being recorded.
  /// - Throws: `DatabaseError` if the table has no history; for a column that is gone while another
  ///   one is new, since it may be renamed: drop and add columns in two calls; for a column that
  ///   stores other values in the history, by its type. Or the error of the closure. Nothing has
  ///   changed then.
  public func updateHistory(of table: String, _ change: () throws -> Void = {}) throws {
    try inSavepoint {
      let old = try HistoryTable(table, self)
      try old.requireHistory(self)
      let recorded = try old.recordedColumns(self)
      try old.dropTriggers(self)
      try change()
      let new = try HistoryTable(table, self)
      let missing = try new.missingColumns(self)
      try new.checkRenames(of: recorded, new: missing.map(\.name), self)
      try new.checkTypes(self)
      for column in missing {
        try execute(
          sql: "ALTER TABLE \(new.qualified(new.history)) ADD COLUMN \(column.definition)")
      }
      try new.renameIndex(self)
      for sql in try HistoryTriggers(new, self).statements { try execute(sql: sql) }
      return .commit
    }
  }

  /// Drops the history of a table, with all its entries.
  ///
  /// ```swift
  /// try db.dropHistory(of: "book")
  /// ```
  ///
  /// Before the table itself is dropped, if it is: its triggers go with it, its history stays.
  ///
  /// - Throws: `DatabaseError` if the table has no history: another table with the name of the
  ///   history stays.
  public func dropHistory(of table: String) throws {
    try inSavepoint {
      let table = try HistoryTable(table, self)
      try table.requireHistory(self)
      try table.dropTriggers(self)
      try execute(sql: "DROP TABLE \(table.qualified(table.history))")
      return .commit
    }
  }
}
