import Foundation

// Values that stand for those that can't be decoded.
//
// A subscript of a row can't throw. While a record is decoded, it returns a placeholder instead,
// and the fetching method throws the error and drops the record. So placeholders are never seen by
// applications, but by the initialiser of the record: they must be regular values of their type,
// nothing more.

/// A type that a row creates: all that rows know of record types. Not for applications, which
/// conform to
/// ``FetchableRecord``.
public protocol _RowInitializable: SendableMetatype {
  /// Creates a value from a row.
  init(row: Row) throws
}

package enum Placeholder {
  /// A value of any type, or nil when none can be made.
  package static func make<Value>(_ type: Value.Type, depth: Int = 0) -> Value? {
    guard depth < 16 else { return nil }
    if let type = type as? any DecodingPlaceholder.Type {
      return type.decodingPlaceholder as? Value
    }
    if let value = ZeroedValue.make(type) { return value }
    if let type = type as? any CaseIterable.Type, let value = firstCase(type) as? Value {
      return value
    }
    if let type = type as? any RawRepresentable.Type, let value = raw(type, depth) as? Value {
      return value
    }
    if let type = type as? any Decodable.Type {
      let decoder = PlaceholderDecoder(depth: depth + 1)
      if let value = (try? type.init(from: decoder)) as? Value { return value }
    }
    if let type = type as? any _RowInitializable.Type {
      return (try? type.init(row: Row(placeholderDepth: depth + 1))) as? Value
    }
    return foundationObjects.lazy.compactMap { $0 as? Value }.first
  }

  private static var foundationObjects: [NSObject] {
    [
      NSNumber(value: 0), NSString(), NSData(), NSDate(), NSUUID(), NSURL(fileURLWithPath: "/"),
      NSNull(),
    ]
  }

  private static func firstCase<Value: CaseIterable>(_ type: Value.Type) -> Any? {
    type.allCases.first
  }

  private static func raw<Value: RawRepresentable>(_ type: Value.Type, _ depth: Int) -> Any? {
    make(Value.RawValue.self, depth: depth + 1).flatMap(Value.init(rawValue:))
  }
}

extension Row {
  /// A row without columns, whose values are all placeholders.
  fileprivate convenience init(placeholderDepth: Int) {
    self.init(columnNames: [], values: [])
    isDecodingRecord = true
    makeExtras().placeholderDepth = placeholderDepth
  }
}

/// Decodes placeholders.
private struct PlaceholderDecoder: Decoder, WideSingleValueDecoding {
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoPlaceholder() }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let value = Placeholder.make(type, depth: depth) else { throw NoPlaceholder() }
    return value
  }
}

private struct PlaceholderContainer<Key: CodingKey>: WideKeyedDecoding {
  let decoder: PlaceholderDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw NoPlaceholder()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct NoPlaceholder: Error {}
