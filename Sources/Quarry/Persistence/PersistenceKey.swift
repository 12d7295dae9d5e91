/// How the rows of a table are identified.
final class PersistenceKey {
  let columns: [String]
  let rowIDColumn: String?
  /// What SQL calls the rowid, nil without rowid.
  let rowIDName: String?
  let isView: Bool
  /// True for views and virtual tables: `RETURNING` does not tell their rows.
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
  let plan: PersistencePlan
  let container: PersistenceContainer
  let columns: [String]
  let isView: Bool
  var table: String { plan.table }
  /// The values of the key, in the order of its columns, or nil when all are NULL.
  let orderedValues: [DatabaseValue]?

  init(_ record: Record, _ db: Database) throws {
    (plan, container) = try db.encode(record)
    let key = try plan.key(db)
    columns = key.columns
    isView = key.isView
    let container = container
    let values = try plan.keyIndexes(container, db).map { index in
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
