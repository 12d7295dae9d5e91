// One write: the record is encoded, the statement bound and run.

extension PersistenceEngine {
  /// Inserts the row of a record.
  @inlinable
  static func insertRow(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?
  ) throws -> InsertionSuccess {
    let type = dynamicType(of: record)
    let conflict = conflict ?? type.persistenceConflictPolicy.conflictResolutionForInsert
    return try insertRow(record, type, db, conflict)
  }

  @usableFromInline
  static func insertRow(
    _ record: Record, _ type: Record.Type, _ db: Database,
    _ conflict: Database.ConflictResolution
  ) throws -> InsertionSuccess {
    if let last = db.slots.use(.recordTypes, { $0.lastInsertion }), last.inserts(type, conflict) {
      return try last.insert(record, db)
    }
    let (cache, container) = try db.encode(record)
    return try insertRow(consume container, cache, db, conflict)
  }

  /// Inserts a record that does not have the columns of the one before.
  static func insertRow(
    _ container: consuming PersistenceContainer, of record: Record, _ db: Database,
    _ conflict: Database.ConflictResolution
  ) throws -> InsertionSuccess {
    let cache = try db.recordTypeCache(for: record)
    container.forgetExpectedColumns()
    try cache.finish(&container, of: dynamicType(of: record))
    return try insertRow(consume container, cache, db, conflict)
  }

  /// Inserts the row of a record, which may be encoded already, or be that of another table than
  /// the one of its type.
  static func insertRow(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?,
    _ key: consuming RecordKey? = nil, into table: String?
  ) throws -> InsertionSuccess {
    if let key = consume key {
      let (cache, container) = (consume key).encoded()
      return try insertRow(consume container, cache, db, conflict ?? insertConflict(record))
    }
    guard let table else { return try insertRow(record, db, conflict) }
    let (cache, container) = try db.encode(record, in: table)
    return try insertRow(consume container, cache, db, conflict ?? insertConflict(record))
  }

  /// Inserts the columns of a record.
  private static func insertRow(
    _ container: consuming PersistenceContainer, _ cache: RecordTypeCache, _ db: Database,
    _ conflict: Database.ConflictResolution
  ) throws -> InsertionSuccess {
    let insert = try cache.insertStatement(container.columnSet, conflict, db)
    if let view = insert.view {
      return try insert.withStatement(db) { try view.insert(container, $0, db) }
    }
    db.persistenceCache.remember(insert, cache)
    return try insert.insert(consume container, cache, db)
  }

  /// Inserts the row of a record by a rule.
  static func insertRow(
    _ record: Record, _ db: Database, into table: String? = nil, _ rule: InsertRule
  ) throws -> InsertionSuccess {
    if rule.insertsPlainly { return try insertRow(record, db, rule.conflict, into: table) }
    let (cache, encoded) = try db.encode(record, in: table)
    let container = rule.written(encoded)
    let text = try insertion(container, into: cache.table, rule, of: record, db)
    let statement = try db.internalStatement(sql: text.sql)
    defer { statement.release() }
    if let view = try ViewInsert(view: cache.table, db) {
      return try view.insert(container, statement, db)
    }
    try statement.run(container)
    let step = StatementFirstStep(rowID: db.lastInsertedRowID, hasRow: db.changesCount > 0)
    return try success(container, cache, rule, of: record, step, db)
  }

  /// Inserts the row of a record by a rule, and fetches from it.
  static func insertRow(
    _ record: Record, _ db: Database, into table: String?, _ rule: InsertRule,
    _ selection: [any SQLSelectable], fetch: (Statement) throws -> Void
  ) throws -> InsertionSuccess {
    if try db.schema.hidesReturnedRows(db.recordTypeCache(for: record, in: table).table) {
      return try insertAndSelect(record, db, into: table, rule, selection, fetch)
    }
    let (cache, encoded) = try db.encode(record, in: table)
    let container = rule.written(encoded)
    let text = try insertion(
      container, into: cache.table, rule, of: record, returning: returned(selection), db)
    let step = try run(text, container.values, db, fetch)
    return try success(container, cache, rule, of: record, step, db)
  }

  private static func insertion(
    _ container: PersistenceContainer, into table: String, _ rule: InsertRule,
    of record: Record, returning: [SQLSelection] = [], _ db: Database
  ) throws -> SQLText {
    try RecordStatementWriter.insert(
      table: table, columns: Array(container.columns),
      conflict: (rule.conflict ?? insertConflict(record)).keyword, ignoring: rule.ignoredKey,
      returning: returning, schema: db.schema)
  }

  private static func success(
    _ container: PersistenceContainer, _ cache: RecordTypeCache, _ rule: InsertRule,
    of record: Record, _ step: StatementFirstStep, _ db: Database
  ) throws -> InsertionSuccess {
    if rule.ignoredKey != nil, !step.hasRow { throw NothingInserted() }
    return try InsertionSuccess(
      container, rowID: step.rowID, rowIDColumn: cache.keyIfKnown(db)?.rowIDColumn,
      isWritten: step.hasRow, rule.conflict ?? insertConflict(record))
  }

  /// Updates the row of a record: all columns, if `columns` is nil.
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when there is no such row.
  @usableFromInline
  static func updateRow(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?,
    columns: [String]?, in table: String? = nil
  ) throws -> PersistenceSuccess {
    let key = try RecordKey(record, db, in: table)
    guard try updateRow(of: key, db, conflict ?? updateConflict(record), columns: columns) else {
      throw key.recordNotFound
    }
    return key.success(updating: columns)
  }

  /// Updates the row with a key: all columns, if `columns` is nil. Returns whether there was one.
  static func updateRow(
    of key: RecordKey, _ db: Database, _ conflict: Database.ConflictResolution,
    columns: [String]?
  ) throws -> Bool {
    if key.isNull { return false }
    let update = try key.cache.updateStatement(key.container, columns: columns, conflict, db)
    let statement = try update.statement.idle(db)
    defer { statement.release() }
    let count = try db.changes(isView: key.tableKey.isView) {
      try statement.run(key.container, at: update.argumentIndexes)
    }
    if count == 0 { try key.checkVersion(db) }
    return count > 0
  }

  /// Updates the row of a record, and fetches from it.
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when there is no such row.
  static func updateRow(
    _ record: Record, _ db: Database, in table: String?, _ conflict: Database.ConflictResolution?,
    columns: [String]?, _ selection: [any SQLSelectable], fetch: (Statement) throws -> Void
  ) throws -> PersistenceSuccess {
    let key = try RecordKey(record, db, in: table)
    if key.tableKey.hidesReturnedRows {
      return try updateAndSelect(
        record, db, in: table, conflict, columns: columns, selection, fetch)
    }
    if key.isNull { throw key.recordNotFound }
    let update = try UpdateStatement(
      key.container, columns: columns, conflict ?? updateConflict(record),
      returning: returned(selection), key.cache, db)
    let values = key.container.values(at: update.argumentIndexes)
    do {
      let step = try run(update.text, values, db, fetch)
      guard step.hasRow else { throw key.recordNotFound }
    } catch let error as RecordError where key.isMissing(error) {
      try key.checkVersion(db)
      throw error
    }
    return key.success(updating: columns)
  }

  /// Deletes the row of a record. Returns whether there was one.
  ///
  /// - parameter marksRow: whether the row is marked, if the type has a column for that.
  static func deleteRow(
    _ record: Record, _ db: Database, from table: String?, marksRow: Bool = true
  ) throws -> Bool {
    let key = try RecordKey(record, db, in: table)
    if key.isNull { return false }
    if marksRow, let column = key.cache.deletionColumn {
      return try key.mark(column, of: dynamicType(of: record), db)
    }
    let version = try key.cache.versionIndex(key.container, db)
    return try key.changesRow(db, key.cache.deleteStatement(db).idle(db)) {
      try $0.run(key.container, at: version.map { key.indexes + [$0] } ?? key.indexes)
    }
  }

  /// Runs a statement that returns rows. Arguments of the returned expressions come after the
  /// values.
  static func run(
    _ text: SQLText, _ values: [DatabaseValue], _ db: Database, _ fetch: (Statement) throws -> Void
  ) throws -> StatementFirstStep {
    let statement = try db.internalStatement(sql: text.sql)
    defer { statement.release() }
    let arguments = StatementArguments(values: values)
    try statement.setArguments(text.arguments.isEmpty ? arguments : arguments + text.arguments)
    return try db.owner.throwingPostponedError {
      let (_, firstStep) = try statement.notingFirstStep(fetch)
      guard let firstStep else {
        throw DatabaseError.misuse("the fetch function did not run the statement", sql: text.sql)
      }
      try statement.endExecution()
      return firstStep
    }
  }

  static func returned(_ selection: [any SQLSelectable]) throws -> [SQLSelection] {
    guard !selection.isEmpty else { throw InvalidRequest("Invalid empty selection") }
    return selection.map(\.sqlSelection)
  }

  static func insertConflict(_ record: Record) -> Database.ConflictResolution {
    dynamicType(of: record).persistenceConflictPolicy.conflictResolutionForInsert
  }

  static func updateConflict(_ record: Record) -> Database.ConflictResolution {
    dynamicType(of: record).persistenceConflictPolicy.conflictResolutionForUpdate
  }
}
