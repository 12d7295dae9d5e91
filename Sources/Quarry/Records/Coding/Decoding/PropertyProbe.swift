/// Records the keys that a type decodes, and gives it placeholders.
package final class PropertyProbe: Decoder {
  /// A property that is stored in a column.
  package struct Property {
    /// The coding key.
    package var name: String
    /// The column that the record encodes.
    package var column: String
    /// Nil when it is unknown.
    package var isOptional: Bool?
    /// Nil when it is unknown.
    package var type: Any.Type?
    /// The coding keys: several for a property of an embedded value.
    package var path: [any CodingKey]
  }

  package private(set) var properties: [Property] = []
  /// The properties that are records, or collections of records.
  package private(set) var associations: [(name: String, type: Any.Type)] = []
  /// All properties, with the types of their values, or of the elements of arrays and sets.
  package private(set) var members: [(name: String, type: Any.Type)] = []
  /// The error that has ended the properties: there may be more than those that are known.
  package private(set) var failure: (any Error)?
  /// The type has coding keys.
  private(set) var isKeyed = false
  /// The type decodes whatever keys there are.
  fileprivate(set) var looksForKeys = false
  fileprivate let embedding: Embedding?
  private var column: (any CodingKey) -> String = \.stringValue
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  struct Stop: Error, CustomStringConvertible {
    var description: String { "no test value" }
  }

  package init(_ type: any Decodable.Type) {
    embedding = (type as? any ColumnEmbedding.Type).flatMap(Embedding.of)
    column = DatabaseColumnEncodingStrategy.naming(of: type)
    decode(type)
  }

  /// Looks for the properties of an embedded value.
  init(_ embedding: Embedding, _ type: any Decodable.Type) {
    self.embedding = embedding
    decode(type)
  }

  private func decode(_ type: any Decodable.Type) {
    do { _ = try type.init(from: self) } catch { failure = error }
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    isKeyed = true
    return KeyedDecodingContainer(PropertyProbeContainer<Key>(probe: self))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stop() }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Stop() }

  func add(_ key: any CodingKey, _ type: Any.Type, isOptional: Bool) throws {
    let isOptional = isOptional || type is any ExpressibleByNilLiteral.Type
    if let embedding, embedding.embeds(key) {
      for property in try embedding.value(of: type, key).properties {
        add(property.path, property.type, isOptional: isOptional ? true : property.isOptional)
      }
      return
    }
    if type != Never?.self { members.append((key.stringValue, Self.elementType(of: type))) }
    if embedding?.isValue != true, let record = Self.associatedType(type) {
      associations.append((name: key.stringValue, type: record))
      return
    }
    add(
      (embedding?.path ?? []) + [key], type == Never?.self ? nil : type, isOptional: isOptional)
  }

  private func add(_ path: [any CodingKey], _ type: Any.Type?, isOptional: Bool?) {
    let property = Property(
      name: path.map(\.stringValue).joined(separator: "_"),
      column: path.map(column).joined(separator: "_"), isOptional: isOptional, type: type,
      path: path)
    let known = properties.firstIndex {
      $0.path.count == path.count && $0.name.hasSameBytes(as: property.name)
    }
    if let known {
      properties[known].type = properties[known].type ?? type
    } else {
      properties.append(property)
    }
  }

  private static func elementType(of type: Any.Type) -> Any.Type {
    innerType(of: type).map(elementType) ?? type
  }

  /// The type inside of an array, a set or an optional. Nil for other types.
  private static func innerType(of type: Any.Type) -> Any.Type? {
    (type as? any PrefetchedCollection.Type)?.elementType
      ?? (type as? any WrappingType.Type)?.wrappedType
  }

  /// The type of the records of a property: they come from associations, not from columns. Nil for
  /// other types.
  private static func associatedType(_ type: Any.Type) -> Any.Type? {
    if type is any DatabaseValueConvertible.Type, !(type is any ExpressibleByNilLiteral.Type) {
      return nil
    }
    if let type = innerType(of: type) { return associatedType(type) }
    return type is any FetchableRecord.Type && !(type is any DatabaseValueConvertible.Type)
      ? type : nil
  }
}

extension PropertyProbe {
  /// The columns of a `Decodable` record, as far as they are known.
  static func columns(of type: any FetchableRecord.Type) -> [String] {
    (type as? any Decodable.Type).map { PropertyProbe($0).properties.map(\.column) } ?? []
  }

  /// Whether a property of a type is fed by an association of a row. True for types whose
  /// properties are not known.
  static func takesAssociation(of row: Row, _ type: Any.Type) -> Bool {
    guard let type = type as? any Decodable.Type else { return true }
    return PropertyProbe(type).names.contains { row.association(forProperty: $0) != nil }
  }

  /// The coding keys.
  package var names: [String] { properties.map(\.name) + associations.map(\.name) }
}

extension PrefetchedCollection {
  fileprivate static var elementType: Any.Type { Element.self }
}

private struct PropertyProbeContainer<Key: CodingKey>: WideKeyedDecoding {
  let probe: PropertyProbe
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] {
    probe.looksForKeys = true
    return []
  }

  func contains(_ key: Key) -> Bool { true }

  /// Called for optional numbers and strings, before their value is decoded.
  func decodeNil(forKey key: Key) throws -> Bool {
    if probe.embedding?.embeds(key) != true { try probe.add(key, Never?.self, isOptional: true) }
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try probe.add(key, type, isOptional: false)
    guard let value = Placeholder.make(type) else { throw PropertyProbe.Stop() }
    return value
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try probe.add(key, type, isOptional: true)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw PropertyProbe.Stop() }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw PropertyProbe.Stop()
  }

  func superDecoder() -> any Decoder { probe }

  func superDecoder(forKey key: Key) -> any Decoder { probe }
}
