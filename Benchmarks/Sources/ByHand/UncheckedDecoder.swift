import CSQLiteBench
import Foundation

/// A decoder of rows that checks nothing. Not for applications.
///
/// The column is the number of the coding key, no value is of another type than the property, and
/// no record keeps the decoder or its container.
final class UncheckedDecoder: Decoder {
  private let statement: OpaquePointer
  /// The content of the keyed container, which is made once.
  private var container: AnyObject?

  init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let container { return unsafeBitCast(container, to: KeyedDecodingContainer<Key>.self) }
    let new = KeyedDecodingContainer(UncheckedDecodingContainer<Key>(statement: statement))
    container = unsafeBitCast(new, to: AnyObject.self)
    return new
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw UncheckedCoding.refusal }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw UncheckedCoding.refusal
  }
}

private struct UncheckedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let statement: OpaquePointer

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool {
    sqlite3_column_type(statement, key.number) == SQLITE_NULL
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    Int(integer(statement, key.number))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    integer(statement, key.number)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    double(statement, key.number)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    text(statement, key.number)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    optionalText(statement, key.number)
  }

  // The type is known when the code is specialized for a record.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if type == UUID.self {
      return unsafeBitCast(uuid(statement, key.number), to: T.self)
    }
    if type == Decimal.self {
      return unsafeBitCast(decimal(statement, key.number), to: T.self)
    }
    if type == Date.self, let date = date(statement, key.number) {
      return unsafeBitCast(date, to: T.self)
    }
    throw UncheckedCoding.refusal
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard type == Date.self else { throw UncheckedCoding.refusal }
    return date(statement, key.number).map { unsafeBitCast($0, to: T.self) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw UncheckedCoding.refusal
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw UncheckedCoding.refusal
  }

  func superDecoder() throws -> any Decoder { throw UncheckedCoding.refusal }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw UncheckedCoding.refusal }
}
