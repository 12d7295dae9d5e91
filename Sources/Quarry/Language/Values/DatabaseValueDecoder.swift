import Foundation

/// Decodes `Decodable` types from one database value, and falls back to JSON for those that ask for
/// a container of several values.
final class DatabaseValueDecoder: Decoder {
  private let value: DatabaseValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// Whether a container was requested. The type may have gone on without it.
  private var didRequestContainer = false

  private init(_ value: DatabaseValue, codingPath: [any CodingKey]) {
    self.value = value
    self.codingPath = codingPath
  }

  /// Decodes the single value, or the JSON text.
  ///
  /// - throws: The error of the type's `init(from:)`, or a `DecodingError`.
  static func decode<T: Decodable>(
    _ type: T.Type, from value: DatabaseValue, codingPath: [any CodingKey] = [],
    jsonDecoder: () -> JSONDecoder
  ) throws -> T {
    let decoder = DatabaseValueDecoder(value, codingPath: codingPath)
    return try decodeSingleValue {
      try T(from: decoder)
    } orContainer: {
      guard let json = decoder.json else {
        throw DecodingError.valueNotFound(
          Data.self,
          DecodingError.Context(codingPath: codingPath, debugDescription: "Missing Data"))
      }
      return try jsonDecoder().decode(type, from: json)
    } ifPresent: {
      decoder.didRequestContainer && decoder.json?.beginsJSONContainer == true
    }
  }

  /// A text or a blob, whatever the conversions of the connection.
  private var json: Data? { Data.fromDatabaseValue(DatabaseValue(storage: value.storage)) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    didRequestContainer = true
    throw JSONRequiredError.error
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    didRequestContainer = true
    throw JSONRequiredError.error
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DatabaseValueDecoder: WideSingleValueDecoding {
  func decodeNil() -> Bool { value.isNull }

  /// The functions of the protocol for the types of the standard library.
  func decode<T: Decodable & DatabaseValueConvertible>(_ type: T.Type) throws -> T {
    guard let result = T.converted(from: value) else { throw mismatch(type) }
    return result
  }

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

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "could not decode \(type) from database value \(value)"))
  }
}

/// Decodes a type from a single value, or from a container when it asks for one.
///
/// A type may ask for a container first, and take a single value where it gets none: JSON would be
/// a text for it. So its container is decoded, and its single value, or its error, only counts
/// where that fails.
///
/// - parameter single: Throws `JSONRequiredError` when the type needs a container.
/// - parameter mayHaveContainer: Whether the type has asked for a container, and there may be one.
func decodeSingleValue<Result>(
  _ single: () throws -> Result, orContainer container: () throws -> Result,
  ifPresent mayHaveContainer: () -> Bool
) throws -> Result {
  do {
    let value = try single()
    return mayHaveContainer() ? (try? container()) ?? value : value
  } catch is JSONRequiredError {
    return try container()
  } catch {
    guard mayHaveContainer(), let value = try? container() else { throw error }
    return value
  }
}

extension Data {
  /// Whether JSON of an object or of an array begins like this.
  var beginsJSONContainer: Bool {
    let byte = first { $0 != 0x20 && !(0x09...0x0D ~= $0) }
    return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }
}
