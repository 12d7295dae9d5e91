/// The primary key of a table or view.
final class TableKey {
  let columns: [String]
  let rowIDColumn: String?
  /// The name of the rowid in SQL, nil without rowid.
  let rowIDName: String?
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
    isView = try schema.isView(table)
    hidesReturnedRows = try schema.hidesReturnedRows(table)
    tableColumns = try schema.columnNames(of: table)
    tableColumnSet = Set(tableColumns)
  }
}

/// The key of a record, from its columns.
struct RecordKey<Record: MutablePersistableRecord> {
  let cache: RecordTypeCache
  let container: PersistenceContainer
  let columns: [String]
  let isView: Bool
  var table: String { cache.table }
  /// The values of the key, in the order of its columns, or nil when all are NULL.
  let orderedValues: [DatabaseValue]?

  init(_ record: Record, _ db: Database) throws {
    (cache, container) = try db.encode(record)
    let key = try cache.key(db)
    columns = key.columns
    isView = key.isView
    let container = container
    let values = try cache.keyIndexes(container, db).map { index in
      index.map { container.value(at: $0) } ?? .null
    }
    orderedValues = values.allSatisfy { $0.isNull } ? nil : values
  }

  /// The values of the key by column, or nil when all are NULL.
  var values: [String: DatabaseValue]? {
    guard let orderedValues else { return nil }
    return Dictionary(zip(columns, orderedValues), uniquingKeysWith: { first, _ in first })
  }

  /// Whether an error is the one of an update without a row.
  func isMissing(_ error: RecordError) -> Bool {
    guard let values, case .recordNotFound(let table, let key) = error else { return false }
    return table == self.table && key == values
  }

  /// - Throws: ``RecordError/recordNotFound(databaseTableName:key:)`` when all values are NULL.
  func requireValues() throws -> [DatabaseValue] {
    guard let orderedValues else { throw recordNotFound }
    return orderedValues
  }

  /// The error for a record that is not in its table.
  var recordNotFound: RecordError {
    container.recordNotFound(table: table, keyColumns: columns)
  }
}
