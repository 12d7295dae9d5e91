/// Where the properties of a type of coding keys are found in a row.
///
/// A key stands for a slot, which knows its column after the first use.
@safe final class KeyedRowDecoding {
  let context: RowDecodingContext
  let lifetime = Lifetime.begin()

  /// The property that was decoded from the row itself, as the main record of a join is: an index in
  /// `mainKeys`. Only one can be, for each row.
  @safe @exclusivity(unchecked) var mainProperty: Int?
  private var mainKeys: [any CodingKey] = []

  @safe @exclusivity(unchecked) var keys: CodingKeySlots
  @safe @exclusivity(unchecked) private var slots: [Slot]

  /// The columns by key, for keys of one byte: negative where none is known.
  let columnsByByte: UnsafeMutablePointer<Int16>?

  private struct Slot {
    var column = Slot.unknown
    /// The type that `property` decodes.
    var propertyType: ObjectIdentifier?
    /// A `PropertyDecoder`.
    var property: AnyObject?

    static let unknown = -2
    static let noColumn = -1
  }

  init(_ context: RowDecodingContext, keyType: any CodingKey.Type) {
    self.context = context
    keys = CodingKeySlots(keyType)
    slots = Array(repeating: Slot(), count: 16)
    if keys.byteSize == 1 {
      let columns = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
      unsafe columns.initialize(repeating: -1, count: 256)
      unsafe columnsByByte = unsafe columns
    } else {
      unsafe columnsByByte = nil
    }
  }

  deinit {
    lifetime.end()
    unsafe columnsByByte?.deallocate()
  }

  /// The column of a slot, or a negative number.
  @inline(__always) func column(_ slot: Int, _ key: () -> any CodingKey) -> Int {
    if slot < slots.count {
      let column = slots[slot].column
      if column != Slot.unknown { return column }
    }
    return resolveColumn(slot, key())
  }

  private func resolveColumn(_ slot: Int, _ key: any CodingKey) -> Int {
    if slot >= slots.count {
      slots.append(contentsOf: repeatElement(Slot(), count: slot + 16 - slots.count))
    }
    let column = context.column(forKey: key) ?? Slot.noColumn
    slots[slot].column = column
    if let columnsByByte = unsafe columnsByByte, let column = Int16(exactly: column) {
      unsafe columnsByByte[slot] = column
    }
    return column
  }

  /// The value of a column of a row in memory, or of a live row where the fast path fails.
  func value<V: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: V.Type, _ column: Int
  ) throws -> V {
    try context.withRow { row in
      if let batch = row.batch,
        let value = V._fromColumn(
          batch.databaseValue(row: row.batchIndex, column: row.layout.physicalIndex(column)))
      {
        return value
      }
      return try row.decode(type, atIndex: column)
    }
  }

  /// The decoder of a property that is no plain value.
  @inline(__always) func property<T: Decodable>(
    _ type: T.Type, _ slot: Int, _ key: () -> any CodingKey
  ) throws -> PropertyDecoder<T> {
    if slot < slots.count, slots[slot].propertyType == ObjectIdentifier(type),
      let property = slots[slot].property
    {
      return unsafe unsafeDowncast(property, to: PropertyDecoder<T>.self)
    }
    return try resolveProperty(type, slot, key())
  }

  private func resolveProperty<T: Decodable>(
    _ type: T.Type, _ slot: Int, _ key: any CodingKey
  ) throws -> PropertyDecoder<T> {
    let column = column(slot, { key })
    let property =
      if column >= 0 {
        context.columnProperty(type, column, key)
      } else {
        try absentColumnProperty(type, key)
      }
    slots[slot].propertyType = ObjectIdentifier(type)
    slots[slot].property = property
    return property
  }

  /// The decoder of a property without column: a scope, prefetched rows, or the row itself.
  private func absentColumnProperty<T: Decodable>(
    _ type: T.Type, _ key: any CodingKey
  ) throws -> PropertyDecoder<T> {
    let row = try context.row()
    let name = key.stringValue
    switch row.association(forProperty: name) {
    case .scope(let path): return context.scopeProperty(type, path, key)
    case .prefetched(let associationKey):
      return context.prefetchedProperty(type, key, associationKey)
    case nil: break
    }
    if let valueType = type as? any DatabaseValueConvertible.Type {
      return .missing(valueType, key, context)
    }
    return .main(type, key, self)
  }

  /// The index of a property that is decoded from the row itself.
  func mainIndex(of key: any CodingKey) -> Int {
    mainKeys.append(key)
    return mainKeys.count - 1
  }

  /// Remembers which property is decoded from the row itself.
  ///
  /// - Throws: `DecodingError` when another one was.
  @inline(__always) func enterMainProperty(_ index: Int) throws {
    if mainProperty == nil { mainProperty = index }
    if mainProperty != index { try refuseMainProperty(index) }
  }

  private func refuseMainProperty(_ index: Int) throws {
    guard let mainProperty else { return }
    let key = mainKeys[index]
    let main = mainKeys[mainProperty]
    if main.stringValue == key.stringValue { return }
    throw noSuchKey(index, in: try context.row())
  }

  /// The error for a property that can't be decoded from the row itself.
  func noSuchKey(_ index: Int, in row: Row) -> any Error {
    let key = mainKeys[index]
    let keys = row.associationKeys
    return DecodingError.keyNotFound(
      key,
      .init(
        codingPath: context.codingPath,
        debugDescription: "No such key: \(key.stringValue)"
          + (keys.isEmpty ? "" : " - available keys: \(keys)"),
        underlyingError: ColumnDecodingFailure(
          missing: key, row: row, recordType: context.recordType)))
  }
}
