import Foundation

/// Encodes a property of a record. How its type is encoded is determined once.
final class PropertyEncoder<T> {
  let encode: (T) throws -> DatabaseValue

  fileprivate init(_ encode: @escaping (T) throws -> DatabaseValue) {
    self.encode = encode
  }
}

// unsafeDowncast: the branch proves that both types are the same.
extension PropertyEncoder where T: Encodable {
  static func make(_ type: T.Type, _ property: EncodedProperty) -> PropertyEncoder<T> {
    if let encoder = property.strategyEncoder(type) {
      return unsafe unsafeDowncast(encoder, to: PropertyEncoder<T>.self)
    }
    if let type = type as? any DatabaseValueConvertible.Type {
      return unsafe unsafeDowncast(value(type), to: PropertyEncoder<T>.self)
    }
    // One encoder for all records.
    var json: JSONEncoder?
    return PropertyEncoder { value in
      if let single = try property.encodeSingleValue(value) { return single }
      let encoder = json ?? property.makeJSONEncoder()
      json = encoder
      return try property.located {
        String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
      }
    }
  }

  private static func value<V: DatabaseValueConvertible>(_ type: V.Type) -> AnyObject {
    PropertyEncoder<V> { $0.databaseValue }
  }
}

/// A property of a record, the column that it is written to, and its type's way to encode.
struct EncodedProperty {
  private let key: any CodingKey
  private let column: String
  private let recordType: any EncodableRecord.Type

  init(_ key: any CodingKey, column: String, of recordType: any EncodableRecord.Type) {
    self.key = key
    self.column = column
    self.recordType = recordType
  }

  fileprivate func makeJSONEncoder() -> JSONEncoder {
    recordType.databaseJSONEncoder(for: key.stringValue)
  }

  /// The encoder of the types that have a strategy.
  fileprivate func strategyEncoder(_ type: Any.Type) -> AnyObject? {
    if type == Date.self {
      let strategy = recordType.databaseDateEncodingStrategy(for: column)
      return PropertyEncoder<Date> { date in try located { try strategy.encode(date) } }
    }
    if type == Data.self {
      let strategy = recordType.databaseDataEncodingStrategy(for: column)
      return PropertyEncoder<Data> { data in try located { try strategy.encode(data) } }
    }
    if type == UUID.self {
      let strategy = recordType.databaseUUIDEncodingStrategy(for: column)
      return PropertyEncoder<UUID> { strategy.encode($0) }
    }
    return nil
  }

  /// The value that a type encodes, or nil when it encodes several ones.
  fileprivate func encodeSingleValue(_ value: some Encodable) throws -> DatabaseValue? {
    try DatabaseValueEncoder.encodeSingleValue(
      value, codingPath: [key], userInfo: recordType.databaseEncodingUserInfo,
      converting: convertWithStrategy)
  }

  /// A value inside of a type that encodes it as its single value.
  private func convertWithStrategy(_ value: any Encodable) throws -> DatabaseValue? {
    switch value {
    case let date as Date:
      try located { try recordType.databaseDateEncodingStrategy(for: column).encode(date) }
    case let data as Data:
      try located { try recordType.databaseDataEncodingStrategy(for: column).encode(data) }
    case let uuid as UUID:
      recordType.databaseUUIDEncodingStrategy(for: column).encode(uuid)
    default:
      nil
    }
  }

  /// Adds the coding key of the property to errors.
  fileprivate func located(_ body: () throws -> DatabaseValue) throws -> DatabaseValue {
    do {
      return try body()
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError))
    }
  }
}
