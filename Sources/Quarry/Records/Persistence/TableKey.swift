/// The primary key of a table or view.
final class TableKey {
  let columns: [String]
  let rowIDColumn: String?
  /// The name of the rowid in SQL, nil without rowid, and where columns have all its names.
  let rowIDName: String?
  let hasNamelessRowID: Bool
  /// See ``PrimaryKeyInfo/isNamed``.
  let isNamed: Bool
  let isView: Bool
  /// Whether `RETURNING` does not report the rows that are written: for views and virtual tables.
  let hidesReturnedRows: Bool
  /// All columns of the table, in order.
  let tableColumns: [String]
  let tableColumnSet: Set<String>

  init?(table: String, schema: any SchemaReader) throws {
    guard let key = try schema.primaryKeyIfKnown(of: table) else { return nil }
    columns = key.columns
    rowIDColumn = key.rowIDColumn
    rowIDName = key.rowIDName
    hasNamelessRowID = try key.rowIDName == nil && schema.hasRowID(table)
    isNamed = key.isNamed
    isView = try schema.isView(table)
    hidesReturnedRows = try schema.hidesReturnedRows(table)
    tableColumns = try schema.columnNames(of: table)
    tableColumnSet = Set(tableColumns)
  }
}

/// The columns of a record, and its key among them.
struct RecordKey {
  let cache: RecordTypeCache
  let container: PersistenceContainer
  let tableKey: TableKey
  /// Where the container has the columns of the key, in their order.
  let indexes: [Int?]

  init(_ record: some MutablePersistableRecord, _ db: Database, in table: String? = nil) throws {
    (cache, container) = try db.encode(record, in: table)
    tableKey = try cache.key(db)
    indexes = try cache.keyIndexes(container, db)
  }

  /// The columns, which nobody else has then.
  consuming func encoded() -> (RecordTypeCache, PersistenceContainer) { (cache, container) }

  /// Whether all values of the key are NULL.
  var isNull: Bool {
    indexes.allSatisfy { index in index.map { container.isNull(at: $0) } ?? true }
  }

  /// Whether a value of the key is NULL: no row is the one of the record then, also where others
  /// have NULL there.
  var hasNull: Bool { indexes.contains { index in index.map { container.isNull(at: $0) } ?? true } }

  /// Whether an error is the one of an update without a row.
  func isMissing(_ error: RecordError) -> Bool {
    switch error {
    case .recordNotFound(let table, let key): table.hasSameBytes(as: cache.table) && key == values
    }
  }

  /// The error for a record that is not in its table.
  var recordNotFound: RecordError { .recordNotFound(databaseTableName: cache.table, key: values) }

  /// The key, by column.
  var values: [String: DatabaseValue] { container.values(of: tableKey.columns) }

  /// The result of an update of some columns, all if nil.
  func success(updating columns: [String]?) -> PersistenceSuccess {
    PersistenceSuccess(
      persistenceContainer: container, updatedColumns: columns.map { [$0, tableKey.columns] })
  }

  /// Returns whether there is a row with the key.
  func exists(_ db: Database) throws -> Bool {
    if isNull { return false }
    let statement = try cache.existsStatement(db).idle(db)
    let values = container.values(at: indexes)
    return try Bool.fetchOne(statement, arguments: StatementArguments(values: values)) ?? false
  }

  /// Runs a statement, and returns whether it changed the row.
  func changesRow(
    _ db: Database, _ statement: Statement, _ run: (Statement) throws -> Void
  ) throws -> Bool {
    let count = try db.changes(isView: tableKey.isView) { try statement.use(run) }
    if count == 0 { try checkVersion(db) }
    return count > 0
  }
}
