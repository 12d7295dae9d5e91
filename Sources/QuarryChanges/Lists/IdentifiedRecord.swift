import Quarry

/// The values that identify a record in a list.
struct RecordKey: Hashable, Sendable {
  let values: [DatabaseValue]
}

/// The content of a row: its values, with those of associated rows, as SQLite stores them.
struct RowContent: Equatable, Sendable {
  private let values: [DatabaseValue.Storage]
  private let scopes: [String: RowContent]
  private let prefetchedRows: [String: [RowContent]]

  init(_ row: Row) {
    values = row.databaseValues.map(\.storage)
    scopes = Dictionary(uniqueKeysWithValues: row.scopes.map { ($0.name, RowContent($0.row)) })
    var prefetchedRows: [String: [RowContent]] = [:]
    for key in row.prefetchedRows.keys {
      prefetchedRows[key] = row.prefetchedRows[key]?.map { RowContent($0) }
    }
    self.prefetchedRows = prefetchedRows
  }
}

/// A record of a list, with what is compared. An object, since lists are copied.
final class IdentifiedRecord<Record> {
  let key: RecordKey
  let content: RowContent
  let record: Record
  /// Nil where it is not known.
  let place: RowPlace?

  init(key: RecordKey, content: RowContent, record: Record, place: RowPlace? = nil) {
    self.key = key
    self.content = content
    self.record = record
    self.place = place
  }
}

extension IdentifiedRecord: Sendable where Record: Sendable {}

extension IdentifiedRecord where Record: FetchableRecord {
  /// The records of rows.
  ///
  /// - throws: `DatabaseError` for rows without the columns of the key, and for two rows with equal
  ///   keys.
  static func all(
    _ rows: [Row], identifiedBy columns: [String], place: (Row) -> RowPlace? = { _ in nil }
  ) throws -> [IdentifiedRecord] {
    var keys: Set<RecordKey> = []
    return try rows.map { row in
      let element = IdentifiedRecord(
        key: try RecordKey(row, columns, Record.self), content: RowContent(row),
        record: try Record(row: row), place: place(row))
      guard keys.insert(element.key).inserted else {
        throw observationError(
          "the request of changes has two rows of \(Record.self) with the key "
            + "\(element.key.description(columns)): changes are those of one row with a key. Make "
            + "the key unique by `identifiedBy`, or join no association to many records")
      }
      return element
    }
  }
}

private func observationError(_ message: String) -> DatabaseError {
  DatabaseError(resultCode: .SQLITE_MISUSE, message: message)
}

extension RecordKey {
  fileprivate init<Record>(_ row: Row, _ columns: [String], _ type: Record.Type) throws {
    values = try columns.map { column in
      guard row.hasColumn(column) else {
        throw observationError(
          "the request of changes does not select \(column), which identifies a row of "
            + "\(type): select it, or name other columns by `identifiedBy`")
      }
      return row[column] as DatabaseValue
    }
  }

  fileprivate func description(_ columns: [String]) -> String {
    zip(columns, values).map { "\($0): \($1)" }.joined(separator: ", ")
  }
}

extension Database {
  /// The columns of the primary key of a record type, or the rowid.
  func keyColumns<Record: FetchableRecord>(of type: Record.Type) throws -> [String] {
    guard let table = (Record.self as? any TableRecord.Type)?.databaseTableName,
      try tableExists(table)
    else {
      throw observationError(
        "changes of \(type) need columns that identify a row, since it has no table with a primary "
          + "key: name them by `identifiedBy`")
    }
    return try primaryKeyColumns(table)
  }
}
