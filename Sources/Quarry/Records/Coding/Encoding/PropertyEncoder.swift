import Foundation

/// Encodes a property of a record. How its type is encoded is determined once.
final class PropertyEncoder<T> {
  /// The value of the column. Nil for an embedded value, whose columns are set.
  let encode: (T) throws -> DatabaseValue?
  /// Adds the value to a record whose next column is the one of the property. Nil for types that
  /// are encoded: only those are written as they are whose database values would be allocated.
  let write: ((T, ContainerStorage) -> Void)?

  init(
    _ encode: @escaping (T) throws -> DatabaseValue?,
    write: ((T, ContainerStorage) -> Void)? = nil
  ) {
    self.encode = encode
    self.write = write
  }

  /// The same encoder, with NULL for nil.
  var optional: PropertyEncoder<T?> {
    PropertyEncoder<T?> { [encode] value in
      guard let value else { return DatabaseValue.null }
      return try encode(value)
    }
  }
}

extension EncodableRecord {
  /// The encoder of a property.
  static func propertyEncoder<T: Encodable>(
    _ type: T.Type, _ key: any CodingKey, column: String
  ) -> PropertyEncoder<T> {
    if let encoder = strategyEncoder(type, key, column) {
      return known(encoder, as: PropertyEncoder<T>.self)
    }
    if let type = type as? any DatabaseValueConvertible.Type {
      return known(valueEncoder(type), as: PropertyEncoder<T>.self)
    }
    let conversion = { (value: any Encodable) in
      try key.locating { try strategicValue(of: value, in: column) }
    }
    let codingPath = [key]
    let userInfo = databaseEncodingUserInfo
    // One encoder for all records.
    var json: JSONEncoder?
    return PropertyEncoder { value in
      let single = try DatabaseValueEncoder.encodeSingleValue(
        value, codingPath: codingPath, userInfo: userInfo, converting: conversion)
      if let single { return single }
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

  /// The encoder of the types that have a strategy, and of their optionals: generic code, and code
  /// by hand, may encode those themselves.
  private static func strategyEncoder(
    _ type: Any.Type, _ key: any CodingKey, _ column: String
  ) -> AnyObject? {
    if type == Date.self { return dateEncoder(key, column) }
    if type == Data.self { return dataEncoder(key, column) }
    if type == UUID.self { return uuidEncoder(column) }
    if type == Date?.self { return dateEncoder(key, column).optional }
    if type == Data?.self { return dataEncoder(key, column).optional }
    if type == UUID?.self { return uuidEncoder(column).optional }
    return nil
  }

  private static func dateEncoder(_ key: any CodingKey, _ column: String) -> PropertyEncoder<Date> {
    let strategy = databaseDateEncodingStrategy(for: column)
    if case .deferredToDate = strategy {
      return PropertyEncoder(\.databaseValue) { $1.setNextExpected($0) }
    }
    return PropertyEncoder { date in try key.locating { try strategy.encode(date) } }
  }

  private static func dataEncoder(_ key: any CodingKey, _ column: String) -> PropertyEncoder<Data> {
    let strategy = databaseDataEncodingStrategy(for: column)
    return PropertyEncoder { data in try key.locating { try strategy.encode(data) } }
  }

  private static func uuidEncoder(_ column: String) -> PropertyEncoder<UUID> {
    let strategy = databaseUUIDEncodingStrategy(for: column)
    if case .deferredToUUID = strategy {
      return PropertyEncoder(\.databaseValue) { $1.setNextExpected($0) }
    }
    return PropertyEncoder { strategy.encode($0) }
  }
}

extension CodingKey {
  /// Adds the coding key of a property to errors.
  fileprivate func locating<Value>(_ body: () throws -> Value) throws -> Value {
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
