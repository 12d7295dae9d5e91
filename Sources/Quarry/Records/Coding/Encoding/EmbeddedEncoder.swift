/// Encodes a value that is embedded in a record into the columns of the record.
struct EmbeddedEncoder: Encoder, WideSingleValueEncoding {
  let encoder: RecordEncoder
  let embedding: Embedding

  var codingPath: [any CodingKey] { embedding.path }

  var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoder.container(keyedBy: type, in: embedding)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let error = embedding.misuse("its type has no coding keys")
    encoder.fail(error)
    return RefusingUnkeyedContainer(encoder: self, error: error, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // Optional values, and those that encode another one.
  func encode<T: Encodable>(_ value: T) throws {
    if value is any DatabaseValueConvertible {
      throw embedding.misuse("\(T.self) is a database value")
    }
    try value.encode(to: self)
  }

  func encodeNil() throws { try encoder.setNull(embedding) }
}

/// The keyed containers of the embedded values of a record, kept for the next record.
struct EmbeddedContainers: ~Copyable {
  private var tables: [KeyedRecordEncoding] = []
  /// With the values themselves: another one could get the identity of one that is gone.
  private var columns: [ObjectIdentifier: (value: Embedding, names: [String])] = [:]

  mutating func container<Key: CodingKey>(
    _ type: Key.Type, _ value: Embedding, of encoder: RecordEncoder
  ) -> KeyedEncodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    let known = tables.first { $0.keyType == keyType && $0.embedding === value }
    if let known { return known.container(type) }
    let new = KeyedRecordEncoding(encoder, type, value)
    tables.append(new)
    return new.container(type)
  }

  /// Ends the containers that a record has kept.
  mutating func forgetShared() {
    tables.removeAll { $0.isShared() }
  }

  /// The columns of a value.
  ///
  /// - Throws: `DatabaseError` if they are not known.
  mutating func columns(
    of value: Embedding, _ name: ([any CodingKey]) -> String
  ) throws -> [String] {
    if let known = columns[ObjectIdentifier(value)] { return known.names }
    if let failure = value.failure { throw value.unknownColumns(failure) }
    let names = value.properties.map { name($0.path) }
    columns[ObjectIdentifier(value)] = (value: value, names: names)
    return names
  }
}
