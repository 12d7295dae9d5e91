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
    try selecting(record, db, from: table, selection, fetch) { key in
      let success = try insertRow(record, db, into: table, rule)
      // A virtual table that ignores a conflict reports the rowid of an earlier row. The row of
      // a view whose key is given is selected by it, whatever the triggers have inserted.
      let isInserted = key.isView ? success.hasRow : db.changesCount > 0
      guard isInserted else { throw notFound(record, db, in: table) }
      var container = success.persistenceContainer
      if key.columns == [key.rowIDName] {
        container.set(success.rowID.databaseValue, forColumn: key.columns[0])
      }
      return (success, container)
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
    try selecting(record, db, from: table, selection, fetch) { _ in
      let success = try updateRow(record, db, conflict, columns: columns, in: table)
      return (success, success.persistenceContainer)
    }
  }

  /// Fetches from the row whose key is in the container that a write returns.
  ///
  /// - Throws: `InvalidRequest` for a key with NULL, by which other rows would be found.
  private static func selecting<Success>(
    _ record: Record, _ db: Database, from table: String?, _ selection: [any SQLSelectable],
    _ fetch: (Statement) throws -> Void,
    _ write: (TableKey) throws -> (Success, PersistenceContainer)
  ) throws -> Success {
    let cache = try db.recordTypeCache(for: record, in: table)
    let key = try cache.key(db)
    let selection = try returned(selection)
    return try db.resultInSavepoint {
      let (success, container) = try write(key)
      if let column = key.columns.first(where: { container.value(forColumn: $0).isNull }) {
        throw InvalidRequest(
          "The row that was written to \(cache.table) can't be fetched: column \(column) of its "
            + "primary key is null")
      }
      var relation = Relation(source: .table(cache.table), selection: [.items(selection)])
      relation.filters += key.columns.map { .equal($0, container.value(forColumn: $0)) }
      let query = try CompiledQuery(relation, in: PlanningContext(db))
      try db.internalStatement(query.text).use(fetch)
      return success
    }
  }
}
