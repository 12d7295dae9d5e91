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
      let content = try (row["content"] as Data?).map { try Changeset(data: $0).changes }
      let found = LogVersion(
        origin: row["origin"], sequence: row["sequence"], time: row["time"],
        values: content?.rowValues, columns: content?.rowColumns)
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
      let content = isInTable ? nil : Changeset(version, of: table)
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

// The content of a version is an insertion of its row, and one of the names of its columns, if they
// are known. Earlier versions have stored and read the first one only.
extension Changeset {
  /// The content of a version. Nil for a deletion.
  fileprivate init?(_ version: LogVersion, of table: LogTable) {
    guard let values = version.values else { return nil }
    let columns = version.columns ?? Array(table.columns.prefix(values.count))
    // A changeset has a key, which may be any of its columns.
    let positions: [UInt8] = values.indices.map { $0 == 0 ? 1 : 0 }
    var writer = ChangesetWriter()
    writer.append(.insert, of: table.name, positions, new: values)
    if columns.count == values.count {
      let names: [DatabaseValue] = columns.map(\.databaseValue)
      writer.append(.insert, of: table.name, positions, new: names)
    }
    self.init(checked: writer.bytes, isPatchset: false)
  }
}

extension [Change] {
  /// The row of a content.
  fileprivate var rowValues: [DatabaseValue] { (first?.newValues ?? []).map { $0 ?? .null } }

  /// The columns of the row.
  fileprivate var rowColumns: [String]? {
    dropFirst().first?.newValues?.map { $0.flatMap(String.fromDatabaseValue) ?? "" }
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
    LogVersion(
      origin: origin, sequence: sequence, time: time, values: values, columns: columns)
  }

  /// The version of a row that was there before the log.
  static func before(_ values: [DatabaseValue]?) -> LogVersion {
    LogVersion(origin: "", sequence: 0, time: 0, values: values)
  }
}
