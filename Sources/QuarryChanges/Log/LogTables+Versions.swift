import Foundation
import Quarry

// Versions of rows.
extension LogTables {
  /// The versions of a row, whose content is nil where it is the row of the table.
  func versions(_ key: RowKey, _ db: Database) throws -> [(LogVersion, isInTable: Bool)] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT origin, sequence, time, isDeleted, content FROM \(version)
        WHERE tableName = ? AND rowKey = ?
        """)
    return try Row.fetchAll(statement, arguments: [key.table, Data(key.bytes)]).map { row in
      let content = try (row["content"] as Data?).map { try Changeset(data: $0).rowValues }
      let found = LogVersion(
        origin: row["origin"], sequence: row["sequence"], time: row["time"], values: content)
      return (found, isInTable: content == nil && row["isDeleted"] == false)
    }
  }

  func hiddenKeys(_ db: Database) throws -> [RowKey] {
    try Row.fetchAll(
      db, sql: "SELECT DISTINCT tableName, rowKey FROM \(version) WHERE isHidden"
    ).map { RowKey(table: $0["tableName"], bytes: Array($0["rowKey"] as Data)) }
  }

  func hasHidden(_ db: Database) throws -> Bool {
    try Row.fetchOne(db, sql: "SELECT 1 FROM \(version) WHERE isHidden LIMIT 1") != nil
  }

  /// Sets the only version of a row, which this database has written.
  func setVersion(
    _ key: RowKey, isDeleted: Bool, _ identity: String, _ sequence: Int64, _ time: Int64,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "DELETE FROM \(version) WHERE tableName = ? AND rowKey = ? AND origin <> ?"
    ).execute(arguments: [key.table, Data(key.bytes), identity])
    try insert(key, identity, sequence, time, isDeleted: isDeleted, isHidden: false, nil, db)
  }

  /// Sets the versions of a row.
  ///
  /// - parameter isInTable: Whether the row of the table is that of the only version.
  func setVersions(
    _ key: RowKey, _ versions: [LogVersion], of table: LogTable, isHidden: Bool, isInTable: Bool,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "DELETE FROM \(version) WHERE tableName = ? AND rowKey = ?"
    ).execute(arguments: [key.table, Data(key.bytes)])
    for version in versions {
      let content = version.values.flatMap { isInTable ? nil : Changeset(row: $0, of: table) }
      try insert(
        key, version.origin, version.sequence, version.time, isDeleted: version.values == nil,
        isHidden: isHidden, content, db)
    }
  }

  private func insert(
    _ key: RowKey, _ origin: String, _ sequence: Int64, _ time: Int64, isDeleted: Bool,
    isHidden: Bool, _ content: Changeset?, _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ).execute(
      arguments: [
        key.table, Data(key.bytes), origin, sequence, time, isDeleted, isHidden, content,
      ])
  }
}

extension Changeset {
  /// A row as an insertion.
  fileprivate init(row values: [DatabaseValue], of table: LogTable) {
    var writer = ChangesetWriter()
    let positions = Array(table.keyPositions.prefix(values.count))
    writer.append(of: table.name, positions, from: nil, to: values)
    self.init(checked: writer.bytes, isPatchset: false)
  }

  /// The row of an insertion.
  fileprivate var rowValues: [DatabaseValue] {
    (changes.first?.newValues ?? []).map { $0 ?? .null }
  }
}

extension LogTables {
  /// The versions of a row with their content, the newest one last.
  func fullVersions(
    _ key: RowKey, _ current: [DatabaseValue]?, _ db: Database
  ) throws -> [LogVersion] {
    try versions(key, db).map { version, isInTable in
      isInTable ? version.with(current) : version
    }.sorted { $1.isNewer(than: $0) }
  }
}

extension LogVersion {
  func with(_ values: [DatabaseValue]?) -> LogVersion {
    LogVersion(origin: origin, sequence: sequence, time: time, values: values)
  }

  /// The version of a row that was there before the log.
  static func before(_ values: [DatabaseValue]?) -> LogVersion {
    LogVersion(origin: "", sequence: 0, time: 0, values: values)
  }
}
