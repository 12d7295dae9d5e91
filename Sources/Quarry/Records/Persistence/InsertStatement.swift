/// The insertion of a set of columns: the statement, and where the rowid is.
///
/// The next record nearly always has the same type, columns and conflict resolution as the one
/// before: all that it needs is here, so that nothing is looked up, and no other reference is
/// counted.
final class InsertStatement {
  let recordType: ObjectIdentifier
  let table: String
  let columnSet: ColumnSet
  let conflict: Database.ConflictResolution
  /// The view, whose triggers do the insertion. Nil for a table.
  let view: ViewInsert?
  let encoders: RecordEncoders
  /// See ``PersistenceCache/generation``.
  let generation: Int
  private let statement: Statement
  private var isInUse = false
  /// Resolved after the first insertion, which in a deferred transaction has to be the first
  /// statement that takes a lock. If the table is missing, SQLite's own error is reported first.
  private var isRowIDKnown = false
  /// The column that is an alias of the rowid, and where containers have it.
  private var rowIDColumn: String?
  private var rowIDIndex: Int?

  init(
    _ columnSet: ColumnSet, _ conflict: Database.ConflictResolution,
    rowCount: Int = 1, returning rowIDName: String? = nil, _ cache: RecordTypeCache, _ db: Database
  ) throws {
    recordType = cache.recordType
    table = cache.table
    encoders = cache.encoders
    generation = cache.generation
    self.columnSet = columnSet
    self.conflict = conflict
    let returning = rowIDName.map { SQLSelection(.expression(SQLExpression(.column($0)))) }
    let text = try RecordStatementWriter.insert(
      table: table, columns: columnSet.names, rowCount: rowCount,
      conflict: conflict.keyword, returning: returning.map { [$0] } ?? [], schema: db.schema)
    statement = try db.makeInternalStatement(sql: text.sql)
    view = try ViewInsert(view: table, db)
  }

  /// Whether it inserts the records of a type.
  func inserts<Record: MutablePersistableRecord>(
    _ type: Record.Type, _ conflict: Database.ConflictResolution
  ) -> Bool {
    recordType == ObjectIdentifier(type) && self.conflict == conflict
      && table.hasSameBytes(as: type.databaseTableName)
  }

  /// Inserts a record like the one before.
  func insert<Record: MutablePersistableRecord>(
    _ record: Record, _ db: Database
  ) throws -> InsertionSuccess {
    var container = PersistenceContainer(
      storage: db.slots.use(.recordTypes) { $0.storage(expecting: columnSet) })
    try encoders.filling(ObjectIdentifier(container.storage)) { try record.encode(to: &container) }
    guard generation == db.slots.use(.recordTypes, { $0.generation }),
      container.hasAll(of: columnSet), isRowIDKnown
    else { return try PersistenceEngine.insertRow(consume container, of: record, db, conflict) }
    try withStatement(db) { try $0.run(container) }
    return success(
      consume container, rowID: db.lastInsertedRowID, isWritten: db.changesCount > 0)
  }

  /// Inserts the columns of a record.
  func insert(
    _ container: consuming PersistenceContainer, _ cache: RecordTypeCache, _ db: Database
  ) throws -> InsertionSuccess {
    try withStatement(db) { try $0.run(container) }
    let rowID = db.lastInsertedRowID
    let isWritten = db.changesCount > 0
    if !isRowIDKnown {
      // A view without key has no rowid.
      rowIDColumn = try cache.keyIfKnown(db)?.rowIDColumn
      rowIDIndex = rowIDColumn.flatMap { columnSet.names.index(ofColumn: $0) }
      isRowIDKnown = true
    }
    return success(consume container, rowID: rowID, isWritten: isWritten)
  }

  /// Calls `body` with the statement, or with another one when an insertion is using it.
  ///
  /// Values stay bound until others are bound before the next execution.
  @inline(__always)
  func withStatement<T>(_ db: Database, _ body: (Statement) throws -> T) throws -> T {
    if isInUse { return try body(db.makeInternalStatement(sql: statement.sql)) }
    isInUse = true
    defer { isInUse = false }
    return try body(statement)
  }

  @inline(__always)
  private func success(
    _ container: consuming PersistenceContainer, rowID: Int64, isWritten: Bool
  ) -> InsertionSuccess {
    guard isWritten, let rowIDIndex else {
      return InsertionSuccess(
        container, rowID: rowID, rowIDColumn: rowIDColumn, isWritten: isWritten, conflict)
    }
    container.replaceValue(at: rowIDIndex, with: rowID)
    return InsertionSuccess(
      rowID: rowID, rowIDColumn: rowIDColumn, persistenceContainer: container)
  }
}
