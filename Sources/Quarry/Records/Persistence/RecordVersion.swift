// Records with a version: each update compares it, and raises it by one, in one statement. Nothing
// else is done before the statement; one that changes no row is explained afterwards.

extension RecordTypeCache {
  /// Where a container has the version. Nil for types without one.
  ///
  /// - Throws: ``DatabaseError`` for a version that can't be compared, or a type that has none.
  func versionIndex(_ container: PersistenceContainer, _ db: Database) throws -> Int? {
    try checkedType?._checkConformance()
    guard let versionColumn else { return nil }
    guard try key(db).tableColumns.contains(where: { $0.isSameIdentifier(as: versionColumn) })
    else { throw versionError("the table has no such column: add it in a migration") }
    guard let index = container.index(ofColumn: versionColumn) else {
      throw versionError("the record does not encode it")
    }
    guard case .int64(let version) = container.value(at: index).storage, version < .max else {
      throw versionError(
        "it must be an integer that can be raised, and is \(container.value(at: index))")
    }
    return index
  }

  private func versionError(_ reason: String) -> DatabaseError {
    let column = (versionColumn ?? "").quotedDatabaseIdentifier
    return DatabaseError.misuse("no version of \(table) in column \(column): \(reason)")
  }
}

extension RecordKey {
  /// Explains that no row has been written.
  ///
  /// - Throws: ``StaleRecordError`` if the row has another version than the record.
  func checkVersion(_ db: Database) throws {
    guard !hasNull, let column = cache.versionColumn else { return }
    let version = container.value(forColumn: column)
    let row = try Row.fetchOne(row(selecting: column, db))
    guard let current: DatabaseValue = row?[0], current != version else { return }
    throw StaleRecordError(
      databaseTableName: cache.table, key: values, version: version,
      currentVersion: current)
  }

  /// Marks the row as deleted. Returns whether it was not.
  func mark(
    _ column: String, of type: any MutablePersistableRecord.Type, _ db: Database
  ) throws -> Bool {
    if hasNull { return false }
    let scope = DeletionScope(column: column, recordType: type)
    let version = try cache.versionIndex(container, db)
    var rows = relation
    rows.filters.append(.scope(scope))
    if let version, let versionColumn = cache.versionColumn {
      rows.filters.append(.equal(versionColumn, container.value(at: version)))
    }
    let context = PlanningContext(db)
    let text = try SQLWriter.write(
      update: rows, assignments: scope.assignments(db), conflictResolution: nil, returning: nil,
      in: context)
    return try changesRow(db, db.internalStatement(text)) { try $0.run() }
  }

  /// Whether the table has the row, marked as deleted or not.
  func isStored(_ db: Database) throws -> Bool {
    if hasNull { return false }
    if cache.deletionColumn == nil { return try exists(db) }
    return try Row.fetchOne(row(selecting: tableKey.columns[0], db)) != nil
  }

  private func row(selecting column: String, _ db: Database) throws -> Statement {
    try row(selecting: [SQLSelection(.expression(SQLExpression(.column(column))))], db)
  }

  /// The query of the row.
  func row(selecting selection: [SQLSelection], _ db: Database) throws -> Statement {
    var relation = relation
    relation.selection = [.items(selection)]
    return try db.internalStatement(CompiledQuery(relation, in: PlanningContext(db)).text)
  }

  private var relation: Relation {
    let key = tableKey.columns.map { (column: $0, value: container.value(forColumn: $0)) }
    return Relation(source: .table(cache.table), selection: [], filters: [.uniqueKeys([key])])
  }
}

extension PersistenceEngine {
  /// The error of an update: a record with a version is stale if its row is gone. A row that is
  /// there was left as it is, by a conflict resolution algorithm or a trigger.
  @usableFromInline
  static func explainedUpdate(
    _ error: any Error, _ record: Record, _ db: Database, in table: String?
  ) -> any Error {
    guard let column = dynamicType(of: record)._versionColumn,
      let missing = error as? RecordError, let key = try? RecordKey(record, db, in: table),
      key.isMissing(missing), (try? key.isStored(db)) != true
    else { return explained(error, record, db, in: table) }
    return StaleRecordError(
      databaseTableName: key.cache.table, key: key.values,
      version: key.container.value(forColumn: column), currentVersion: nil)
  }
}
