extension PersistenceEngine {
  /// Inserts the row of a record, or updates the row in conflict, and decodes the resulting row.
  ///
  /// - parameter conflictTarget: the columns of the unique key in conflict, none for any key.
  static func upsertRow(
    _ record: Record, _ db: Database, into table: String? = nil,
    onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns, _ assignments: [ColumnAssignment] = [],
    returning selection: [any SQLSelectable] = [], decode: (Row) throws -> Void
  ) throws -> InsertionSuccess {
    let (cache, container) = try db.encode(record, in: table)
    let key = try cache.keyOfInsertion(db)
    // The columns that take the inserted value: those without role nor assignment.
    let keyColumns = key.isNamed ? key.columns : []
    let excluded = keyColumns + conflictTarget + assignments.map(\.columnName)
    let names = Set(excluded.map(\.identifierKey))
    let overwritten =
      strategy.contains(.noColumnUnlessSpecified)
      ? [] : container.columns.filter { !names.contains($0.identifierKey) }
    let text = try RecordStatementWriter.upsert(
      table: cache.table, columns: Array(container.columns), conflictTarget: conflictTarget,
      assignments: assignments, overwriting: overwritten, fallbackColumn: key.columns[0],
      returning: selection.map(\.sqlSelection), rowIDName: key.rowIDName, schema: db.schema)
    // A row that is found by another key keeps its primary key, of which a rowid is returned only.
    let keepsKey =
      !conflictTarget.isEmpty && key.rowIDColumn == nil
      && !Set(keyColumns.map(\.identifierKey)).isSubset(of: conflictTarget.map(\.identifierKey))
    let leavesValues =
      keepsKey || !assignments.isEmpty || strategy.contains(.noColumnUnlessSpecified)
    var rowID: Int64?
    let step = try run(text, container.values, db) { statement in
      rowID = try fetchUpserted(statement, key, hasSelection: !selection.isEmpty, decode)
    }
    return InsertionSuccess(
      container, rowID: rowID ?? step.rowID, rowIDColumn: key.rowIDColumn, mayDiffer: leavesValues)
  }

  /// Decodes the row, and returns the rowid, which is the last column where it has a name.
  private static func fetchUpserted(
    _ statement: Statement, _ key: TableKey, hasSelection: Bool, _ decode: (Row) throws -> Void
  ) throws -> Int64? {
    guard hasSelection || key.rowIDName != nil else {
      // Nothing is returned from a table without rowid, or whose rowid has no name.
      try statement.run()
      try decode(Row())
      return nil
    }
    guard let row = try Row.fetchAll(statement).first else {
      throw DatabaseError(message: "Insertion failed", sql: statement.sql)
    }
    let rowID = try key.rowIDName == nil ? nil : row.decode(Int64.self, atIndex: row.count - 1)
    try decode(row)
    return rowID
  }
}
