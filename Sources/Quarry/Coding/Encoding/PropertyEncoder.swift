import Foundation

/// Encodes a property of a record. How its type is encoded is determined once.
final class PropertyEncoder<T> {
  let encode: (T) throws -> DatabaseValue
  /// Adds the bytes of the value to a record whose next column is the one of the property: for types whose database values
  /// would be allocated.
  let write: ((T, ContainerStorage) -> Void)?

  fileprivate init(
    _ encode: @escaping (T) throws -> DatabaseValue, write: ((T, ContainerStorage) -> Void)? = nil
  ) {
    self.encode = encode
    self.write = write
  }
}

// unsafeDowncast: the branch proves that both types are the same.
extension EncodableRecord {
  /// The encoder of a property.
  static func propertyEncoder<T: Encodable>(
    _ type: T.Type, _ key: any CodingKey, column: String
  ) -> PropertyEncoder<T> {
    if let encoder = strategyEncoder(type, key, column) {
      return unsafe unsafeDowncast(encoder, to: PropertyEncoder<T>.self)
    }
    if let type = type as? any DatabaseValueConvertible.Type {
      return unsafe unsafeDowncast(valueEncoder(type), to: PropertyEncoder<T>.self)
    }
    // One encoder for all records.
    var json: JSONEncoder?
    return PropertyEncoder { value in
      if let single = try encodeSingleValue(value, key, column) { return single }
      let encoder = json ?? databaseJSONEncoder(for: key.stringValue)
      json = encoder
      return try key.locating {
        String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
      }
    }
  }

  private static func valueEncoder<V: DatabaseValueConvertible>(_ type: V.Type) -> AnyObject {
    PropertyEncoder<V> { $0.databaseValue }
  }

  /// The encoder of the types that have a strategy.
  private static func strategyEncoder(
    _ type: Any.Type, _ key: any CodingKey, _ column: String
  ) -> AnyObject? {
    if type == Date.self {
      let strategy = databaseDateEncodingStrategy(for: column)
      if case .deferredToDate = strategy {
        return PropertyEncoder<Date>(\.databaseValue) { $1.setNextExpected($0) }
      }
      return PropertyEncoder<Date> { date in try key.locating { try strategy.encode(date) } }
    }
    if type == Data.self {
      let strategy = databaseDataEncodingStrategy(for: column)
      return PropertyEncoder<Data> { data in try key.locating { try strategy.encode(data) } }
    }
    if type == UUID.self {
      let strategy = databaseUUIDEncodingStrategy(for: column)
      if case .deferredToUUID = strategy {
        return PropertyEncoder<UUID>(\.databaseValue) { $1.setNextExpected($0) }
      }
      return PropertyEncoder<UUID> { strategy.encode($0) }
    }
    return nil
  }

  /// The value that a type encodes, or nil when it encodes several ones.
  private static func encodeSingleValue(
    _ value: some Encodable, _ key: any CodingKey, _ column: String
  ) throws -> DatabaseValue? {
    try DatabaseValueEncoder.encodeSingleValue(
      value, codingPath: [key], userInfo: databaseEncodingUserInfo
    ) { value in
      // A value inside of a type that encodes it as its single value.
      switch value {
      case let date as Date:
        try key.locating { try databaseDateEncodingStrategy(for: column).encode(date) }
      case let data as Data:
        try key.locating { try databaseDataEncodingStrategy(for: column).encode(data) }
      case let uuid as UUID:
        databaseUUIDEncodingStrategy(for: column).encode(uuid)
      default:
        nil
      }
    }
  }
}

extension CodingKey {
  /// Adds the coding key of a property to errors.
  fileprivate func locating(_ body: () throws -> DatabaseValue) throws -> DatabaseValue {
    do {
      return try body()
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [self] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError))
    }
  }
}
