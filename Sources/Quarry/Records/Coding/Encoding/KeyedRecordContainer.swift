/// Encodes the properties of a record, by coding key.
///
/// All members find the number of the key, then its column: see `KeyTable` and
/// `KeyedRecordEncoding`.
@safe struct KeyedRecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let unownedTable: Unretained<KeyedRecordEncoding>
  private let lifetime: Lifetime

  init(_ table: KeyedRecordEncoding) {
    unownedTable = Unretained(table)
    lifetime = table.lifetime
  }

  private var table: KeyedRecordEncoding {
    lifetime.isOver ? KeyedRecordEncoding(.ended, Key.self, isOwner: true) : unownedTable.object
  }

  var codingPath: [any CodingKey] { table.embedding?.path ?? [] }

  @inline(__always) func set(_ value: DatabaseValue, _ key: Key) throws {
    if setInPlace(key, { $0.setNextExpected(value) }) { return }
    try withTable { try $0.set(value, $0.number(of: key)) { key } }
  }

  /// Nothing is counted on the way of nearly all values: a column in the position that it had in
  /// the record before.
  @inline(__always) private func setInPlace(
    _ key: Key, _ setNextExpected: (ContainerStorage) -> Void
  ) -> Bool { !lifetime.isOver && unownedTable.use { $0.setInPlace(key, setNextExpected) } }

  /// Integers, without a database value.
  @inline(__always) func set(_ integer: Int64, _ key: Key) throws {
    if setInPlace(key, { $0.setNextExpected(integer) }) { return }
    try set(integer.databaseValue, key)
  }

  func encodeNil(forKey key: Key) throws { try set(.null, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encodeProperty(value, key) }

  @inline(__always) func encodeProperty<T: Encodable>(_ value: T, _ key: Key) throws {
    let property = try withTable { try $0.property(T.self, $0.number(of: key)) { key } }
    if let write = property.write, setInPlace(key, { write(value, $0) }) { return }
    if let value = try property.encode(value) { try set(value, key) }
  }

  @inline(__always)
  private func withTable<T>(_ body: (KeyedRecordEncoding) throws -> T) rethrows -> T {
    if lifetime.isOver { return try body(table) }
    return try unownedTable.use(body)
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { return try encode(value, forKey: key) }
    if setInPlace(key, { $0.setNextExpectedNull() }) { return }
    if let embedding = table.embedding, embedding.embeds(key) {
      return try table.encoder.setNull(embedding.value(of: T.self, key))
    }
    try set(.null, key)
  }
}

extension KeyedRecordContainer {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    if let embedding = table.embedding, embedding.embeds(key) {
      return table.encoder.container(keyedBy: NestedKey.self, in: embedding.value(at: key))
    }
    let (encoder, error) = refusal(key)
    return KeyedEncodingContainer(
      RefusingKeyedContainer<NestedKey>(encoder: encoder, error: error, codingPath: [key]))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let (encoder, error) = refusal(key)
    return RefusingUnkeyedContainer(encoder: encoder, error: error, codingPath: [key])
  }

  // A class encodes its superclass into the same columns.
  func superEncoder() -> any Encoder {
    guard let embedding = table.embedding, embedding.isValue else { return table.encoder }
    return EmbeddedEncoder(encoder: table.encoder, embedding: embedding)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    guard let embedding = table.embedding, embedding.embeds(key) else { return superEncoder() }
    return EmbeddedEncoder(encoder: table.encoder, embedding: embedding.value(at: key))
  }

  private func refusal(_ key: Key) -> (any Encoder, EncodingError) {
    let table = table
    let column = try? table.column(table.number(of: key)) { key }
    let encoder = table.encoder
    let error = encoder.fail(
      "not implemented: building a nested JSON container for the column '\(column ?? key.stringValue)'",
      at: codingPath + [key])
    return (encoder, error)
  }
}

extension KeyedRecordContainer {
  func encode(_ value: String, forKey key: Key) throws {
    // A database value would count the text.
    if setInPlace(key, { $0.setNextExpected(value) }) { return }
    try set(value.databaseValue, key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try set(.null, key) }
  }
}

// See `WideIntegers.swift`.
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
