import Foundation

extension FilterClause {
  /// Sorted by name: the order of a dictionary changes from one run to the next. Values are encoded
  /// as the record does.
  static func uniqueKey(
    _ key: [String: (any DatabaseValueConvertible)?], record: any Any.Type
  ) -> [(column: String, value: DatabaseValue)] {
    key.map { (column: $0, value: $1?.storedKey(in: $0, of: record) ?? .null) }
      .sorted { $0.column < $1.column }
  }

  /// The primary key is one of the keys, which are encoded as the record does.
  static func primaryKeys<Keys: Collection>(
    _ keys: Keys, table: String, record: any Any.Type
  ) -> FilterClause where Keys.Element: DatabaseValueConvertible {
    guard ColumnCodings.mayStoreKey(of: record, key: Keys.Element.self) else {
      return .keys(keys.map { $0.databaseValue })
    }
    let encodedKeys = keys.compactMap { EncodedKey($0, record: record) }
    return .deferred(
      Deferred(ofSchema: true) { context in
        let columns = try context.schema.primaryKeyColumns(of: .table(table))
        guard columns.count == 1, let column = columns.first else {
          throw InvalidRequest.compoundPrimaryKey(table, columns: columns)
        }
        let values = try encodedKeys.map { try SQLExpression($0.value(in: column, of: record)) }
        return .membership(try context.schema.keyExpression(column, of: table), in: values)
      })
  }
}

extension RowByKey {
  /// Nil for keys that select no row, for those that the record type encodes, and for types with a
  /// scope.
  init?<Key: DatabaseValueConvertible>(_ key: Key, of type: any TableRecord.Type) {
    if type._deletionColumn != nil || ColumnCodings.mayStoreKey(of: type, key: Key.self) {
      return nil
    }
    self.init(key.databaseValue, of: type, in: type.databaseTableName)
  }
}

/// A key whose database value depends on the column that is the primary key.
private struct EncodedKey: Sendable {
  /// The values of the columns that may be the key, and have a coding.
  private let coded: [(column: String, value: DatabaseValue)]
  /// The key itself, if strategies store its type, and else its database value.
  private let key: any DatabaseValueConvertible & Sendable

  /// Nil for nulls, which are no keys.
  init?(_ key: any DatabaseValueConvertible, record: any Any.Type) {
    let columns = ColumnCodings.of(record)?.keyColumns ?? []
    coded = columns.map { (column: $0, value: key.storedKey(in: $0, of: record)) }
    switch key {
    case let data as Data: self.key = data
    case let date as Date: self.key = date
    case let uuid as UUID: self.key = uuid
    default:
      let value = key.databaseValue
      if value.isNull { return nil }
      self.key = value
    }
  }

  func value(in column: String, of record: any Any.Type) throws -> DatabaseValue {
    let known = coded.first { $0.column.isSameIdentifier(as: column) }
    return try known?.value ?? key.storedValue(in: column, of: record)
  }
}
