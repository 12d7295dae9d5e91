// Writes that fetch, into views and virtual tables.
//
// RETURNING reports the values that the statement was given, not those that the triggers of a view
// wrote, and differs from one version of SQLite to the next. Virtual tables return the rowid -1,
// and refuse updates. So the row is selected afterwards, by its key.

extension PersistenceEngine {
  /// Inserts a row, selects it, and fetches from it.
  ///
  /// - Throws: ``DatabaseError`` for a view whose key is unknown,
  ///   ``RecordError/recordNotFound(databaseTableName:key:)`` when no row is inserted, into a
  ///   view only for a record without key. Nothing stays of the insertion when an error is thrown.
  static func insertAndSelect(
    _ record: Record, _ db: Database, into table: String?, _ rule: InsertRule,
    _ selection: [any SQLSelectable], _ fetch: (Statement) throws -> Void
  ) throws -> InsertionSuccess {
    let cache = try db.recordTypeCache(for: record, in: table)
    let key = try cache.key(db)
    return try selecting(from: cache.table, db, selection, fetch) {
      let success = try insertRow(record, db, into: table, rule)
      // A virtual table that ignores a conflict reports the rowid of an earlier row. The row of
      // a view whose key is given is selected by it, whatever the triggers have inserted.
      let isInserted = key.isView ? success.hasRow : db.changesCount > 0
      guard isInserted else { throw notFound(record, db, in: table) }
      return (success, key.values(of: success))
    }
  }

  /// Updates a row, selects it, and fetches from it.
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when there is no such row.
  ///   Nothing stays of the update when an error is thrown.
  static func updateAndSelect(
    _ record: Record, _ db: Database, in table: String?, _ conflict: Database.ConflictResolution?,
    columns: [String]?, _ selection: [any SQLSelectable], _ fetch: (Statement) throws -> Void
  ) throws -> PersistenceSuccess {
    let cache = try db.recordTypeCache(for: record, in: table)
    let key = try cache.key(db)
    return try selecting(from: cache.table, db, selection, fetch) {
      let success = try updateRow(record, db, conflict, columns: columns, in: table)
      let container = success.persistenceContainer
      return (success, key.columns.map { ($0, container.value(forColumn: $0)) })
    }
  }

  /// Fetches from the row whose key a write returns.
  ///
  /// - Throws: `InvalidRequest` for a key with NULL, by which other rows would be found.
  private static func selecting<Success>(
    from table: String, _ db: Database, _ selection: [any SQLSelectable],
    _ fetch: (Statement) throws -> Void,
    _ write: () throws -> (Success, key: [(column: String, value: DatabaseValue)])
  ) throws -> Success {
    var result: Success?
    let selection = try returned(selection)
    try db.inSavepoint {
      let (success, key) = try write()
      if let (column, _) = key.first(where: { $0.value.isNull }) {
        throw InvalidRequest(
          "The row that was written to \(table) can't be fetched: column \(column) of its primary "
            + "key is null")
      }
      var relation = Relation(source: .table(table), selection: [.items(selection)])
      relation.filters += key.map { .equal($0.column, $0.value) }
      let query = try CompiledQuery(relation, in: PlanningContext(db))
      try db.internalStatement(query.text).use(fetch)
      result = success
      return .commit
    }
    guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return result
  }
}

extension TableKey {
  /// The key of an inserted row, by column.
  fileprivate func values(
    of success: InsertionSuccess
  ) -> [(column: String, value: DatabaseValue)] {
    if columns == [rowIDName] { return [(columns[0], success.rowID.databaseValue)] }
    return columns.map { ($0, success.persistenceContainer.value(forColumn: $0)) }
  }
}
