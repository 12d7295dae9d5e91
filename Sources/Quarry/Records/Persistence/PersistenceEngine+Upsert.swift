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
    let leavesValues =
      try !assignments.isEmpty || strategy.contains(.noColumnUnlessSpecified)
      || mayKeepKey(keyColumns, key, container, conflictTarget, db, in: cache.table)
    var rowID: Int64?
    let step = try run(text, container.values, db) { statement in
      rowID = try fetchUpserted(statement, key, hasSelection: !selection.isEmpty, decode)
    }
    return InsertionSuccess(
      container, rowID: rowID ?? step.rowID, rowIDColumn: key.rowIDColumn, mayDiffer: leavesValues)
  }

  /// Whether the row in conflict may be found by another key than the primary key, which it keeps:
  /// of that, a rowid is returned only. Only records that are objects remember stored values.
  private static func mayKeepKey(
    _ columns: [String], _ key: TableKey, _ container: PersistenceContainer,
    _ conflictTarget: [String], _ db: Database, in table: String
  ) throws -> Bool {
    guard key.rowIDColumn == nil, Record.self is AnyClass else { return false }
    let targets =
      try conflictTarget.isEmpty
      ? db.schema.indexes(on: table).filter(\.isUnique).map(\.columns) : [conflictTarget]
    let names = Set(columns.map(\.identifierKey))
      .intersection(container.columns.map(\.identifierKey))
    return targets.contains { !names.isSubset(of: $0.map(\.identifierKey)) }
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
