/// A row as one value: a record that wraps another one is decoded from the same row, and one that is a plain value from
/// the first column.
struct RowValueContainer: SingleValueDecodingContainer {
  private let decoder: RecordDecoder

  init(decoder: RecordDecoder) {
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    guard let row = try? decoder.context.row() else { return true }
    return !row.containsNonNullValue
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let record = type as? any FetchableRecord.Type {
      let value = try Self.decodeRecord(record, decoder.context.row())
      if let value = value as? T { return value }
    }
    guard type.isColumnValue else { return try T(from: decoder) }
    let column = try valueColumn(type)
    return try decoder.context.columnProperty(type, 0, column).decode(decoder.context.row())
  }

  private static func decodeRecord<R: FetchableRecord>(_ type: R.Type, _ row: Row) throws -> Any {
    try R.decodeWithErrors(from: row)
  }

  /// The name of the first column: the one of a plain value.
  ///
  /// - Throws: an error for a nested type: its property has no column.
  private func valueColumn(_ type: Any.Type) throws -> ColumnKey {
    let context = decoder.context
    let row = try context.row()
    if context.style != .nested, let name = row.layout.columnNames.first {
      return ColumnKey(stringValue: name)
    }
    if let key = codingPath.last { throw try context.missingColumn(key) }
    throw DecodingError.typeMismatch(
      type,
      .init(codingPath: [], debugDescription: "can't decode a single value from an empty row"))
  }

  private func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type
  ) throws -> V {
    _ = try valueColumn(type)
    return try decoder.context.row().decode(type, atIndex: 0)
  }

  func decode(_ type: Bool.Type) throws -> Bool { try value(type) }
  func decode(_ type: String.Type) throws -> String { try value(type) }
  func decode(_ type: Double.Type) throws -> Double { try value(type) }
  func decode(_ type: Float.Type) throws -> Float { try value(type) }
  func decode(_ type: Int.Type) throws -> Int { try value(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try value(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value(type) }
}

/// The name of a column, as the key of a value that has none.
private struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
