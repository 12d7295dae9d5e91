/// The update of a record: the SQL, and where the container has the values.
final class UpdateStatement {
  let conflict: Database.ConflictResolution
  let text: SQLText
  let statement: KeptStatement
  /// The values of the updated columns.
  private let valueIndexes: [Int]

  /// - parameter columns: the columns to update, all if nil.
  init(
    _ container: PersistenceContainer, columns: Set<String>?,
    _ conflict: Database.ConflictResolution, returning: [SQLSelection] = [],
    _ cache: RecordTypeCache, _ db: Database
  ) throws {
    self.conflict = conflict
    let key = try cache.key(db)
    let updated = Self.updatedColumns(container, requested: columns, key)
    text = try RecordStatementWriter.update(
      table: cache.table, columns: updated.map(\.name), keyColumns: key.columns,
      conflict: conflict.keyword, returning: returning, schema: db.schema)
    statement = KeptStatement(sql: text.sql)
    valueIndexes = updated.map(\.index)
  }

  /// The encoded columns among the requested ones, without the key; the key if there is none.
  private static func updatedColumns(
    _ container: PersistenceContainer, requested: Set<String>?, _ key: TableKey
  ) -> [(name: String, index: Int)] {
    let requested = requested.map { Set($0.map { $0.lowercased() }) }
    let keyColumns = Set(key.columns.map { $0.lowercased() })
    func indexed(_ columns: [String]) -> [(name: String, index: Int)] {
      columns.compactMap { name in container.index(ofColumn: name).map { (name, $0) } }
    }
    let columns = key.tableColumns.filter { name in
      let name = name.lowercased()
      return !keyColumns.contains(name) && requested?.contains(name) ?? true
    }
    let updated = indexed(columns)
    return updated.isEmpty ? indexed(key.columns) : updated
  }

  /// The arguments: updated values, then the key.
  func values(_ container: PersistenceContainer, keyValues: [DatabaseValue]) -> [DatabaseValue] {
    valueIndexes.map { container.value(at: $0) } + keyValues
  }
}
