/// Whose property prefetched rows are, for the types of elements that are no records.
struct PrefetchedContext {
  let recordType: any FetchableRecord.Type
  let codingPath: [any CodingKey]

  func group(forKey key: String, in row: Row) throws -> PrefetchedGroup {
    guard let group = row.prefetchedGroup(forKey: key) else {
      throw RowDecodingError.prefetchedRowsNotFound(
        key, available: row.prefetchedRows.keys.sorted(), row.decodingContext())
    }
    return group
  }

  func element<Element: Decodable>(_ type: Element.Type, from row: Row) throws -> Element {
    try row.recordDecoder(for: recordType, style: .element, path: codingPath)
      .decodeElement(type, from: row)
  }
}

/// Decodes other collections from prefetched rows.
struct PrefetchedRowsDecoder: Decoder {
  private let context: PrefetchedContext
  private let rows: [Row]

  init(_ context: PrefetchedContext, rows: [Row]) {
    self.context = context
    self.rows = rows
  }

  var codingPath: [any CodingKey] { context.codingPath }

  var userInfo: [CodingUserInfoKey: Any] { context.recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw unsupported("keyed decoding from prefetched rows is not supported")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    PrefetchedRowsContainer(context, rows: rows)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw unsupported("single value decoding from prefetched rows is not supported")
  }

  private func unsupported(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }
}

/// Prefetched rows, as an unkeyed container.
private struct PrefetchedRowsContainer: UnkeyedDecodingContainer {
  private let context: PrefetchedContext
  private let rows: [Row]
  private(set) var currentIndex = 0

  init(_ context: PrefetchedContext, rows: [Row]) {
    self.context = context
    self.rows = rows
  }

  var codingPath: [any CodingKey] { context.codingPath }
  var count: Int? { rows.count }
  var isAtEnd: Bool { currentIndex == rows.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, rows[currentIndex].hasNullElement else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try context.element(type, from: nextRow(type))
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unsupported("unkeyed decoding is not supported")
  }

  mutating func superDecoder() throws -> any Decoder {
    try nextRow(Row.self)
      .recordDecoder(for: context.recordType, style: .element, path: codingPath)
  }

  private mutating func nextRow(_ type: Any.Type) throws -> Row {
    guard currentIndex < rows.count else {
      throw DecodingError.valueNotFound(
        type,
        .init(codingPath: codingPath, debugDescription: "There are no more prefetched rows"))
    }
    defer { currentIndex += 1 }
    return rows[currentIndex]
  }

  private func unsupported(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }
}
