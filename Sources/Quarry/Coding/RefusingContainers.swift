// Methods of encoders that make containers can't throw: the containers that records don't support throw instead, and the
// failure is remembered for those that are left empty.

/// A keyed container in a place where a record can't have one.
struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let target: EncodingTarget
  let codingPath: [any CodingKey]

  init(_ target: EncodingTarget, codingPath: [any CodingKey]) {
    self.target = target
    self.codingPath = codingPath
  }

  func encodeNil(forKey key: Key) throws { try target.throwFailure() }

  func encode(_ value: some Encodable, forKey key: Key) throws { try target.throwFailure() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>(target, codingPath: codingPath))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    RefusingUnkeyedContainer(target, codingPath: codingPath)
  }

  func superEncoder() -> any Encoder { target.sameEncoder }

  func superEncoder(forKey key: Key) -> any Encoder { target.sameEncoder }
}

/// An unkeyed container in a place where a record can't have one.
struct RefusingUnkeyedContainer: UnkeyedEncodingContainer {
  private let target: EncodingTarget
  let codingPath: [any CodingKey]
  let count = 0

  init(_ target: EncodingTarget, codingPath: [any CodingKey]) {
    self.target = target
    self.codingPath = codingPath
  }

  func encodeNil() throws { try target.throwFailure() }

  func encode(_ value: some Encodable) throws { try target.throwFailure() }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(RefusingKeyedContainer<NestedKey>(target, codingPath: codingPath))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { target.sameEncoder }
}

/// A record as one value: the record that it wraps is encoded into the same columns.
struct RecordValueContainer: SingleValueEncodingContainer {
  private let currentTarget: EncodingTarget
  private let recordCount: Int

  init(_ target: EncodingTarget) {
    currentTarget = target
    recordCount = target.recordCount
  }

  /// The target, as long as the record that asked for the container is being encoded.
  private var target: EncodingTarget {
    currentTarget.isBusy && currentTarget.recordCount == recordCount ? currentTarget : .ended
  }

  var codingPath: [any CodingKey] { [] }

  func encode<T: Encodable>(_ value: T) throws {
    if let record = value as? any EncodableRecord {
      try target.encode(record)
    } else if value is any DatabaseValueConvertible {
      throw singleValue()
    } else {
      try value.encode(to: target.sameEncoder)
    }
  }

  private func singleValue() -> EncodingError {
    target.fail("Can't encode a single value in a database row.", at: [])
  }

  func encodeNil() throws { throw singleValue() }
  func encode(_ value: Bool) throws { throw singleValue() }
  func encode(_ value: String) throws { throw singleValue() }
  func encode(_ value: Double) throws { throw singleValue() }
  func encode(_ value: Float) throws { throw singleValue() }
  func encode(_ value: Int) throws { throw singleValue() }
  func encode(_ value: Int8) throws { throw singleValue() }
  func encode(_ value: Int16) throws { throw singleValue() }
  func encode(_ value: Int32) throws { throw singleValue() }
  func encode(_ value: Int64) throws { throw singleValue() }
  func encode(_ value: UInt) throws { throw singleValue() }
  func encode(_ value: UInt8) throws { throw singleValue() }
  func encode(_ value: UInt16) throws { throw singleValue() }
  func encode(_ value: UInt32) throws { throw singleValue() }
  func encode(_ value: UInt64) throws { throw singleValue() }
}
