import Quarry

/// The properties of a record type that are stored in columns.
struct RecordProperties {
  struct Property {
    /// The coding key, or the column.
    var name: String
    /// The column that the record encodes.
    var column: String
    /// Nil when it is unknown.
    var isOptional: Bool?
    /// The type of a `Decodable` property. Nil when it is unknown.
    var type: Any.Type?
    /// The column as generated code declares it.
    var declaration: _DeclaredColumn?
  }

  var properties: [Property] = []
  /// The record writes columns.
  var isPersistable: Bool
  /// The error that has ended the properties: there may be more than those that are known.
  var failure: (any Error)?
  /// From the name of a column to the name of its property.
  var key: (String) -> String = { $0 }

  /// Asks a generated type for its columns, a `Decodable` type for its coding keys, and another one
  /// for the columns that it encodes.
  init(_ type: any TableRecord.Type) {
    isPersistable = type is any MutablePersistableRecord.Type
    if let type = type as? any _GeneratedRecord.Type {
      properties = type._columns.map {
        Property(name: $0.name, column: $0.name, isOptional: $0.isOptional, declaration: $0)
      }
    } else if let type = type as? any (Decodable & FetchableRecord).Type {
      let probe = PropertyProbe(type)
      properties = probe.properties.map {
        Property(name: $0.name, column: $0.column, isOptional: $0.isOptional, type: $0.type)
      }
      failure = probe.failure
      key = Self.key(probe, type.databaseColumnDecodingStrategy)
    } else if let type = type as? any EncodableRecord.Type {
      properties = Self.encodedColumns(type).map { Property(name: $0, column: $0) }
    }
  }

  /// The properties of embedded values are found by all of their keys.
  private static func key(
    _ probe: PropertyProbe, _ strategy: DatabaseColumnDecodingStrategy
  ) -> (String) -> String {
    let embedded = probe.properties.filter { $0.path.count > 1 }
    if embedded.isEmpty { return strategy.codingKey }
    return { column in
      embedded.first { strategy.isName(column, of: $0.path) }?.name
        ?? strategy.codingKey(ofColumn: column)
    }
  }

  /// The coding keys of a `Decodable` type, and of the records that it contains.
  static func names(of type: any Decodable.Type) -> [String] {
    var names: [String] = []
    var known: Set<ObjectIdentifier> = []
    var types = [type]
    while let type = types.popLast() {
      guard known.insert(ObjectIdentifier(type)).inserted else { continue }
      let probe = PropertyProbe(type)
      names += probe.names
      types += probe.associations.compactMap { $0.type as? any Decodable.Type }
    }
    return names
  }

  private static func encodedColumns<Record: EncodableRecord>(_ type: Record.Type) -> [String] {
    guard let record = Placeholder.make(type),
      let container = try? PersistenceContainer(record)
    else { return [] }
    return Array(container.columns)
  }
}
