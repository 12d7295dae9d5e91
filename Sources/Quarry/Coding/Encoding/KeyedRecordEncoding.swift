import Foundation

/// The columns of a type of coding keys, and what encodes their properties.
@safe final class KeyedRecordEncoding {
  let target: EncodingTarget
  let lifetime = Lifetime.begin()
  @safe @exclusivity(unchecked) var keys: CodingKeySlots
  @safe @exclusivity(unchecked) private var slots: [Slot]

  private struct Slot {
    var column: String?
    /// The type that `property` encodes.
    var propertyType: ObjectIdentifier?
    /// A `PropertyEncoder`.
    var property: AnyObject?
  }

  /// The places of the columns of slots in the records that have a layout: negative where none is known.
  private let places: UnsafeMutablePointer<Int16>
  @safe @exclusivity(unchecked) private var placesLayout: ColumnLayout?
  private static let placeCount = 256

  init(_ target: EncodingTarget, keyType: any CodingKey.Type) {
    self.target = target
    keys = CodingKeySlots(keyType)
    slots = Array(repeating: Slot(), count: 16)
    unsafe places = .allocate(capacity: Self.placeCount)
    unsafe places.initialize(repeating: -1, count: Self.placeCount)
  }

  deinit {
    lifetime.end()
    unsafe places.deallocate()
  }

  /// Sets the column of a key of one byte, when it comes in the place that it had in the record before.
  @inline(__always) func setInPlace(
    _ byte: Int, _ setNextExpected: (ContainerStorage) -> Void
  ) -> Bool {
    guard keys.byteSize == 1 else { return false }
    return unsafe target.storage._withUnsafeGuaranteedRef { storage in
      guard unsafe Int(places[byte]) == storage.count, storage.layout === placesLayout else {
        return false
      }
      setNextExpected(storage)
      return true
    }
  }

  /// Sets the column of a slot.
  func set(_ value: DatabaseValue, _ slot: Int, _ key: () -> any CodingKey) {
    let column = column(slot, key)
    let storage = unsafe target.storage.takeUnretainedValue()
    let place = storage.count
    storage.set(value, forColumn: column)
    if let layout = storage.layout, storage.count == place + 1 {
      remember(place, of: slot, in: layout)
    }
  }

  private func remember(_ place: Int, of slot: Int, in layout: ColumnLayout) {
    if placesLayout !== layout {
      placesLayout = layout
      unsafe places.update(repeating: -1, count: Self.placeCount)
    }
    if slot < Self.placeCount, let place = Int16(exactly: place) { unsafe places[slot] = place }
  }

  /// The column of a slot.
  @inline(__always) func column(_ slot: Int, _ key: () -> any CodingKey) -> String {
    if slot < slots.count, let column = slots[slot].column { return column }
    return makeColumn(slot, key())
  }

  private func makeColumn(_ slot: Int, _ key: any CodingKey) -> String {
    if slot >= slots.count {
      slots.append(contentsOf: repeatElement(Slot(), count: slot + 16 - slots.count))
    }
    let column = target.columnStrategy.column(forKey: key)
    slots[slot].column = column
    return column
  }

  /// The encoder of a property that is no plain value.
  @inline(__always) func property<T: Encodable>(
    _ type: T.Type, _ slot: Int, _ key: () -> any CodingKey
  ) -> PropertyEncoder<T> {
    if slot < slots.count, slots[slot].propertyType == ObjectIdentifier(type),
      let property = slots[slot].property
    {
      return unsafe unsafeDowncast(property, to: PropertyEncoder<T>.self)
    }
    let column = column(slot, key)
    let property = PropertyEncoder<T>.make(type, key(), column, target.recordType)
    slots[slot].propertyType = ObjectIdentifier(type)
    slots[slot].property = property
    return property
  }
}

/// Encodes a property of a record. What its type asks for is found out once.
final class PropertyEncoder<T> {
  let encode: (T) throws -> DatabaseValue

  fileprivate init(_ encode: @escaping (T) throws -> DatabaseValue) {
    self.encode = encode
  }
}

// unsafeDowncast: the branch proves that both types are the same.
extension PropertyEncoder where T: Encodable {
  fileprivate static func make(
    _ type: T.Type, _ key: any CodingKey, _ column: String, _ recordType: any EncodableRecord.Type
  ) -> PropertyEncoder<T> {
    let property = RecordProperty(key: key, column: column, recordType: recordType)
    if let encoder = property.strategyEncoder(type) {
      return unsafe unsafeDowncast(encoder, to: PropertyEncoder<T>.self)
    }
    if let type = type as? any DatabaseValueConvertible.Type {
      return unsafe unsafeDowncast(value(type), to: PropertyEncoder<T>.self)
    }
    let json = JSONPropertyEncoder(property)
    return PropertyEncoder { value in
      try property.encodeSingleValue(value) ?? json.encode(value)
    }
  }

  private static func value<V: DatabaseValueConvertible>(_ type: V.Type) -> AnyObject {
    PropertyEncoder<V> { $0.databaseValue }
  }
}

/// A property of a record, with its column.
struct RecordProperty {
  let key: any CodingKey
  let column: String
  let recordType: any EncodableRecord.Type

  /// The encoder of the types that have a strategy.
  fileprivate func strategyEncoder(_ type: Any.Type) -> AnyObject? {
    if type == Date.self {
      let strategy = recordType.databaseDateEncodingStrategy(for: column)
      return PropertyEncoder<Date> { date in try located { try strategy.encode(date) } }
    }
    if type == Data.self {
      let strategy = recordType.databaseDataEncodingStrategy(for: column)
      return PropertyEncoder<Data> { data in try located { try strategy.encode(data) } }
    }
    if type == UUID.self {
      let strategy = recordType.databaseUUIDEncodingStrategy(for: column)
      return PropertyEncoder<UUID> { strategy.encode($0) }
    }
    return nil
  }

  /// The value that a type encodes, or nil when it encodes several ones.
  fileprivate func encodeSingleValue(_ value: some Encodable) throws -> DatabaseValue? {
    try DatabaseValueEncoder.encodeSingleValue(
      value, codingPath: [key], userInfo: recordType.databaseEncodingUserInfo,
      converting: convertWithStrategy)
  }

  /// A value inside of a type that encodes it as its single value.
  private func convertWithStrategy(_ value: any Encodable) throws -> DatabaseValue? {
    switch value {
    case let date as Date:
      try located { try recordType.databaseDateEncodingStrategy(for: column).encode(date) }
    case let data as Data:
      try located { try recordType.databaseDataEncodingStrategy(for: column).encode(data) }
    case let uuid as UUID:
      recordType.databaseUUIDEncodingStrategy(for: column).encode(uuid)
    default:
      nil
    }
  }

  /// Adds the coding key of the property to errors.
  fileprivate func located(_ body: () throws -> DatabaseValue) throws -> DatabaseValue {
    do {
      return try body()
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
          underlyingError: context.underlyingError))
    }
  }
}

/// Encodes a property as JSON text, with one `JSONEncoder` for all records.
private final class JSONPropertyEncoder {
  private let property: RecordProperty
  private lazy var encoder = property.recordType.databaseJSONEncoder(for: property.key.stringValue)

  init(_ property: RecordProperty) {
    self.property = property
  }

  func encode(_ value: some Encodable) throws -> DatabaseValue {
    try property.located {
      String(decoding: try encoder.encode(value), as: UTF8.self).databaseValue
    }
  }
}
