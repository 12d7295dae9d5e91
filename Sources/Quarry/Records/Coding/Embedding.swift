// Embedded values: see `ColumnEmbedding`.
//
// A record that embeds values has an `Embedding`, and each of the values another one: a tree along
// the coding keys. It knows the prefix of the columns, and which columns there are, by decoding the
// type of the value from placeholders. Decoders and encoders of other records have none.

/// A record with embedded values, or a value that is embedded in a record.
///
/// It is made once for a type, and shared by all connections. Sendable is unchecked because nothing
/// changes after it is shared, apart from what has a lock.
final class Embedding: @unchecked Sendable {
  /// The types from the record to this value.
  let types: [Any.Type]
  /// The keys from the record to this value: none for the record itself.
  let path: [any CodingKey]
  /// The properties of a value, as far as they are known.
  private(set) var properties: [PropertyProbe.Property] = []
  /// Why there may be more properties than those that are known.
  private(set) var failure: String?

  private let keys: Set<BinaryText>
  private let values = Locked<[BinaryText: Embedding]>([:])
  private let checkedConflict = Locked<String??>(nil)
  private static let records = TypeTable<Embedding>()

  private init(_ types: [Any.Type], _ path: [any CodingKey], _ keys: [any CodingKey]) {
    self.types = types
    self.path = path
    self.keys = Set(keys.map { BinaryText($0.stringValue) })
  }

  /// The embedding of a record type. Nil for one that embeds nothing, as most do.
  static func of(_ type: any ColumnEmbedding.Type) -> Embedding? {
    let keys = type.databaseEmbeddedKeys
    return keys.isEmpty ? nil : records.value(of: type) { Embedding([type], [], keys) }
  }

  /// False for the record itself.
  var isValue: Bool { !path.isEmpty }

  /// A key of this value, as strategies and errors name it.
  func propertyKey(_ key: any CodingKey) -> any CodingKey {
    isValue ? EmbeddedKey(stringValue: prefix + key.stringValue) : key
  }

  private var prefix: String { path.map { $0.stringValue + "_" }.joined() }

  var recordType: Any.Type { types[0] }

  func embeds(_ key: any CodingKey) -> Bool { keys.contains(BinaryText(key.stringValue)) }

  /// The names of the keys whose values are embedded.
  var keyNames: [String] { keys.map(\.text).sorted() }

  /// The embedding of the value of a key.
  ///
  /// - Throws: `DatabaseError` for a value that can't be embedded.
  func value(of type: Any.Type, _ key: any CodingKey) throws -> Embedding {
    var type = type
    while let optional = type as? any WrappingType.Type { type = optional.wrappedType }
    let name = BinaryText(key.stringValue)
    if let known = values.withLock({ $0[name] }), known.types.last == type { return known }
    let keys = (type as? any ColumnEmbedding.Type)?.databaseEmbeddedKeys ?? []
    let value = Embedding(types + [type], path + [key], keys)
    try value.examine(type)
    return values.withLock { values in
      // The one that another thread has made meanwhile is in use.
      if let known = values[name], known.types.last == value.types.last { return known }
      values[name] = value
      return value
    }
  }

  /// The embedding of a value without a type: one that is coded by a nested container.
  func value(at key: any CodingKey) -> Embedding {
    let name = BinaryText("." + key.stringValue)
    return values.withLock { values in
      if let known = values[name] { return known }
      let value = Embedding(types + [Never.self], path + [key], [])
      value.failure = "they are encoded in a nested container"
      values[name] = value
      return value
    }
  }

  private func examine(_ type: Any.Type) throws {
    if type is any DatabaseValueConvertible.Type { throw misuse("\(type) is a database value") }
    if types.dropLast().contains(where: { $0 == type }) { throw misuse("\(type) embeds itself") }
    guard let type = type as? any Decodable.Type else {
      failure = "\(type) is not Decodable"
      return
    }
    let probe = PropertyProbe(self, type)
    if let misuse = probe.failure as? DatabaseError { throw misuse }
    failure = probe.failure.map { "\($0)" }
    if probe.looksForKeys {
      throw misuse(
        "the keys of \(type) depend on its value, as those of dictionaries and of enumerations with "
          + "associated values do")
    }
    if !probe.isKeyed { throw misuse("\(type) has no coding keys of its own") }
    properties = probe.properties
    if properties.isEmpty, failure == nil { throw misuse("\(type) has no properties") }
  }
}

extension Embedding {
  /// - Throws: `DatabaseError` if a record that is fetched has two properties in a column.
  func checkColumns(of recordType: any FetchableRecord.Type) throws {
    let known = checkedConflict.withLock { $0 }
    let conflict = known ?? PropertyProbe.columns(of: recordType).firstDuplicateIdentifier
    if known == nil { checkedConflict.withLock { $0 = .some(conflict) } }
    if let conflict { throw self.conflict(conflict) }
  }

  /// The error for two properties in a column.
  func conflict(_ column: String) -> DatabaseError {
    DatabaseError.misuse(
      """
      two properties of \(recordType) have the column \(column.debugDescription): give one of \
      them another name in its CodingKeys
      """)
  }

  /// The error for a value of this kind.
  func misuse(_ reason: String) -> DatabaseError {
    DatabaseError.misuse(
      """
      \(title) can't be embedded: \(reason). Remove it from databaseEmbeddedKeys, or make it a \
      structure
      """)
  }

  /// The error for the value of a key that is coded as a single one.
  func misuse(ofKey key: any CodingKey) -> DatabaseError {
    value(at: key).misuse("it is coded as one value")
  }

  /// The error for a value that is an association of the request, too.
  func misuse(asAssociation sql: String?) -> DatabaseError {
    DatabaseError.misuse(
      """
      \(title) is embedded, and the request has an association with the same key: give the \
      association another one with forKey(_:)
      """, sql: sql)
  }

  /// The error for a type that is no record, embeds values, and is decoded from columns of its own:
  /// those of an association. Nil for other types.
  static func refusal(of type: Any.Type) -> DatabaseError? {
    let type = (type as? any WrappingType.Type)?.wrappedType ?? type
    guard let embedding = type as? any ColumnEmbedding.Type, !(type is any FetchableRecord.Type),
      !embedding.databaseEmbeddedKeys.isEmpty
    else { return nil }
    return DatabaseError.misuse(
      """
      \(type) has databaseEmbeddedKeys, and is decoded from an association of the request: make \
      it a FetchableRecord
      """)
  }

  /// The error for nil, where the columns to set to NULL are not known.
  func unknownColumns(_ reason: String) -> DatabaseError {
    DatabaseError.misuse(
      """
      \(title) can't be stored as nil, since its columns are not known: \(reason). Make its type \
      Codable, with an init(from:) that decodes any values of its properties, or declare the \
      property without `?`
      """)
  }

  /// `Reader.address.location`
  private var title: String { "\(recordType)\(path.map { "." + $0.stringValue }.joined())" }
}

/// The key of a property of an embedded value, for strategies and errors.
struct EmbeddedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
