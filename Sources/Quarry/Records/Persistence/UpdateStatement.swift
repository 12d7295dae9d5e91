/// The update of a record: the SQL, and where the container has the arguments.
final class UpdateStatement {
  let conflict: Database.ConflictResolution
  /// The columns to update, all if nil.
  let requestedColumns: [String]?
  let text: SQLText
  let statement: KeptStatement
  /// The updated values, then the key.
  let argumentIndexes: [Int?]

  /// - parameter columns: the columns to update, all if nil.
  init(
    _ container: PersistenceContainer, columns: [String]?,
    _ conflict: Database.ConflictResolution, returning: [SQLSelection] = [],
    _ cache: RecordTypeCache, _ db: Database
  ) throws {
    self.conflict = conflict
    requestedColumns = columns
    let key = try cache.key(db)
    let updated = Self.updatedColumns(container, requested: columns, key)
    text = try RecordStatementWriter.update(
      table: cache.table, columns: updated.map(\.name), keyColumns: key.columns,
      conflict: conflict.keyword, returning: returning, schema: db.schema)
    statement = KeptStatement(sql: text.sql)
    argumentIndexes = updated.map(\.index) + key.columns.map { container.index(ofColumn: $0) }
  }

  /// Whether it updates some columns, all if nil. Those of sets come in any order.
  func updates(_ columns: [String]?) -> Bool {
    guard let requestedColumns, let columns else {
      return requestedColumns == nil && columns == nil
    }
    return requestedColumns.hasSameTexts(as: columns)
      || requestedColumns.allSatisfy(columns.containsText)
        && columns.allSatisfy(requestedColumns.containsText)
  }

  /// The encoded columns among the requested ones, without the key; the key if there is none.
  private static func updatedColumns(
    _ container: PersistenceContainer, requested: [String]?, _ key: TableKey
  ) -> [(name: String, index: Int)] {
    let requested = requested.map { Set($0.map(\.identifierKey)) }
    let keyColumns = Set(key.columns.map(\.identifierKey))
    func indexed(_ columns: [String]) -> [(name: String, index: Int)] {
      columns.compactMap { name in container.index(ofColumn: name).map { (name, $0) } }
    }
    let columns = key.tableColumns.filter { name in
      let name = name.identifierKey
      return !keyColumns.contains(name) && requested?.contains(name) ?? true
    }
    let updated = indexed(columns)
    return updated.isEmpty ? indexed(key.columns) : updated
  }
}
