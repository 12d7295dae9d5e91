/// A row as one value: a record that wraps another one is decoded from the same row.
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
    if type is any DatabaseValueConvertible.Type { throw try missingValue(type) }
    return try T(from: decoder)
  }

  private static func decodeRecord<R: FetchableRecord>(_ type: R.Type, _ row: Row) throws -> Any {
    try R.decodeWithErrors(from: row)
  }

  /// The error for a plain value: a property without column, or a whole row.
  private func missingValue(_ type: Any.Type) throws -> any Error {
    if let key = codingPath.last { return try decoder.context.missingColumn(key) }
    return DecodingError.typeMismatch(
      type,
      .init(codingPath: [], debugDescription: "can't decode a single value from a database row"))
  }

  private func value<V>(_ type: V.Type) throws -> V {
    throw try missingValue(type)
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
