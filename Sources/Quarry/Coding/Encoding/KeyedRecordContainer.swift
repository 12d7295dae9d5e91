/// Encodes the properties of a record, by coding key.
///
/// All members find the slot of the key, then the column of the slot: see `KeyedRecordEncoding`.
@safe struct KeyedRecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  /// Owned by the encoder: see `KeptKeyedContainer`. A container that escapes from the encoding of a record finds that
  /// its lifetime is over.
  private let ownedEncoding: Unmanaged<KeyedRecordEncoding>
  private let lifetime: Lifetime

  init(encoding: KeyedRecordEncoding) {
    unsafe ownedEncoding = unsafe .passUnretained(encoding)
    lifetime = encoding.lifetime
  }

  private var encoding: KeyedRecordEncoding {
    unsafe lifetime.isOver
      ? KeyedRecordEncoding(.ended, keyType: Key.self) : ownedEncoding.takeUnretainedValue()
  }

  var codingPath: [any CodingKey] { [] }

  @inline(__always) private func set(_ value: DatabaseValue, _ key: Key) {
    if setInPlace(key, { $0.setNextExpected(value) }) { return }
    let encoding = encoding
    encoding.set(value, encoding.keys.slot(of: key)) { key }
  }

  /// Nothing is counted on the way of nearly all values: a column in the place that it had in the record before.
  @inline(__always) private func setInPlace(
    _ key: Key, _ setNextExpected: (ContainerStorage) -> Void
  ) -> Bool {
    unsafe !lifetime.isOver
      && ownedEncoding._withUnsafeGuaranteedRef {
        $0.setInPlace(firstByte(of: key), setNextExpected)
      }
  }

  /// The content of a key of one byte, as nearly all enumerations of keys are. Others are not set in place.
  @inline(__always) private func firstByte(of key: Key) -> Int {
    unsafe MemoryLayout<Key>.size == 1 ? Int(unsafeBitCast(key, to: UInt8.self)) : 0
  }

  func encodeNil(forKey key: Key) throws { set(.null, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let encoding = encoding
    let slot = encoding.keys.slot(of: key)
    let stored = try encoding.property(T.self, slot) { key }.encode(value)
    encoding.set(stored, slot) { key }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { set(.null, key) }
  }
}

extension KeyedRecordContainer {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    refuse(key)
    return KeyedEncodingContainer(
      RefusingKeyedContainer<NestedKey>(encoding.target, codingPath: [key]))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    refuse(key)
    return RefusingUnkeyedContainer(encoding.target, codingPath: [key])
  }

  // A class encodes its superclass into the same columns.
  func superEncoder() -> any Encoder { encoding.target.sameEncoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoding.target.sameEncoder }

  private func refuse(_ key: Key) {
    let column = encoding.column(encoding.keys.slot(of: key)) { key }
    encoding.target.fail(
      "not implemented: building a nested JSON container for the column '\(column)'", at: [key])
  }
}

extension KeyedRecordContainer {
  func encode(_ value: Bool, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: String, forKey key: Key) throws {
    // A database value would count the text.
    if setInPlace(key, { $0.setNextExpected(value) }) { return }
    set(value.databaseValue, key)
  }

  func encode(_ value: Double, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Float, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Int, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Int8, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Int16, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Int32, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: Int64, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: UInt, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { set(value.databaseValue, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { set(value.databaseValue, key) }
}

// The default implementations leave the column out when the value is nil.
extension KeyedRecordContainer {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { set(.null, key) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { set(value.databaseValue, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { set(value.databaseValue, key) }
}
