// Methods of encoders that make containers can't throw. Where there can't be a container, one is
// made that throws.

/// A keyed container that refuses all values.
struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: any Encoder
  let error: any Error
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) throws { throw error }

  func encode(_ value: some Encodable, forKey key: Key) throws { throw error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      RefusingKeyedContainer<NestedKey>(encoder: encoder, error: error, codingPath: codingPath))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingUnkeyedContainer(encoder: encoder, error: error, codingPath: codingPath)
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// An unkeyed container that refuses all values.
struct RefusingUnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: any Encoder
  let error: any Error
  let codingPath: [any CodingKey]
  let count = 0

  func encodeNil() throws { throw error }

  func encode(_ value: some Encodable) throws { throw error }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      RefusingKeyedContainer<NestedKey>(encoder: encoder, error: error, codingPath: codingPath))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}
