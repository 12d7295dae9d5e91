/// Decodes the properties of a record from a row.
final class RecordDecoder: Decoder {
  /// What the row is for the decoded type.
  enum Style {
    /// The row of a record.
    case record
    /// The row of a nested type that is no record itself: columns have the names of coding keys.
    case nested
    /// The row of an element of prefetched rows, as a nested type.
    case element
  }

  let context: RowDecodingContext
  @safe @exclusivity(unchecked) private var keyed: [KeptKeyedContainer] = []
  /// The decoder of the elements of prefetched rows, one row each, and its type.
  private var element: (type: ObjectIdentifier, property: AnyObject)?

  init(
    _ recordType: any FetchableRecord.Type, style: Style, reference: RowReference,
    codingPath: [any CodingKey]
  ) {
    context = RowDecodingContext(
      recordType: recordType, style: style, reference: reference, codingPath: codingPath)
  }

  /// Ends the containers that records have kept.
  func forgetKeptContainers() {
    for index in keyed.indices.reversed() where keyed[index].isKept() { keyed.remove(at: index) }
  }

  /// Ends the decoder, which a record has kept, and all of its containers.
  func end() {
    keyed = []
    context.end()
  }

  var codingPath: [any CodingKey] { context.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    for index in keyed.indices where keyed[index].keyType == keyType {
      return keyed[index].containerForNextRow(type)
    }
    let kept = KeptKeyedContainer(context, type)
    keyed.append(kept)
    return kept.containerForNextRow(type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
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
          missing: key, row: row, recordType: context.recordType)))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RowValueContainer(decoder: self)
  }

  /// Decodes an element of prefetched rows.
  func decodeElement<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
    if let element, element.type == ObjectIdentifier(type) {
      return try unsafe unsafeDowncast(element.property, to: PropertyDecoder<T>.self).decode(row)
    }
    let property = elementProperty(type)
    element = (type: ObjectIdentifier(type), property: property)
    return try property.decode(row)
  }
}

/// A keyed container, kept for the next values of the row.
///
/// The standard library copies the content of a `KeyedDecodingContainer` for each property: so the content doesn't own
/// what it points to.
private struct KeptKeyedContainer {
  let keyType: ObjectIdentifier
  let decoding: KeyedRowDecoding
  /// The only content of a `KeyedDecodingContainer`: an object.
  /// Optional, since the reference count of an existential can't be asked for: it would be opened, and copied.
  private var box: AnyObject?

  init<Key: CodingKey>(_ context: RowDecodingContext, _ type: Key.Type) {
    keyType = ObjectIdentifier(type)
    decoding = KeyedRowDecoding(context, keyType: type)
    box = unsafe unsafeBitCast(
      KeyedDecodingContainer(KeyedRowContainer<Key>(decoding: decoding)), to: AnyObject.self)
  }

  @inline(__always)
  func containerForNextRow<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    decoding.mainProperty = nil
    return unsafe unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
  }

  /// Whether somebody else has the container.
  mutating func isKept() -> Bool { !isKnownUniquelyReferenced(&box) }
}

extension RowDecodingContext {
  /// The context of containers that outlived theirs: all of it throws.
  static var ended: RowDecodingContext {
    struct Ended: FetchableRecord {
      init(row: Row) {}
    }
    return RowDecodingContext(
      recordType: Ended.self, style: .record, reference: .ended, codingPath: [])
  }
}

/// What all parts of the decoder of a record share.
final class RowDecodingContext {
  let recordType: any FetchableRecord.Type
  let style: RecordDecoder.Style
  let codingPath: [any CodingKey]
  @safe @exclusivity(unchecked) private(set) var reference: RowReference
  private let strategy: DatabaseColumnDecodingStrategy
  /// The columns by coding key, unless keys are the names of columns.
  private lazy var columnsByKey = makeColumnsByKey()

  init(
    recordType: any FetchableRecord.Type, style: RecordDecoder.Style, reference: RowReference,
    codingPath: [any CodingKey]
  ) {
    self.recordType = recordType
    self.style = style
    self.reference = reference
    self.codingPath = codingPath
    strategy = style == .record ? recordType.databaseColumnDecodingStrategy : .useDefaultKeys
  }

  /// Ends the use of the row by whoever has kept the context.
  func end() {
    reference = .ended
  }

  /// Runs `body` with the row, unless the record has been decoded long ago.
  @inline(__always) func withRow<T>(_ body: (Row) throws -> T) throws -> T {
    guard let row = reference.row else { throw RowDecodingContext.escapedContainer }
    return try unsafe row._withUnsafeGuaranteedRef(body)
  }

  func row() throws -> Row {
    try withRow { $0 }
  }

  static var escapedContainer: DecodingError {
    .dataCorrupted(
      .init(
        codingPath: [],
        debugDescription: "A decoding container was used after the end of the decoding"))
  }

  func column(forKey key: any CodingKey) -> Int? {
    if case .useDefaultKeys = strategy {
      return try? row().layout.index(ofColumn: key.stringValue)
    }
    return columnsByKey[key.stringValue]
  }

  /// The coding keys of all columns.
  var columnKeys: [String] {
    guard let names = try? row().layout.columnNames else { return [] }
    return names.map(strategy.codingKey(ofColumn:))
  }

  /// The error for a property that must be in a column.
  func missingColumn(_ key: any CodingKey) throws -> RowDecodingError {
    let row = try row()
    switch strategy {
    case .useDefaultKeys:
      return row.missingColumnError(key.stringValue)
    case .convertFromSnakeCase:
      let column = key.stringValue.snakeCased
      let back = column.camelCased
      return .keyNotFound(
        key, divergent: back == key.stringValue ? nil : back, converted: column,
        row.decodingContext())
    case .custom:
      return .keyNotFound(key, row.decodingContext())
    }
  }

  private func makeColumnsByKey() -> [String: Int] {
    let columns = columnKeys.enumerated().map { ($0.element, $0.offset) }
    return Dictionary(columns, uniquingKeysWith: { leftmost, _ in leftmost })
  }
}
