/// The properties of a record type that are stored in columns.
package struct RecordProperties {
  package struct Property {
    /// The coding key, or the column.
    package var name: String
    /// The column that the record encodes.
    package var column: String
    /// Nil when it is unknown.
    package var isOptional: Bool?
    /// The type of a `Decodable` property. Nil when it is unknown.
    package var type: Any.Type?
    /// The column as generated code declares it.
    package var declaration: _DeclaredColumn?
  }

  package var properties: [Property] = []
  /// The record writes columns.
  package var isPersistable: Bool
  /// The error that has ended the properties: there may be more than those that are known.
  package var failure: (any Error)?
  /// From the name of a column to the name of its property.
  package var key: (String) -> String = { $0 }

  /// Asks a generated type for its columns, a `Decodable` type for its coding keys, and another one for
  /// the columns that it encodes.
  package init(_ type: any TableRecord.Type) {
    isPersistable = type is any MutablePersistableRecord.Type
    if let type = type as? any _GeneratedRecord.Type {
      properties = type._columns.map {
        Property(name: $0.name, column: $0.name, isOptional: $0.isOptional, declaration: $0)
      }
    } else if let type = type as? any (Decodable & FetchableRecord).Type {
      let probe = PropertyProbe()
      if let type = type as? any EncodableRecord.Type {
        probe.column = type.databaseColumnEncodingStrategy.column
      }
      // An error ends the properties: those before it are known.
      do { _ = try type.init(from: probe) } catch { failure = error }
      properties = probe.properties
      key = type.databaseColumnDecodingStrategy.codingKey
    } else if let type = type as? any EncodableRecord.Type {
      properties = Self.encodedColumns(type).map { Property(name: $0, column: $0) }
    }
  }

  /// The coding keys of a `Decodable` type, and of the records that it contains.
  package static func names(of type: any Decodable.Type) -> [String] {
    var names: [String] = []
    var known: Set<ObjectIdentifier> = []
    var types = [type]
    while let type = types.popLast() {
      guard known.insert(ObjectIdentifier(type)).inserted else { continue }
      let probe = PropertyProbe()
      _ = try? type.init(from: probe)
      names += probe.properties.map(\.name) + probe.associations.map(\.name)
      types += probe.associations.compactMap { $0.type as? any Decodable.Type }
    }
    return names
  }

  /// The coding keys of a `Decodable` type, with the types of their values, or of the elements of
  /// arrays and sets.
  package static func members(of type: any Decodable.Type) -> [(name: String, type: Any.Type)] {
    let probe = PropertyProbe()
    _ = try? type.init(from: probe)
    return probe.members
  }

  /// True if a type of records takes nothing from a row without columns: neither does the row have
  /// its table, nor do the names of its properties match those of the scopes.
  static func leavesOut(_ row: Row, _ type: Any.Type) -> Bool {
    if type is any TableRecord.Type { return true }
    guard let type = type as? any Decodable.Type else { return false }
    let probe = PropertyProbe()
    _ = try? type.init(from: probe)
    let names = probe.properties.map(\.name) + probe.associations.map(\.name)
    return !names.contains { row.association(forProperty: $0) != nil }
  }

  private static func encodedColumns<Record: EncodableRecord>(_ type: Record.Type) -> [String] {
    guard let record = Placeholder.make(type),
      let container = try? PersistenceContainer(record)
    else { return [] }
    return Array(container.columns)
  }
}

/// Records the keys that a type decodes, and gives it placeholders.
private final class PropertyProbe: Decoder {
  var properties: [RecordProperties.Property] = []
  var associations: [(name: String, type: Any.Type)] = []
  var members: [(name: String, type: Any.Type)] = []
  var column: (any CodingKey) -> String = \.stringValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  struct Stop: Error, CustomStringConvertible {
    var description: String { "no test value" }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PropertyProbeContainer<Key>(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Stop() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Stop() }

  func add(_ key: any CodingKey, _ type: Any.Type, isOptional: Bool) {
    if type != Never?.self { members.append((key.stringValue, Self.elementType(of: type))) }
    if let record = Self.associatedType(type) {
      associations.append((name: key.stringValue, type: record))
      return
    }
    let isOptional = isOptional || type is any ExpressibleByNilLiteral.Type
    let known = type == Never?.self ? nil : type
    if let index = properties.firstIndex(where: { $0.name.hasSameBytes(as: key.stringValue) }) {
      properties[index].type = properties[index].type ?? known
    } else {
      properties.append(
        .init(
          name: key.stringValue, column: column(key), isOptional: isOptional, type: known))
    }
  }

  private static func elementType(of type: Any.Type) -> Any.Type {
    (type as? any RecordCollection.Type).map { elementType(of: $0.elementType) } ?? type
  }

  /// The type of the records of a property: they come from associations, not from columns. Nil for
  /// other types.
  private static func associatedType(_ type: Any.Type) -> Any.Type? {
    if type is any DatabaseValueConvertible.Type, !(type is any ExpressibleByNilLiteral.Type) {
      return nil
    }
    if let type = type as? any RecordCollection.Type { return associatedType(type.elementType) }
    return type is any FetchableRecord.Type && !(type is any DatabaseValueConvertible.Type)
      ? type : nil
  }
}

/// A type that may contain records.
private protocol RecordCollection {
  static var elementType: Any.Type { get }
}

extension Array: RecordCollection {
  fileprivate static var elementType: Any.Type { Element.self }
}

extension Set: RecordCollection {
  fileprivate static var elementType: Any.Type { Element.self }
}

extension Optional: RecordCollection {
  fileprivate static var elementType: Any.Type { Wrapped.self }
}

private struct PropertyProbeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: PropertyProbe
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  /// Called for optional numbers and strings, before their value is decoded.
  func decodeNil(forKey key: Key) -> Bool {
    probe.add(key, Never?.self, isOptional: true)
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    probe.add(key, type, isOptional: false)
    guard let value = Placeholder.make(type) else { throw PropertyProbe.Stop() }
    return value
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    probe.add(key, type, isOptional: true)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw PropertyProbe.Stop()
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw PropertyProbe.Stop()
  }

  func superDecoder() -> any Decoder { probe }

  func superDecoder(forKey key: Key) -> any Decoder { probe }
}
