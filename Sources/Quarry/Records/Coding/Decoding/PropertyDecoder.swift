import Foundation

/// Decodes a property of a record from the current values of a row.
///
/// How its type is decoded (as a value, from JSON, from a scope) is determined once.
final class PropertyDecoder<T> {
  let decode: (Row) throws -> T
  let decodeIfPresent: (Row) throws -> T?
  /// Whether the property is a date, and its record has no strategy for it.
  fileprivate(set) var isDeferredDate = false

  init(
    _ decode: @escaping (Row) throws -> T, ifPresent decodeIfPresent: @escaping (Row) throws -> T?
  ) {
    self.decode = decode
    self.decodeIfPresent = decodeIfPresent
  }

  /// A property in a column.
  convenience init(column: Int, _ decode: @escaping (Row) throws -> T) {
    self.init(decode) { row in row.isNull(at: column) ? nil : try decode(row) }
  }

  /// The same decoder, with nil for a missing value.
  var optional: PropertyDecoder<T?> {
    PropertyDecoder<T?>(decodeIfPresent, ifPresent: decodeIfPresent)
  }

  /// The same decoder, whose type is known to be the one of a decoded property.
  fileprivate func typed<Property>(_ type: Property.Type) -> PropertyDecoder<Property> {
    known(self, as: PropertyDecoder<Property>.self)
  }
}

extension RowDecodingContext {
  /// The decoder of a type that converts from one value, by itself or by the strategies of a
  /// record. Nil for others.
  ///
  /// - parameter key: the coding key of the property in the column, if it is one.
  func valueProperty<T: Decodable>(
    _ type: T.Type, _ column: Int, _ key: (any CodingKey)? = nil
  ) -> PropertyDecoder<T>? {
    if type == Date.self { return dateProperty(column, key).typed(type) }
    if type == Data.self { return dataProperty(column, key).typed(type) }
    if type == Date?.self {
      let property = dateProperty(column, key)
      if !property.isDeferredDate { return property.optional.typed(type) }
    }
    if type == Data?.self,
      case .custom = recordType.databaseDataDecodingStrategy(for: columnName(column, key))
    {
      return dataProperty(column, key).optional.typed(type)
    }
    if let type = type as? any (DatabaseValueConvertible & StatementColumnConvertible).Type {
      return known(Self.directProperty(type, column), as: PropertyDecoder<T>.self)
    }
    if let type = type as? any DatabaseValueConvertible.Type {
      return known(Self.convertedProperty(type, column), as: PropertyDecoder<T>.self)
    }
    return nil
  }

  /// The name of a column for strategies: as the record writes it, if it is the same regardless of
  /// case.
  private func columnName(_ column: Int, _ key: (any CodingKey)?) -> String {
    let names = (try? row())?.layout.columnNames ?? []
    let name = column < names.count ? names[column] : ""
    guard let key else { return name }
    let written = writtenColumnName(key)
    return written.isSameIdentifier(as: name) ? written : name
  }

  /// The column that the record writes a property to. Nested types have the names of their keys.
  private func writtenColumnName(_ key: any CodingKey) -> String {
    guard style == .record else { return key.stringValue }
    let path = (embedding?.path ?? []) + [key]
    return path.map(DatabaseColumnEncodingStrategy.naming(of: recordType)).joined(separator: "_")
  }

  private func dateProperty(_ column: Int, _ key: (any CodingKey)?) -> PropertyDecoder<Date> {
    let strategy = recordType.databaseDateDecodingStrategy(for: columnName(column, key))
    let decode = strategy.decoder
    let property = PropertyDecoder(column: column) { try decode($0, column) }
    if case .deferredToDate = strategy { property.isDeferredDate = true }
    return property
  }

  private func dataProperty(_ column: Int, _ key: (any CodingKey)?) -> PropertyDecoder<Data> {
    let strategy = recordType.databaseDataDecodingStrategy(for: columnName(column, key))
    return PropertyDecoder(column: column) { try strategy.decode($0, column) }
  }

  private static func directProperty<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ column: Int
  ) -> AnyObject { PropertyDecoder<V>(column: column) { try $0.decode(V.self, atIndex: column) } }

  private static func convertedProperty<V: DatabaseValueConvertible>(
    _ type: V.Type, _ column: Int
  ) -> AnyObject { PropertyDecoder<V>(column: column) { try $0.decode(V.self, atIndex: column) } }

  /// A type that decodes itself: from a single value, or from JSON when it asks for a container.
  func codedProperty<T: Decodable>(
    _ type: T.Type, _ column: Int, _ key: any CodingKey
  ) -> PropertyDecoder<T> {
    var valueDecoder = ColumnValueDecoder(self, column: column, key: key)
    let decodeJSON = jsonDecoder(type, column, propertyKey(key))
    var isJSON = false
    return PropertyDecoder(column: column) { row in
      if isJSON { return try decodeJSON(row) }
      // An earlier record has kept the decoder.
      if !isKnownUniquelyReferenced(&valueDecoder) {
        valueDecoder = ColumnValueDecoder(self, column: column, key: key)
      }
      return try valueDecoder.decode(type, from: row, single: { $0 }) { row in
        // A type that needs a container, without a look at the value, always does.
        isJSON = valueDecoder.requiresContainer
        return try decodeJSON(row)
      }
    }
  }
}

extension PropertyDecoder {
  /// The decoder of a property that has neither a column nor an association.
  static func missing(
    _ type: T.Type, _ key: any CodingKey, _ context: RowDecodingContext
  ) -> PropertyDecoder {
    let valueType = type as? any DatabaseValueConvertible.Type
    if valueType == nil, let optional = type as? any WrappingType.Type {
      return known(alwaysNil(optional), as: PropertyDecoder.self)
    }
    return PropertyDecoder { _ in
      // Optional types accept missing columns.
      guard let value = valueType?.fromMissingColumn() as? T else {
        throw try context.missingColumn(key)
      }
      return value
    } ifPresent: { _ in
      nil
    }
  }

  private static func alwaysNil<V: WrappingType>(_ type: V.Type) -> AnyObject {
    PropertyDecoder<V> { _ in
      nil
    } ifPresent: { _ in
      nil
    }
  }
}
