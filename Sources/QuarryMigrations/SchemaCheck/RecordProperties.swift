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
    /// The coding keys of a `Decodable` property: several for one of an embedded value.
    var path: [any CodingKey] = []
  }

  package var properties: [Property] = []
  /// The record writes columns.
  package var isPersistable: Bool
  /// The error that has ended the properties: there may be more than those that are known.
  package var failure: (any Error)?
  /// From the name of a column to the name of its property.
  package var key: (String) -> String = { $0 }

  /// Asks a generated type for its columns, a `Decodable` type for its coding keys, and another one
  /// for the columns that it encodes.
  package init(_ type: any TableRecord.Type) {
    isPersistable = type is any MutablePersistableRecord.Type
    if let type = type as? any _GeneratedRecord.Type {
      properties = type._columns.map {
        Property(name: $0.name, column: $0.name, isOptional: $0.isOptional, declaration: $0)
      }
    } else if let type = type as? any (Decodable & FetchableRecord).Type {
      let probe = PropertyProbe(recordType: type)
      // An error ends the properties: those before it are known.
      do { _ = try type.init(from: probe) } catch { failure = error }
      properties = probe.properties
      key = keyFunction(type.databaseColumnDecodingStrategy)
    } else if let type = type as? any EncodableRecord.Type {
      properties = Self.encodedColumns(type).map { Property(name: $0, column: $0) }
    }
  }

  /// The properties of embedded values are found by all of their keys.
  private func keyFunction(_ strategy: DatabaseColumnDecodingStrategy) -> (String) -> String {
    let embedded = properties.filter { $0.path.count > 1 }
    if embedded.isEmpty { return strategy.codingKey }
    return { column in
      embedded.first { strategy.isName(column, of: $0.path) }?.name
        ?? strategy.codingKey(ofColumn: column)
    }
  }

  /// The columns of a `Decodable` record, as far as they are known.
  static func columns(of type: any FetchableRecord.Type) -> [String] {
    guard let decodable = type as? any Decodable.Type else { return [] }
    let probe = PropertyProbe(recordType: type)
    _ = try? decodable.init(from: probe)
    return probe.properties.map(\.column)
  }

  /// The coding keys of a `Decodable` type, and of the records that it contains.
  package static func names(of type: any Decodable.Type) -> [String] {
    var names: [String] = []
    var known: Set<ObjectIdentifier> = []
    var types = [type]
    while let type = types.popLast() {
      guard known.insert(ObjectIdentifier(type)).inserted else { continue }
      let probe = PropertyProbe(recordType: type)
      _ = try? type.init(from: probe)
      names += probe.properties.map(\.name) + probe.associations.map(\.name)
      types += probe.associations.compactMap { $0.type as? any Decodable.Type }
    }
    return names
  }

  /// The coding keys of a `Decodable` type, with the types of their values, or of the elements of
  /// arrays and sets.
  package static func members(of type: any Decodable.Type) -> [(name: String, type: Any.Type)] {
    let probe = PropertyProbe(recordType: type)
    _ = try? type.init(from: probe)
    return probe.members
  }

  /// True if a type of records takes nothing from a row without columns: neither does the row have
  /// its table, nor do the names of its properties match those of the scopes.
  static func leavesOut(_ row: Row, _ type: Any.Type) -> Bool {
    if type is any TableRecord.Type { return true }
    guard let type = type as? any Decodable.Type else { return false }
    let probe = PropertyProbe(recordType: type)
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
