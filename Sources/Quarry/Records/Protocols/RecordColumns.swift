/// The columns of record types, as they write them: strategies are asked for these names, whatever
/// the case of letters is in the schema, in a row, or in a request.
enum RecordColumns {
  private static let known = TypeTable<[String]>()

  /// The function from coding keys to columns.
  static func naming(of type: Any.Type) -> (any CodingKey) -> String {
    if let type = type as? any EncodableRecord.Type {
      return type.databaseColumnEncodingStrategy.column
    }
    if let type = type as? any FetchableRecord.Type {
      return type.databaseColumnDecodingStrategy.column
    }
    return \.stringValue
  }

  /// The column as records of a type write it. As it is given, if the keys of the type are not
  /// known.
  static func written(_ column: String, by type: any EncodableRecord.Type) -> String {
    let names = known.value(of: type) { codingKeys(of: type).map(naming(of: type)) }
    return names.first { $0.isSameIdentifier(as: column) } ?? column
  }

  private static func codingKeys(of type: Any.Type) -> [any CodingKey] {
    let probe = KeyTypeProbe()
    _ = try? (type as? any Decodable.Type)?.init(from: probe)
    return probe.keys
  }
}

/// Finds the coding keys of a type, and gives it no value.
private final class KeyTypeProbe: Decoder {
  struct Stop: Error {}

  private(set) var keys: [any CodingKey] = []
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if keys.isEmpty { keys = Key.allKeys ?? [] }
    throw Stop()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stop() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Stop() }
}
