import Foundation

/// Decodes a single value from a column.
final class ColumnValueDecoder: Decoder, SingleValueDecodingContainer {
  private let context: RowDecodingContext
  private let column: Int
  private let key: any CodingKey

  /// True if a value, and not only a container, was asked for.
  private(set) var didReadValue = false

  /// How often the row had moved when it was decoded.
  private var moveCount: Int

  /// The decoder of the wrapped value, for the types that wrap a value.
  private var wrapped: (type: ObjectIdentifier, property: AnyObject)?

  init(_ context: RowDecodingContext, column: Int, key: any CodingKey) {
    self.context = context
    self.column = column
    self.key = key
    moveCount = (try? context.row())?.root.moveCount ?? 0
  }

  /// The row, unless it has moved since it was decoded.
  private func row() throws -> Row {
    let row = try context.row()
    guard row.root.moveCount == moveCount else { throw RowDecodingContext.escapedContainer }
    return row
  }

  /// Decodes a type that decodes itself.
  ///
  /// - Throws: `JSONRequiredError` when the value must be decoded as JSON.
  func decode<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
    didReadValue = false
    moveCount = row.root.moveCount
    do {
      return try T(from: self)
    } catch let error as DecodingError {
      throw error.inColumn(column, of: row, recordType: context.recordType)
    }
  }

  var codingPath: [any CodingKey] { context.codingPath + [key] }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw JSONRequiredError()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw JSONRequiredError()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    didReadValue = true
    return self
  }

  func decodeNil() -> Bool {
    (try? row().isNull(at: column)) ?? true
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let row = try row()
    if let wrapped, wrapped.type == ObjectIdentifier(type) {
      return try unsafe unsafeDowncast(wrapped.property, to: PropertyDecoder<T>.self).decode(row)
    }
    guard type.isColumnValue else { return try T(from: self) }
    let property = context.columnProperty(type, column, key)
    wrapped = (type: ObjectIdentifier(type), property: property)
    return try property.decode(row)
  }

  @inline(__always) private func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type
  ) throws -> V {
    try row().decode(type, atIndex: column)
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

/// Decodes JSON from a column, with one `JSONDecoder` for all rows.
struct JSONColumnDecoder {
  private let context: RowDecodingContext
  private let column: Int
  private let key: any CodingKey
  private let decoder: JSONDecoder

  init(_ context: RowDecodingContext, column: Int, key: any CodingKey) {
    self.context = context
    self.column = column
    self.key = key
    decoder = context.recordType.databaseJSONDecoder(for: key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
    do {
      // A copy: the initialisers of the decoded types may end the statement that has the bytes.
      let json = try row.withUnsafeData(atIndex: column) { data in
        data.map { unsafe $0.withUnsafeBytes { bytes in unsafe Data(bytes) } }
      }
      guard let json else {
        throw DecodingError.valueNotFound(
          type, .init(codingPath: context.codingPath + [key], debugDescription: "Missing Data"))
      }
      return try decoder.decode(type, from: json)
    } catch let error as DecodingError {
      throw error.inColumn(column, of: row, recordType: context.recordType)
    }
  }
}
