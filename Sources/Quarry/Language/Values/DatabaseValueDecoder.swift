import Foundation

/// Decodes `Decodable` types from one database value, and falls back to JSON for those that ask for
/// a container of several values.
struct DatabaseValueDecoder: Decoder {
  let value: DatabaseValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Decodes the single value, or the JSON text.
  ///
  /// - throws: The error of the type's `init(from:)`, or a `DecodingError`.
  static func decode<T: Decodable>(
    _ type: T.Type, from value: DatabaseValue, codingPath: [any CodingKey] = [],
    jsonDecoder: () -> JSONDecoder
  ) throws -> T {
    do {
      return try T(from: DatabaseValueDecoder(value: value, codingPath: codingPath))
    } catch is JSONRequiredError {
      // JSON is a text or a blob, whatever the conversions of the connection.
      guard let data = Data.fromDatabaseValue(DatabaseValue(storage: value.storage)) else {
        throw DecodingError.valueNotFound(
          Data.self,
          DecodingError.Context(codingPath: codingPath, debugDescription: "Missing Data"))
      }
      return try jsonDecoder().decode(type, from: data)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw JSONRequiredError.error
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw JSONRequiredError.error
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    self
  }
}

extension DatabaseValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try convert() }
  func decode(_ type: Int.Type) throws -> Int { try convert() }
  func decode(_ type: Int8.Type) throws -> Int8 { try convert() }
  func decode(_ type: Int16.Type) throws -> Int16 { try convert() }
  func decode(_ type: Int32.Type) throws -> Int32 { try convert() }
  func decode(_ type: Int64.Type) throws -> Int64 { try convert() }
  func decode(_ type: UInt.Type) throws -> UInt { try convert() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try convert() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try convert() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try convert() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try convert() }
  func decode(_ type: Float.Type) throws -> Float { try convert() }
  func decode(_ type: Double.Type) throws -> Double { try convert() }
  func decode(_ type: String.Type) throws -> String { try convert() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let convertible = type as? any DatabaseValueConvertible.Type else {
      return try T(from: self)
    }
    // Unwrapped first: no value would be a nil of an optional type.
    guard let converted = convertible.converted(from: value), let result = converted as? T else {
      throw mismatch(type)
    }
    return result
  }

  private func convert<T: DatabaseValueConvertible>() throws -> T {
    guard let result = T.converted(from: value) else { throw mismatch(T.self) }
    return result
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "could not decode \(type) from database value \(value)"))
  }
}
