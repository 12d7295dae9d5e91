/// The update of a record: the SQL, and where the container has the arguments.
final class UpdateStatement {
  let text: SQLText
  let statement: KeptStatement
  /// The updated values, then the key and the version.
  let argumentIndexes: [Int?]

  /// - parameter columns: the columns to update, all if nil.
  init(
    _ container: PersistenceContainer, columns: [String]?,
    _ conflict: Database.ConflictResolution, returning: [SQLSelection] = [],
    _ cache: RecordTypeCache, _ db: Database
  ) throws {
    let key = try cache.key(db)
    let version = try cache.versionIndex(container, db)
    let updated = Self.updatedColumns(container, requested: columns, key, cache.versionColumn)
    text = try RecordStatementWriter.update(
      table: cache.table, columns: updated.map(\.name), keyColumns: key.columns,
      versionColumn: cache.versionColumn, conflict: conflict.keyword, returning: returning,
      schema: db.schema)
    statement = KeptStatement(sql: text.sql)
    argumentIndexes =
      updated.map(\.index) + key.columns.map { container.index(ofColumn: $0) }
      + (version.map { [$0] } ?? [])
  }

  /// The encoded columns among the requested ones, without the key and the version; the key if
  /// there is none.
  private static func updatedColumns(
    _ container: PersistenceContainer, requested: [String]?, _ key: TableKey, _ version: String?
  ) -> [(name: String, index: Int)] {
    let requested = requested.map { Set($0.map(\.identifierKey)) }
    let keyColumns = Set((key.columns + (version.map { [$0] } ?? [])).map(\.identifierKey))
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
