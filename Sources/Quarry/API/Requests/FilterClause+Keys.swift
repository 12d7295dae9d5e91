import Foundation

extension FilterClause {
  /// Sorted by name: the order of a dictionary changes from one run to the next.
  static func uniqueKey(
    _ key: [String: (any DatabaseValueConvertible)?]
  ) -> [(column: String, value: DatabaseValue)] {
    key
      .map { (column: $0.key, value: $0.value?.databaseValue ?? .null) }
      .sorted { $0.column < $1.column }
  }

  /// Whether the record type decides how keys of a type are stored.
  static func encodesKeys(_ type: any Any.Type) -> Bool { EncodedKey.isNeeded(for: type) }

  /// The primary key is one of the keys. Dates, data and UUIDs are encoded as the record does.
  static func primaryKeys<Keys: Collection, RowDecoder>(
    _ keys: Keys, table: String, record: RowDecoder.Type
  ) -> FilterClause where Keys.Element: DatabaseValueConvertible {
    guard EncodedKey.isNeeded(for: Keys.Element.self),
      let recordType = RowDecoder.self as? any EncodableRecord.Type
    else {
      return .keys(keys.map { $0.databaseValue })
    }
    let encodedKeys = keys.compactMap { EncodedKey($0) }
    return .deferred(
      Deferred(ofSchema: true) { context in
        let columns = try context.schema.primaryKey(of: table).columns
        guard columns.count == 1, let column = columns.first else {
          throw InvalidRequest.compoundPrimaryKey(table, columns: columns)
        }
        let values = try encodedKeys.map {
          try SQLExpression($0.databaseValue(in: recordType, column: column))
        }
        return .membership(SQLExpression(.column(column)), in: values)
      })
  }
}

extension RowByKey {
  /// Nil for keys that select no row, for those that the record type encodes, and for types with a
  /// scope.
  init?<Key: DatabaseValueConvertible>(_ key: Key, of type: any TableRecord.Type) {
    guard !EncodedKey.isNeeded(for: Key.self), type._deletionColumn == nil else { return nil }
    self.init(key.databaseValue, of: type, in: type.databaseTableName)
  }
}

/// A key whose database value depends on the strategies of the record type.
private enum EncodedKey {
  case data(Data)
  case date(Date)
  case uuid(UUID)

  /// Not `any DatabaseValueConvertible.Type`: looking conformances up would cost more than the
  /// comparisons.
  static func isNeeded(for type: any Any.Type) -> Bool {
    type == UUID.self || type == Date.self || type == Data.self
      || type == UUID?.self || type == Date?.self || type == Data?.self
  }

  /// Nil for nulls, which are no keys.
  init?(_ key: any DatabaseValueConvertible) {
    switch key {
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date)
    case let uuid as UUID: self = .uuid(uuid)
    default: return nil
    }
  }

  func databaseValue(
    in recordType: any EncodableRecord.Type, column: String
  ) throws -> DatabaseValue {
    switch self {
    case .data(let data):
      try recordType.databaseDataEncodingStrategy(for: column).encode(data)
    case .date(let date):
      try recordType.databaseDateEncodingStrategy(for: column).encode(date)
    case .uuid(let uuid):
      recordType.databaseUUIDEncodingStrategy(for: column).encode(uuid)
    }
  }
}
