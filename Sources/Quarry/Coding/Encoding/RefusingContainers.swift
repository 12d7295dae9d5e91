// Methods of encoders that make containers can't throw: the containers that records don't support throw instead, and the
// failure is remembered for those that are left empty.

/// A keyed container in a place where a record can't have one.
struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: RecordEncoder
  let codingPath: [any CodingKey]

  init(_ encoder: RecordEncoder, codingPath: [any CodingKey]) {
    self.encoder = encoder
    self.codingPath = codingPath
  }

  func encodeNil(forKey key: Key) throws { try encoder.throwFailure() }

  func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.throwFailure() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>(encoder, codingPath: codingPath))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingUnkeyedContainer(encoder, codingPath: codingPath)
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// An unkeyed container in a place where a record can't have one.
struct RefusingUnkeyedContainer: UnkeyedEncodingContainer {
  private let encoder: RecordEncoder
  let codingPath: [any CodingKey]
  let count = 0

  init(_ encoder: RecordEncoder, codingPath: [any CodingKey]) {
    self.encoder = encoder
    self.codingPath = codingPath
  }

  func encodeNil() throws { try encoder.throwFailure() }

  func encode(_ value: some Encodable) throws { try encoder.throwFailure() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>(encoder, codingPath: codingPath))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}

/// A record as one value: the record that it wraps is encoded into the same columns.
struct RecordValueContainer: SingleValueEncodingContainer {
  private let currentEncoder: RecordEncoder
  private let recordCount: Int

  init(_ encoder: RecordEncoder) {
    currentEncoder = encoder
    recordCount = encoder.recordCount
  }

  /// The encoder, as long as the record that asked for the container is being encoded.
  private var encoder: RecordEncoder {
    currentEncoder.isBusy && currentEncoder.recordCount == recordCount ? currentEncoder : .ended
  }

  var codingPath: [any CodingKey] { [] }

  func encode<T: Encodable>(_ value: T) throws {
    if let record = value as? any EncodableRecord {
      try encoder.encode(record)
    } else if value is any DatabaseValueConvertible {
      throw singleValue()
    } else {
      try value.encode(to: encoder)
    }
  }

  private func singleValue() -> EncodingError {
    encoder.fail("Can't encode a single value in a database row.", at: [])
  }

  func encodeNil() throws { throw singleValue() }
}
