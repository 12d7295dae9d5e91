// Containers have functions of their own for integers of 128 bits, which throw by default. Here
// these are values like others, where a library makes them so: `QuarryValues`. They would ask for
// themselves again elsewhere.

/// A container that decodes integers of 128 bits as it decodes any other type.
protocol WideSingleValueDecoding: SingleValueDecodingContainer {}

extension WideSingleValueDecoding {
  fileprivate func value<T: Decodable>(_ type: T.Type) throws -> T {
    guard type is any DatabaseValueConvertible.Type else {
      throw DecodingError.typeMismatch(
        type, .init(codingPath: codingPath, debugDescription: noDatabaseValue(type)))
    }
    return try decode(type)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension WideSingleValueDecoding {
  func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }
}

/// See ``WideSingleValueDecoding``.
protocol WideKeyedDecoding: KeyedDecodingContainerProtocol {}

extension WideKeyedDecoding {
  fileprivate func value<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    try decode(type, forKey: key)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension WideKeyedDecoding {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }
}

/// A container that encodes integers of 128 bits as it encodes any other type.
protocol WideSingleValueEncoding: SingleValueEncodingContainer {}

extension WideSingleValueEncoding {
  fileprivate mutating func set<T: Encodable>(_ value: T) throws {
    guard value is any DatabaseValueConvertible else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: noDatabaseValue(T.self)))
    }
    try encode(value)
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension WideSingleValueEncoding {
  mutating func encode(_ value: Int128) throws { try set(value) }
  mutating func encode(_ value: UInt128) throws { try set(value) }
}

private func noDatabaseValue(_ type: Any.Type) -> String {
  "\(type) is no database value: the library QuarryValues makes it one"
}
