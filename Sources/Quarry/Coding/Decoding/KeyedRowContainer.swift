/// The properties of a record, by coding key.
///
/// All members find the slot of the key, then the column or the decoder of the slot: see `KeyedRowDecoding`.
@safe struct KeyedRowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  // Nothing is counted here, since the standard library copies the container for each value. The decoder of the record
  // owns the decoding; a container that escapes from the initialiser of a record finds that its lifetime is over.
  private unowned(unsafe) let ownedDecoding: KeyedRowDecoding
  private let lifetime: Lifetime

  // Both live as long as the decoding. A known column of a live row is read through them: that is the way of nearly
  // all values.
  private let columns: UnsafeMutablePointer<Int16>?
  private let direct: UnsafeMutablePointer<DirectColumns>

  init(decoding: KeyedRowDecoding) {
    unsafe ownedDecoding = decoding
    lifetime = decoding.lifetime
    unsafe columns = unsafe decoding.columnsByByte
    unsafe direct = unsafe decoding.context.reference.direct
  }

  private var decoding: KeyedRowDecoding {
    unsafe lifetime.isOver ? KeyedRowDecoding(.ended, keyType: Key.self) : ownedDecoding
  }

  var codingPath: [any CodingKey] { decoding.context.codingPath }

  @inline(__always) private func slot(_ key: Key) -> Int {
    decoding.keys.slot(of: key)
  }

  // What is generic over the value, and not over the key, stands in `KeyedRowDecoding`: it's compiled for each type.
  @inline(__always) private func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ key: Key
  ) throws -> V {
    let column = knownColumn(key) ?? self.column(key)
    guard column >= 0 else { throw try decoding.context.missingColumn(key) }
    if let statement = unsafe direct.pointee.statement,
      let value = unsafe V.fromStatement(
        statement, atUncheckedIndex: direct.pointee.offset &+ CInt(truncatingIfNeeded: column))
    {
      return value
    }
    return try decoding.value(type, column)
  }

  @inline(__always)
  private func valueIfPresent<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ key: Key
  ) throws -> V? {
    let column = knownColumn(key) ?? self.column(key)
    guard column >= 0 else { return try decoding.context.withRow { _ in nil } }
    if let statement = unsafe direct.pointee.statement,
      let value = unsafe V?.fromStatement(
        statement, atUncheckedIndex: direct.pointee.offset &+ CInt(truncatingIfNeeded: column))
    {
      return value
    }
    return try decoding.value(V?.self, column)
  }

  @inline(__always) private func knownColumn(_ key: Key) -> Int? {
    guard let columns = unsafe columns, !lifetime.isOver else { return nil }
    let column = unsafe columns[Int(withUnsafeBytes(of: key) { unsafe $0[0] })]
    return column >= 0 ? Int(column) : nil
  }

  private func column(_ key: Key) -> Int {
    decoding.column(slot(key)) { key }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let property = try decoding.property(type, slot(key)) { key }
    return try decoding.context.withRow(property.decode)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let property = try decoding.property(type, slot(key)) { key }
    return try decoding.context.withRow(property.decodeIfPresent)
  }
}

extension KeyedRowContainer {
  var allKeys: [Key] {
    guard let row = try? decoding.context.row() else { return [] }
    var names = Set<String>()
    let all =
      decoding.context.columnKeys + row.scopesTree.names.sorted()
      + row.prefetchedRows.keys.sorted()
    return all.filter { names.insert($0).inserted }.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    if decoding.column(slot(key), { key }) >= 0 { return true }
    guard let row = try? decoding.context.row() else { return false }
    return row.association(forProperty: key.stringValue) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let row = try decoding.context.row()
    let column = decoding.column(slot(key)) { key }
    if column >= 0 { return row.isNull(at: column) }
    if let scope = row.scope(forProperty: key.stringValue) { return !scope.containsNonNullValue }
    return row.prefetchedGroup(forProperty: key.stringValue) == nil
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    if decoding.column(slot(key), { key }) >= 0 {
      throw DecodingError.typeMismatch(
        KeyedDecodingContainer<NestedKey>.self,
        .init(
          codingPath: codingPath,
          debugDescription:
            "not implemented: building a nested JSON container for the column '\(key.stringValue)'"
        ))
    }
    guard let decoder = try decoderOfScope(key) else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: codingPath,
          debugDescription: "No keyed container found for key '\(key.stringValue)'"))
    }
    return try decoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      (any UnkeyedDecodingContainer).self,
      .init(
        codingPath: codingPath + [key], debugDescription: "unkeyed decoding is not supported"))
  }

  func superDecoder() throws -> any Decoder {
    let context = decoding.context
    return try context.row()
      .recordDecoder(for: context.recordType, style: context.style, path: context.codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let column = decoding.column(slot(key)) { key }
    if column >= 0 { return ColumnValueDecoder(decoding.context, column: column, key: key) }
    return try decoderOfScope(key) ?? superDecoder()
  }

  private func decoderOfScope(_ key: Key) throws -> RecordDecoder? {
    try decoding.context.row().scope(forProperty: key.stringValue)?
      .recordDecoder(
        for: decoding.context.recordType, style: .nested, path: codingPath + [key])
  }
}

extension KeyedRowContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }
}

// The default implementations look for the key three times.
extension KeyedRowContainer {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try valueIfPresent(type, key)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try valueIfPresent(type, key)
  }
}
