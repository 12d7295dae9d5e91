import Foundation

/// The properties of a record, by coding key.
///
/// All members find the number of the key, then its column or its decoder: see `KeyTable` and
/// `KeyedRowDecoding`.
@safe struct KeyedRowContainer<Key: CodingKey>: WideKeyedDecoding {
  private let unownedTable: Unretained<KeyedRowDecoding>
  private let lifetime: Lifetime

  // Both pointers live as long as the table. A known column of a live row is read through them:
  // that is the way of nearly all values.
  private let columns: UnsafeMutablePointer<Int16>?
  private let statement: UnsafeMutablePointer<SQLiteStatement?>
  private let offset: CInt

  init(_ table: KeyedRowDecoding) {
    unownedTable = Unretained(table)
    lifetime = table.lifetime
    unsafe columns = unsafe table.positions
    unsafe statement = unsafe table.context.reference.statement.start
    offset = table.context.reference.offset
  }

  private var table: KeyedRowDecoding {
    lifetime.isOver ? KeyedRowDecoding(.ended, Key.self) : unownedTable.object
  }

  var codingPath: [any CodingKey] { table.context.codingPath }

  /// The table is not counted: its decoder has it while a record is decoded.
  @inline(__always) private func withTable<T>(_ body: (KeyedRowDecoding) throws -> T) rethrows -> T
  {
    if lifetime.isOver { return try body(KeyedRowDecoding(.ended, Key.self)) }
    return try unownedTable.use(body)
  }

  // Methods that are generic over the value, and not over the key, are in `KeyedRowDecoding`: they
  // are specialized.
  @inline(__always) func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ key: Key, orIfMissing missing: (RowDecodingContext) throws -> V
  ) throws -> V {
    let column = knownColumn(key) ?? self.column(key)
    guard column >= 0 else { return try missing(table.context) }
    if let statement = unsafe statement.pointee,
      let value = unsafe V.fromStatement(
        statement, atUncheckedIndex: offset &+ CInt(truncatingIfNeeded: column))
    {
      return value
    }
    return try withTable { try $0.value(type, column) }
  }

  @inline(__always) private func knownColumn(_ key: Key) -> Int? {
    guard let columns = unsafe columns, !lifetime.isOver else { return nil }
    let column = unsafe columns[Int(key.byte)]
    return column >= 0 ? Int(column) : nil
  }

  /// The place of a known column of a live row.
  @inline(__always) private func place(
    _ key: Key, _ positions: Int = 0
  ) -> (statement: SQLiteStatement, index: CInt)? {
    guard let columns = unsafe columns, !lifetime.isOver,
      let statement = unsafe statement.pointee
    else { return nil }
    let column = unsafe columns[positions + Int(key.byte)]
    return column >= 0 ? unsafe (statement, offset &+ CInt(column)) : nil
  }

  /// The value of a known column of a live row: nil where another way must be taken, and for
  /// errors.
  @inline(__always) private func knownValue<V: StatementColumnConvertible>(
    _ type: V.Type, _ key: Key, _ positions: Int = 0
  ) -> V? {
    guard let place = unsafe place(key, positions) else { return nil }
    return unsafe V.fromStatement(place.statement, atUncheckedIndex: place.index)
  }

  /// The bytes of a UUID in a known column of a live row: nil as for `knownValue`, and for NULL.
  @inline(__always) private func knownUUID(_ key: Key) -> UnsafeRawPointer? {
    guard let place = unsafe place(key) else { return nil }
    return unsafe UUID.bytes(of: place.statement, at: place.index)
  }

  private func column(_ key: Key) -> Int {
    let table = table
    return table.column(table.number(of: key)) { key }
  }

  // The comparison of the types is resolved for each record type; a cast would go through the
  // runtime.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if type == Date.self {
      if let value = knownValue(Date.self, key, KeyTable.datePositions) {
        return sameType(value, as: T.self)
      }
    } else if type == UUID.self {
      if let bytes = unsafe knownUUID(key) { return unsafe uuid(bytes, as: T.self) }
    } else if type == Decimal.self, let value = knownValue(Decimal.self, key) {
      return sameType(value, as: T.self)
    }
    return try property(type, key)
  }

  /// Decodes a property other than a plain value.
  @inline(__always) func property<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    try withTable { table in
      let property = try table.property(type, table.number(of: key)) { key }
      return try table.context.withRow { try property.decode($0) }
    }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    if type == Date.self {
      if let value = knownValue(Date?.self, key, KeyTable.datePositions) {
        guard let value else { return nil }
        return sameType(value, as: T.self)
      }
    } else if type == UUID.self {
      if let bytes = unsafe knownUUID(key) { return unsafe uuid(bytes, as: T.self) }
      if let value = knownValue(UUID?.self, key) {
        guard let value else { return nil }
        return sameType(value, as: T.self)
      }
    } else if type == Decimal.self, let value = knownValue(Decimal?.self, key) {
      guard let value else { return nil }
      return sameType(value, as: T.self)
    }
    return try withTable { table in
      let property = try table.property(type, table.number(of: key)) { key }
      return try table.context.withRow { try property.decodeIfPresent($0) }
    }
  }
}

extension KeyedRowContainer {
  var allKeys: [Key] {
    guard let row = try? table.context.row() else { return [] }
    var names = Set<BinaryText>()
    let associations = row.scopesTree.names.sorted() + row.prefetchedRows.keys.sorted()
    let all = table.context.columnKeys + (table.context.isEmbedded ? [] : associations)
    return all.filter { names.insert(BinaryText($0)).inserted }.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool {
    if column(key) >= 0 { return true }
    if let columns = table.context.embeddedColumns(key) { return !columns.isEmpty }
    guard !table.context.isEmbedded, let row = try? table.context.row() else { return false }
    return row.association(forProperty: key.stringValue) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let row = try table.context.row()
    let column = self.column(key)
    if column >= 0 { return row.isNull(at: column) }
    if let columns = table.context.embeddedColumns(key) {
      return columns.allSatisfy(row.isNull(at:))
    }
    if table.context.isEmbedded { return true }
    if let scope = row.scope(forProperty: key.stringValue) { return !scope.containsNonNullValue }
    return row.prefetchedGroup(forProperty: key.stringValue) == nil
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    if column(key) >= 0 {
      throw DecodingError.typeMismatch(
        KeyedDecodingContainer<NestedKey>.self,
        .init(
          codingPath: codingPath,
          debugDescription:
            "not implemented: building a nested JSON container for the column '\(key.stringValue)'"
        ))
    }
    guard let decoder = try table.embeddedDecoder(key) ?? decoderOfScope(key) else {
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
    let context = table.context
    if context.isEmbedded { return RecordDecoder(context) }
    return try context.row()
      .recordDecoder(for: context.recordType, style: context.style, path: context.codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let column = self.column(key)
    if column >= 0 {
      // A class encodes its superclass into the same columns, whatever the key. A property may be
      // decoded in this way, too, from its JSON.
      return ColumnValueDecoder(
        table.context, column: column, key: key, superclass: try superDecoder())
    }
    return try table.embeddedDecoder(key) ?? decoderOfScope(key) ?? superDecoder()
  }

  private func decoderOfScope(_ key: Key) throws -> RecordDecoder? {
    let row = try table.context.row()
    guard !table.context.isEmbedded,
      case .scopes(let paths)? = row.association(forProperty: key.stringValue),
      let scope = row.scope(forProperty: key.stringValue)
    else { return nil }
    try table.context.refuseAmbiguity(of: key, at: paths, in: row)
    return scope.recordDecoder(
      for: table.context.recordType, style: .nested, path: codingPath + [key])
  }
}
