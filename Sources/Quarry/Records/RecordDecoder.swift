/// Decodes the properties of a record from a row.
final class RecordDecoder: Decoder {
  /// What the row is for the decoded type.
  enum Style {
    /// The row of a record.
    case record
    /// The row of a nested type that is no record itself: columns have the names of coding keys.
    case nested
  }

  let context: RowDecodingContext
  private var keyed: [KeyedEntry] = []

  private struct KeyedEntry {
    var keyType: ObjectIdentifier
    var decoding: KeyedRowDecoding
    /// A `KeptContainer` of the type of keys.
    var container: AnyObject
  }

  init(
    _ recordType: any FetchableRecord.Type, style: Style, reference: RowReference,
    codingPath: [any CodingKey]
  ) {
    context = RowDecodingContext(
      recordType: recordType, style: style, reference: reference, codingPath: codingPath)
  }

  var codingPath: [any CodingKey] { context.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    for entry in keyed where entry.keyType == keyType {
      entry.decoding.mainProperty = nil
      return unsafeDowncast(entry.container, to: KeptContainer<Key>.self).container
    }
    let decoding = KeyedRowDecoding(context, keyType: type)
    let container = KeptContainer<Key>(decoding)
    keyed.append(KeyedEntry(keyType: keyType, decoding: decoding, container: container))
    return container.container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let key = context.codingPath.last else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "unkeyed decoding from database row is not supported"))
    }
    let keys = try context.row().prefetchedRows.keys.sorted()
    throw DecodingError.keyNotFound(
      key,
      .init(
        codingPath: Array(context.codingPath.dropLast()),
        debugDescription: keys.isEmpty
          ? "No available prefetched rows" : "Available keys for prefetched rows: \(keys)"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RowValueContainer(decoder: self)
  }
}

/// A keyed container, kept for the next values of the row.
private final class KeptContainer<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ decoding: KeyedRowDecoding) {
    container = KeyedDecodingContainer(KeyedRowContainer<Key>(decoding: decoding))
  }
}

/// What all parts of the decoder of a record share.
final class RowDecodingContext {
  let recordType: any FetchableRecord.Type
  let style: RecordDecoder.Style
  let codingPath: [any CodingKey]
  private let reference: RowReference
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

  /// The row, unless the record has been decoded long ago.
  @inline(__always) func row() throws -> Row {
    guard let row = reference.row else { throw RowDecodingContext.escapedContainer }
    return row
  }

  private static var escapedContainer: DecodingError {
    .dataCorrupted(
      .init(
        codingPath: [],
        debugDescription: "A decoding container was used after the end of the decoding"))
  }

  func column(forKey key: any CodingKey) -> Int? {
    if case .useDefaultKeys = strategy {
      return reference.row?.layout.index(ofColumn: key.stringValue)
    }
    return columnsByKey[key.stringValue]
  }

  /// The coding keys of all columns.
  var columnKeys: [String] {
    guard let names = reference.row?.layout.columnNames else { return [] }
    return names.map(codingKey(ofColumn:))
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

  private func codingKey(ofColumn name: String) -> String {
    switch strategy {
    case .useDefaultKeys: name
    case .convertFromSnakeCase: name.camelCased
    case .custom(let key): key(name).stringValue
    }
  }
}
