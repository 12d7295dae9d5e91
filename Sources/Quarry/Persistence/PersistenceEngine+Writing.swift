// One write: the record is encoded, the statement bound and run.

extension PersistenceEngine {
  /// Inserts the row of a record.
  @usableFromInline
  static func insertRow(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?
  ) throws -> InsertionSuccess {
    let (plan, container) = try db.encode(record)
    let insertion = try plan.insertion(container, conflict ?? insertConflict(record), db)
    // What stays bound is bound again before the next execution.
    let statement = try insertion.idleStatement(db)
    if let view = insertion.view { return try view.insert(container, statement, db) }
    try statement.run(container)
    return try insertion.success(
      consume container, rowID: db.lastInsertedRowID, plan: plan, db)
  }

  /// Inserts the row of a record by a rule.
  static func insertRow(
    _ record: Record, _ db: Database, _ rule: InsertionRule
  ) throws -> InsertionSuccess {
    if rule.insertsPlainly { return try insertRow(record, db, rule.conflict) }
    let (plan, encoded) = try db.encode(record)
    let container = rule.columns.written(encoded)
    let text = try insertion(container, into: plan.table, rule, of: record, db)
    let statement = try db.internalStatement(sql: text.sql)
    defer { statement.release() }
    if let view = try ViewInsertion(view: plan.table, db) {
      return try view.insert(container, statement, db)
    }
    try statement.run(container)
    let step = StatementFirstStep(rowID: db.lastInsertedRowID, hasRow: db.changesCount > 0)
    return try success(container, plan, rule, step, db)
  }

  /// Inserts the row of a record by a rule, and fetches from it.
  static func insertRow<T>(
    _ record: Record, _ db: Database, _ rule: InsertionRule,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> (InsertionSuccess, T) {
    if try db.schema.hidesReturnedRows(db.persistencePlan(for: record).table) {
      return try insertAndSelect(record, db, rule, selection: selection, fetch: fetch)
    }
    let (plan, encoded) = try db.encode(record)
    let container = rule.columns.written(encoded)
    let text = try insertion(
      container, into: plan.table, rule, of: record, returning: returned(selection), db)
    let (fetched, step) = try run(text, container.values, db, fetch)
    return (try success(container, plan, rule, step, db), fetched)
  }

  private static func insertion(
    _ container: PersistenceContainer, into table: String, _ rule: InsertionRule,
    of record: Record, returning: [SQLSelection] = [], _ db: Database
  ) throws -> SQLText {
    try RecordWriter.insert(
      table: table, columns: Array(container.columns),
      conflict: (rule.conflict ?? insertConflict(record)).keyword, ignoring: rule.ignoredKey,
      returning: returning, schema: db.schema)
  }

  private static func success(
    _ container: PersistenceContainer, _ plan: PersistencePlan, _ rule: InsertionRule,
    _ step: StatementFirstStep, _ db: Database
  ) throws -> InsertionSuccess {
    if rule.ignoredKey != nil, !step.hasRow { throw NothingInserted() }
    return try InsertionSuccess(
      container, rowID: step.rowID, rowIDColumn: plan.keyIfKnown(db)?.rowIDColumn)
  }

  /// Updates the row of a record: all columns, if `columns` is nil.
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when there is no such row.
  static func updateRow(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?,
    columns: Set<String>?
  ) throws -> PersistenceSuccess {
    let key = try RecordKey(record, db)
    let keyValues = try key.requireValues()
    let conflict = conflict ?? updateConflict(record)
    let update =
      if let columns {
        try RecordUpdate(key.container, columns: columns, conflict, plan: key.plan, db)
      } else {
        try key.plan.fullUpdate(key.container, conflict, db)
      }
    let statement = try update.statement.idle(db)
    defer { statement.release() }
    try statement.bind(update.values(key.container, keyValues: keyValues))
    guard try db.changes(isView: key.isView, { try statement.run() }) > 0 else {
      throw key.recordNotFound
    }
    return PersistenceSuccess(persistenceContainer: key.container)
  }

  /// Updates the row of a record, and fetches from it.
  ///
  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when there is no such row.
  static func updateRow<T>(
    _ record: Record, _ db: Database, _ conflict: Database.ConflictResolution?,
    columns: Set<String>?, selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> (PersistenceSuccess, T) {
    let key = try RecordKey(record, db)
    if try key.plan.key(db).hidesReturnedRows {
      return try updateAndSelect(
        record, db, conflict, columns: columns, selection: selection, fetch: fetch)
    }
    let keyValues = try key.requireValues()
    let update = try RecordUpdate(
      key.container, columns: columns, conflict ?? updateConflict(record),
      returning: returned(selection),
      plan: key.plan, db)
    let values = update.values(key.container, keyValues: keyValues)
    let (fetched, step) = try run(update.text, values, db, fetch)
    guard step.hasRow else { throw key.recordNotFound }
    return (PersistenceSuccess(persistenceContainer: key.container), fetched)
  }

  /// Deletes the row of a record. Returns whether there was one.
  static func deleteRow(_ record: Record, _ db: Database) throws -> Bool {
    let key = try RecordKey(record, db)
    guard let values = key.orderedValues else { return false }
    let statement = try key.plan.deletion(db).idle(db)
    defer { statement.release() }
    try statement.bind(values)
    return try db.changes(isView: key.isView) { try statement.run() } > 0
  }

  /// Returns whether the row of a record exists.
  static func rowExists(_ record: Record, _ db: Database) throws -> Bool {
    let key = try RecordKey(record, db)
    guard let values = key.orderedValues else { return false }
    let statement = try key.plan.existence(db).idle(db)
    return try Bool.fetchOne(statement, arguments: StatementArguments(values: values)) ?? false
  }

  /// Runs a statement that returns rows. Arguments of the returned expressions come after the values.
  static func run<T>(
    _ text: SQLText, _ values: [DatabaseValue], _ db: Database, _ fetch: (Statement) throws -> T
  ) throws -> (T, StatementFirstStep) {
    let statement = try db.internalStatement(sql: text.sql)
    defer { statement.release() }
    try db.owner.throwPostponedError()
    try statement.bind(values, then: text.arguments)
    let (result, firstStep) = try statement.notingFirstStep(fetch)
    guard let firstStep else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "the fetch function did not run the statement",
        sql: text.sql)
    }
    try statement.endExecution()
    try db.owner.throwPostponedError()
    return (result, firstStep)
  }

  static func returned(_ selection: [any SQLSelectable]) throws -> [SQLSelection] {
    guard !selection.isEmpty else { throw InvalidRequest("Invalid empty selection") }
    return selection.map(\.sqlSelection)
  }

  private static func insertConflict(_ record: Record) -> Database.ConflictResolution {
    dynamicType(of: record).persistenceConflictPolicy.conflictResolutionForInsert
  }

  private static func updateConflict(_ record: Record) -> Database.ConflictResolution {
    dynamicType(of: record).persistenceConflictPolicy.conflictResolutionForUpdate
  }
}
