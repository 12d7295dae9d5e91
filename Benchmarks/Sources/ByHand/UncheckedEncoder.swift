import CSQLiteBench

/// An encoder into the parameters of a statement that checks nothing. Not for applications: see
/// `UncheckedDecoder`.
///
/// Texts are copied, since they end before the statement is run.
final class UncheckedEncoder: Encoder {
  private let statement: OpaquePointer
  /// The content of the keyed container, which is made once.
  private var container: AnyObject?

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let container { return unsafeBitCast(container, to: KeyedEncodingContainer<Key>.self) }
    let new = KeyedEncodingContainer(UncheckedEncodingContainer<Key>(statement: statement))
    container = unsafeBitCast(new, to: AnyObject.self)
    return new
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { fatalError("only keyed") }
  func singleValueContainer() -> any SingleValueEncodingContainer { fatalError("only keyed") }
}

private struct UncheckedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let statement: OpaquePointer

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {
    sqlite3_bind_null(statement, key.number + 1)
  }

  func encode(_ value: Int, forKey key: Key) throws {
    sqlite3_bind_int64(statement, key.number + 1, Int64(value))
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    sqlite3_bind_int64(statement, key.number + 1, value)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    sqlite3_bind_double(statement, key.number + 1, value)
  }

  func encode(_ value: String, forKey key: Key) throws {
    var value = value
    _ = value.withUTF8 { bytes in
      bench_bind_text_copy(statement, key.number + 1, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw UncheckedCoding.refusal }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    fatalError("only columns")
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    fatalError("only columns")
  }

  func superEncoder() -> any Encoder { fatalError("only columns") }
  func superEncoder(forKey key: Key) -> any Encoder { fatalError("only columns") }
}
