import Foundation

/// Encodes `Encodable` values that encode one single value, and falls back to JSON for the others.
final class DatabaseValueEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any]
  private let converting: Conversion?
  private var value: DatabaseValue?
  private var requiresJSON = false

  /// The database value of a type that is not encoded in the usual way, or nil.
  typealias Conversion = (any Encodable) throws -> DatabaseValue?

  private init(
    codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: Any], converting: Conversion?
  ) {
    self.codingPath = codingPath
    self.userInfo = userInfo
    self.converting = converting
  }

  /// Returns the single value that is encoded, or the JSON text.
  ///
  /// - throws: The error of the value's `encode(to:)`, or an `EncodingError`.
  static func encode(
    _ value: some Encodable, codingPath: [any CodingKey] = [], jsonEncoder: () -> JSONEncoder
  ) throws -> DatabaseValue {
    if let single = try encodeSingleValue(value, codingPath: codingPath) { return single }
    return String(decoding: try jsonEncoder().encode(value), as: UTF8.self).databaseValue
  }

  /// Returns the single value that is encoded, or nil when the value asks for a container of
  /// several values, even where it then throws: it throws again when it is encoded as JSON.
  ///
  /// - parameter converting: asked first for the single value.
  static func encodeSingleValue(
    _ value: some Encodable, codingPath: [any CodingKey] = [],
    userInfo: [CodingUserInfoKey: Any] = [:], converting: Conversion? = nil
  ) throws -> DatabaseValue? {
    let encoder = DatabaseValueEncoder(
      codingPath: codingPath, userInfo: userInfo, converting: converting)
    do {
      try value.encode(to: encoder)
    } catch {
      guard encoder.requiresJSON else { throw error }
    }
    return encoder.requiresJSON ? nil : encoder.value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    requiresJSON = true
    return KeyedEncodingContainer(
      RefusingKeyedContainer(encoder: self, error: JSONRequiredError.error, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    requiresJSON = true
    return RefusingUnkeyedContainer(
      encoder: self, error: JSONRequiredError.error, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension DatabaseValueEncoder: WideSingleValueEncoding {
  func encodeNil() throws { value = .null }

  /// The functions of the protocol for the types of the standard library.
  func encode<T: Encodable & DatabaseValueConvertible>(_ value: T) throws {
    self.value = value.databaseValue
  }

  func encode<T: Encodable>(_ value: T) throws {
    if let converted = try converting?(value) {
      self.value = converted
    } else if let convertible = value as? any DatabaseValueConvertible {
      self.value = convertible.databaseValue
    } else {
      try value.encode(to: self)
    }
  }
}

/// Interrupts the encoding, or the decoding, of a value that is not a single one.
struct JSONRequiredError: Error {
  /// The error as it is thrown, allocated once.
  static let error: any Error = JSONRequiredError()
}
