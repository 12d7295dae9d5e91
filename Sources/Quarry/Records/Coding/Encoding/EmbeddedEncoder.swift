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
