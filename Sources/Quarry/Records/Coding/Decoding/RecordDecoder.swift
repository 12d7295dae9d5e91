/// Decodes the properties of a record from a row.
final class RecordDecoder: Decoder {
  /// The role of the row for the decoded type.
  enum Style {
    /// The row of a record.
    case record
    /// The row of a nested type that is not a record itself: columns have the names of coding keys.
    case nested
    /// The row of an element of prefetched rows, as a nested type.
    case element
  }

  let context: RowDecodingContext
  private let recordType: ObjectIdentifier
  @safe @exclusivity(unchecked) private var tables = CoderSlots<KeyedRowDecoding>()
  /// The decoder of the elements of prefetched rows, one row each, and its type.
  private var element: (type: ObjectIdentifier, property: AnyObject)?
  /// The decoder of a record that is one value, and its type.
  private var value: (type: ObjectIdentifier, property: AnyObject)?

  init(_ context: RowDecodingContext) {
    recordType = ObjectIdentifier(context.recordType)
    self.context = context
  }

  @inline(__always)
  func decodes(_ type: any FetchableRecord.Type, _ style: Style) -> Bool {
    recordType == ObjectIdentifier(type) && context.style == style
  }

  /// Ends the containers that records have kept.
  @inline(__always) func forgetSharedContainers() { tables.removeAll { $0.isShared() } }

  /// Ends the decoder, which a record has kept, and all of its containers.
  func end() {
    tables = CoderSlots()
    context.end()
  }

  var codingPath: [any CodingKey] { context.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if let known = tables.first(where: { $0.keyType == keyType }) {
      return known.use { $0.containerForNextRow(type) }
    }
    let new = KeyedRowDecoding(context, type)
    tables.add(new)
    return new.containerForNextRow(type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let embedding = context.embedding, embedding.isValue {
      throw embedding.misuse("its type has no coding keys")
    }
    guard let key = context.codingPath.last else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "unkeyed decoding from database row is not supported"))
    }
    let row = try context.row()
    let keys = row.prefetchedRows.keys.sorted()
    throw DecodingError.keyNotFound(
      key,
      .init(
        codingPath: Array(context.codingPath.dropLast()),
        debugDescription: keys.isEmpty
          ? "No available prefetched rows" : "Available keys for prefetched rows: \(keys)",
        underlyingError: ColumnDecodingFailure(
          missing: key, row: row, recordType: context.recordType, isCollection: true)))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// Decodes an element of prefetched rows.
  func decodeElement<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
    if let element, element.type == ObjectIdentifier(type) {
      return try known(element.property, as: PropertyDecoder<T>.self).decode(row)
    }
    let property = elementProperty(type)
    element = (type: ObjectIdentifier(type), property: property)
    return try property.decode(row)
  }
}

// A row as one value: a record that wraps another one is decoded from the same row, and one that is
// a plain value from the first column.
extension RecordDecoder: WideSingleValueDecoding {
  func decodeNil() -> Bool {
    guard let row = try? context.row() else { return true }
    if context.isEmbedded { return context.embeddedColumns.allSatisfy(row.isNull(at:)) }
    return !row.containsNonNullValue
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let embedding = context.embedding, embedding.isValue {
      if type is any DatabaseValueConvertible.Type {
        throw embedding.misuse("\(type) is a database value")
      }
      return try T(from: self)
    }
    if let record = type as? any FetchableRecord.Type {
      let record = try record.decodeWithErrors(from: context.row())
      if let record = record as? T { return record }
    }
    if let value, value.type == ObjectIdentifier(type) {
      return try known(value.property, as: PropertyDecoder<T>.self)
        .decode(context.row())
    }
    guard let property = context.valueProperty(type, 0) else { return try T(from: self) }
    try requireFirstColumn(type)
    value = (type: ObjectIdentifier(type), property: property)
    return try property.decode(context.row())
  }

  /// - Throws: an error for a nested type: its property has no column.
  private func requireFirstColumn(_ type: Any.Type) throws {
    if context.style != .nested, context.hasColumns { return }
    if let key = codingPath.last { throw try context.missingColumn(key) }
    throw DecodingError.typeMismatch(
      type,
      .init(codingPath: [], debugDescription: "can't decode a single value from an empty row"))
  }
}
