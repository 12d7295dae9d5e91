/// The table, the encoders and the statements for a type of records.
///
/// Records of a type nearly always encode the same columns, or some few sets of columns: the
/// statements for a set serve all records that have it.
final class RecordTypeCache {
  let recordType: ObjectIdentifier
  let table: String
  /// Whether the application has chosen the table: it is not that of the type.
  let isChosen: Bool
  /// See ``MutablePersistableRecord/_versionColumn``.
  let versionColumn: String?
  let checkedType: (any _CheckedRecord.Type)?
  /// See ``TableRecord/_deletionColumn``.
  let deletionColumn: String?
  let encoders = RecordEncoders()
  let generation: Int
  /// The columns of the last record.
  private var columns = ColumnStatements(ColumnSet(names: []))
  private var knownColumns = RecentValues<[BinaryText], ColumnStatements>(capacity: 16)
  private var key: TableKey?
  private var knownDelete: KeptStatement?
  private var knownExists: KeptStatement?
  /// Whether the type is known to have no callbacks around insertions.
  var hasDefaultAroundCallbacks = false

  init<Record: MutablePersistableRecord>(
    _ recordType: Record.Type, table: String, isChosen: Bool = false, generation: Int
  ) {
    self.recordType = ObjectIdentifier(recordType)
    self.table = table
    versionColumn = recordType._versionColumn
    checkedType = recordType as? any _CheckedRecord.Type
    deletionColumn = recordType._deletionColumn
    self.isChosen = isChosen
    self.generation = generation
  }

  /// The primary key of the table, which identifies its rows.
  ///
  /// - Throws: ``DatabaseError`` for a view whose key is unknown, and `InvalidRequest` for a rowid
  ///   without name.
  func key(_ db: Database) throws -> TableKey {
    let key = try keyOfInsertion(db)
    guard key.isNamed else { throw InvalidRequest.namelessRowID(of: .table(table)) }
    return key
  }

  /// The primary key of the table, which may identify no rows.
  ///
  /// - Throws: ``DatabaseError`` for a view whose key is unknown.
  func keyOfInsertion(_ db: Database) throws -> TableKey {
    if let key = try keyIfKnown(db) { return key }
    throw DatabaseError.viewWithoutPrimaryKey(table)
  }

  /// The primary key of the table, or nil for a view whose key is unknown.
  func keyIfKnown(_ db: Database) throws -> TableKey? {
    if let key { return key }
    key = try TableKey(table: table, schema: db.schema)
    return key
  }
}

// The columns of records.
extension RecordTypeCache {
  /// The columns of a record.
  ///
  /// - Throws: the error of the record, or the one of a record without columns, or with a value
  ///   that SQLite can't store.
  func encode<Record: EncodableRecord>(
    _ record: Record, _ owner: PersistenceCache
  ) throws -> PersistenceContainer {
    // It expects the columns of the record before.
    var container = PersistenceContainer(storage: owner.storage(expecting: columns.columnSet))
    try encoders.filling(ObjectIdentifier(container.storage)) { try container.fill(from: record) }
    try finish(&container, of: dynamicType(of: record))
    return container
  }

  /// Checks the columns of a record, and finds their set.
  ///
  /// See ``encode(_:_:)``.
  func finish(
    _ container: inout PersistenceContainer, of recordType: @autoclosure () -> Any.Type
  ) throws {
    guard !container.isEmpty else {
      throw InvalidRequest("\(recordType()): invalid empty persistence container")
    }
    try container.checkValues(of: recordType())
    if container.columnSet == nil {
      let names = container.columns
      columns = knownColumns.value(names.map { BinaryText($0) }) {
        ColumnStatements(ColumnSet(names: Array(names)))
      }
      container.uniqueStorage().columnSet = columns.columnSet
    }
  }

  /// The statements for a set of columns. Nothing is kept for a container whose columns have
  /// changed since it was encoded.
  @inline(__always) private func statements(for columnSet: ColumnSet?) -> ColumnStatements {
    columns.columnSet === columnSet ? columns : knownStatements(for: columnSet)
  }

  private func knownStatements(for columnSet: ColumnSet?) -> ColumnStatements {
    let known = columnSet.flatMap { knownColumns.value($0.names.map { BinaryText($0) }) }
    return known ?? ColumnStatements(columnSet ?? ColumnSet(names: []))
  }
}

// The statements.
extension RecordTypeCache {
  /// The indexes of the columns of the key in a container.
  func keyIndexes(_ container: PersistenceContainer, _ db: Database) throws -> [Int?] {
    let columns = statements(for: container.columnSet)
    if let indexes = columns.keyIndexes { return indexes }
    let indexes = try key(db).columns.map { container.index(ofColumn: $0) }
    columns.keyIndexes = indexes
    return indexes
  }

  /// The insertion of rows with a set of columns.
  func insertStatement(
    _ columnSet: ColumnSet?, _ conflict: Database.ConflictResolution, rowCount: Int = 1,
    returning rowIDName: String? = nil, _ db: Database
  ) throws -> InsertStatement {
    let columns = statements(for: columnSet)
    let key = InsertKey(
      conflict: conflict, rowCount: rowCount, rowIDName: rowIDName.map { BinaryText($0) })
    if let known = columns.inserts.value(key) { return known }
    let new = try InsertStatement(
      columns.columnSet, conflict, rowCount: rowCount, returning: rowIDName, self, db)
    columns.inserts.insert(new, key)
    return new
  }

  /// The update of some columns, all if nil.
  func updateStatement(
    _ container: PersistenceContainer, columns requested: [String]?,
    _ conflict: Database.ConflictResolution, _ db: Database
  ) throws -> UpdateStatement {
    let columns = statements(for: container.columnSet)
    let key = UpdateKey(conflict: conflict, columns: requested)
    if let known = columns.updates.value(key) { return known }
    let new = try UpdateStatement(container, columns: requested, conflict, self, db)
    columns.updates.insert(new, key)
    return new
  }

  /// The deletion of the row with a key.
  func deleteStatement(_ db: Database) throws -> KeptStatement {
    if let knownDelete { return knownDelete }
    let delete = try KeptStatement(
      sql: RecordStatementWriter.delete(
        table: table, keyColumns: key(db).columns + (versionColumn.map { [$0] } ?? []),
        schema: db.schema))
    knownDelete = delete
    return delete
  }

  /// The query that returns whether there is a row with a key.
  func existsStatement(_ db: Database) throws -> KeptStatement {
    if let knownExists { return knownExists }
    let exists = try KeptStatement(
      sql: RecordStatementWriter.exists(
        table: table, keyColumns: key(db).columns, nullColumn: deletionColumn, schema: db.schema))
    knownExists = exists
    return exists
  }
}
