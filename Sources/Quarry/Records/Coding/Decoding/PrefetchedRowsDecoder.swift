/// Decodes the elements of a property from prefetched rows: those of arrays and sets one by one,
/// those of other collections as an unkeyed container.
struct PrefetchedRowsDecoder: Decoder {
  /// The record that has the property.
  let recordType: any FetchableRecord.Type
  let codingPath: [any CodingKey]
  /// The rows of a collection whose elements are not decoded one by one.
  var rows: [Row] = []
  private(set) var currentIndex = 0

  func group(forKey key: String, in row: Row) throws -> PrefetchedGroup {
    guard let group = row.prefetchedGroup(forKey: key) else { throw row.missingRowsError(key) }
    return group
  }

  func element<Element: Decodable>(_ type: Element.Type, from row: Row) throws -> Element {
    try elementDecoder(row).decodeElement(type, from: row)
  }

  private func elementDecoder(_ row: Row) -> RecordDecoder {
    row.recordDecoder(for: recordType, style: .element, path: codingPath)
  }

  var userInfo: [CodingUserInfoKey: Any] { recordType.databaseDecodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw unsupported("keyed decoding from prefetched rows is not supported")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { self }

  func singleValueContainer() -> any SingleValueDecodingContainer { PrefetchedValue(decoder: self) }

  fileprivate func unsupported(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
  }
}

extension PrefetchedRowsDecoder: UnkeyedDecodingContainer {
  var count: Int? { rows.count }
  var isAtEnd: Bool { currentIndex == rows.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, rows[currentIndex].hasNullElement else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try element(type, from: nextRow(type))
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> { try superDecoder().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unsupported("unkeyed decoding is not supported")
  }

  mutating func superDecoder() throws -> any Decoder { try elementDecoder(nextRow(Row.self)) }

  private mutating func nextRow(_ type: Any.Type) throws -> Row {
    guard currentIndex < rows.count else {
      throw DecodingError.valueNotFound(
        type,
        .init(codingPath: codingPath, debugDescription: "There are no more prefetched rows"))
    }
    defer { currentIndex += 1 }
    return rows[currentIndex]
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension PrefetchedRowsDecoder {
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try element(type, from: nextRow(type))
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try element(type, from: nextRow(type))
  }
}

/// Prefetched rows as one value: that of an optional collection, or of a type that wraps one.
private struct PrefetchedValue: SingleValueDecodingContainer {
  let decoder: PrefetchedRowsDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // They would ask for themselves again.
    if type is any DatabaseValueConvertible.Type {
      throw decoder.unsupported("single value decoding from prefetched rows is not supported")
    }
    return try T(from: decoder)
  }
}
