import Foundation

// Containers have functions of their own for integers of 128 bits, which throw by default. Here
// these are values like others, where a library makes them so: `QuarryValues`.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension KeyedRowContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try property(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try property(type, key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension KeyedRecordContainer {
  func encode(_ value: Int128, forKey key: Key) throws { try encodeProperty(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try encodeProperty(value, key) }

  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { try encodeProperty(value, key) } else { try encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { try encodeProperty(value, key) } else { try encodeNil(forKey: key) }
  }
}
