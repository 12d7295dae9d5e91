/// Decodes a single value from a column.
final class ColumnValueDecoder: Decoder, WideSingleValueDecoding {
  private let context: RowDecodingContext
  private let column: Int
  private let key: any CodingKey
  /// Whether the column has the JSON of containers. Those of elements are decoded from their row.
  private let hasJSON: Bool
  /// The decoder of the row, which has the keys of a superclass unless the column has its JSON. Nil
  /// for the value of a property.
  private let superclass: (any Decoder)?

  /// Whether a value, and not only a container, was requested.
  private var didReadValue = false

  /// Whether a container was requested. The type may have gone on without it.
  private(set) var didRequestContainer = false

  /// Whether the type requested a container, without a look at the value, and did not go on.
  private(set) var requiresContainer = false

  /// How often the row had moved when it was decoded.
  private var moveCount: Int

  /// The decoder of the wrapped value, for the types that wrap a value.
  private var wrapped: (type: ObjectIdentifier, property: AnyObject)?

  init(
    _ context: RowDecodingContext, column: Int, key: any CodingKey, hasJSON: Bool = true,
    superclass: (any Decoder)? = nil
  ) {
    self.context = context
    self.column = column
    self.key = key
    self.hasJSON = hasJSON
    self.superclass = superclass
    moveCount = (try? context.row())?.rootMoveCount ?? 0
  }

  /// The row, unless it has moved since it was decoded.
  private func row() throws -> Row {
    let row = try context.row()
    guard row.rootMoveCount == moveCount else { throw RowDecodingContext.escapedContainer }
    return row
  }

  /// Decodes a type that decodes itself: from a single value, or from a container when it asks for
  /// one.
  ///
  /// - parameter single: Makes the result of a single value.
  func decode<T: Decodable, Result>(
    _ type: T.Type, from row: Row, single: (T) -> Result,
    orContainer container: (Row) throws -> Result
  ) throws -> Result {
    try decodeSingleValue {
      try single(decode(type, from: row))
    } orContainer: {
      try container(row)
    } ifPresent: {
      didRequestContainer && (!hasJSON || row.mayHaveJSONContainer(at: column))
    }
  }

  /// - Throws: `JSONRequiredError` when the type needs a container.
  private func decode<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
    didReadValue = false
    didRequestContainer = false
    requiresContainer = false
    moveCount = row.rootMoveCount
    do {
      return try T(from: self)
    } catch let error as DecodingError {
      throw error.inColumn(column, of: row, recordType: context.recordType)
    } catch is JSONRequiredError {
      requiresContainer = !didReadValue
      throw JSONRequiredError.error
    }
  }

  var codingPath: [any CodingKey] { context.codingPath + [context.propertyKey(key)] }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let superclass = try decoderOfSuperclass()
    // The column of a property of the superclass does not have the superclass. The keys of
    // dictionaries, which have any name, are no properties.
    let isProperty = Key(stringValue: key.stringValue) != nil && Key(stringValue: "") == nil
    let json = isProperty ? nil : try fromJSON { try $0.container(keyedBy: type) }
    return try json ?? superclass.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    _ = try decoderOfSuperclass()
    if let elements = try fromJSON({ try $0.unkeyedContainer() }) { return elements }
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "unkeyed decoding is not supported")
    )
    .inColumn(column, of: try row(), recordType: context.recordType)
  }

  /// - Throws: `JSONRequiredError` for a property.
  private func decoderOfSuperclass() throws -> any Decoder {
    didRequestContainer = true
    _ = try row()
    guard let superclass else { throw JSONRequiredError.error }
    return superclass
  }

  /// The container of a JSON object or array. Nil if the column has none.
  private func fromJSON<Container>(
    _ container: (any Decoder) throws -> Container
  ) throws -> Container? {
    let row = try row()
    guard row.mayHaveJSONContainer(at: column) else { return nil }
    do {
      let json = context.jsonDecoder(JSONText.self, column, context.propertyKey(key))
      return try container(json(row).decoder)
    } catch let error as DecodingError {
      throw error.inColumn(column, of: row, recordType: context.recordType)
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    didReadValue = true
    return self
  }

  func decodeNil() -> Bool { (try? row().isNull(at: column)) ?? true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let row = try row()
    if let wrapped, wrapped.type == ObjectIdentifier(type) {
      return try known(wrapped.property, as: PropertyDecoder<T>.self).decode(row)
    }
    guard let property = context.valueProperty(type, column, hasJSON ? key : nil) else {
      return try T(from: self)
    }
    wrapped = (type: ObjectIdentifier(type), property: property)
    return try property.decode(row)
  }
}

/// A JSON text, whose decoder is used after its decoding.
private struct JSONText: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
