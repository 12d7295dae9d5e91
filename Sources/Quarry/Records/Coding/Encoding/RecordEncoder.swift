// How Codable records are encoded.
//
// A connection keeps one encoder per record type, with one keyed container per type of coding keys:
// so encoding a record in a loop makes no object. The encoder has the container while a record
// writes into it. An encoder or container that escapes from the encoding is not used again, and
// writes nowhere.

/// Encodes a record into a container.
///
/// Superclasses, and values that the record wraps, write into the same columns.
@safe final class RecordEncoder: Encoder {
  let recordType: any EncodableRecord.Type
  let columnStrategy: DatabaseColumnEncodingStrategy
  @safe @exclusivity(unchecked) private var tables = CoderSlots<KeyedRecordEncoding>()
  @safe @exclusivity(unchecked) private var container = PersistenceContainer()
  /// The storage of the container, which no other container has.
  @safe @exclusivity(unchecked) private(set) var storage: Unretained<ContainerStorage>
  /// The first failure of calls that can't throw.
  private var failure: (any Error)?
  private(set) var isBusy = false

  init(_ recordType: any EncodableRecord.Type) {
    self.recordType = recordType
    columnStrategy = recordType.databaseColumnEncodingStrategy
    storage = Unretained(container.uniqueStorage())
  }

  /// The encoder of containers that outlived theirs: their values go nowhere.
  static var ended: RecordEncoder { RecordEncoder(NoRecord.self) }

  func encode(_ record: some Encodable, into container: inout PersistenceContainer) throws {
    isBusy = true
    failure = nil
    exchange(&container)
    defer {
      exchange(&container)
      isBusy = false
      forgetSharedContainers()
    }
    try record.encode(to: self)
    try throwFailure()
  }

  private func exchange(_ container: inout PersistenceContainer) {
    swap(&self.container, &container)
    storage = Unretained(self.container.uniqueStorage())
  }

  /// Ends the containers that the record has kept.
  private func forgetSharedContainers() {
    tables.removeAll { $0.isShared() }
  }

  /// Returns a failure, and remembers the first one.
  func fail(_ message: String, at codingPath: [any CodingKey]) -> EncodingError {
    let error = EncodingError.invalidValue(
      recordType, .init(codingPath: codingPath, debugDescription: message))
    if failure == nil { failure = error }
    return error
  }

  func throwFailure() throws {
    if let failure { throw failure }
  }
}

extension RecordEncoder {
  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { recordType.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if let known = tables.first(where: { $0.keyType == keyType }) {
      return known.use { $0.container(type) }
    }
    let new = KeyedRecordEncoding(self, type)
    tables.add(new)
    return new.container(type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let error = fail("unkeyed encoding is not supported", at: [])
    return RefusingUnkeyedContainer(encoder: self, error: error, codingPath: [])
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

// A record as one value: the record that it wraps is encoded into the same columns.
extension RecordEncoder: SingleValueEncodingContainer {
  func encode<T: Encodable>(_ value: T) throws {
    // A record may have kept its encoder.
    let encoder = isBusy ? self : .ended
    if let record = value as? any EncodableRecord {
      try encoder.encode(wrapped: record)
    } else if value is any DatabaseValueConvertible {
      try encodeNil()
    } else {
      try value.encode(to: encoder)
    }
  }

  private func encode(wrapped record: some EncodableRecord) throws {
    defer { storage = Unretained(container.uniqueStorage()) }
    try record.encode(to: &container)
  }

  func encodeNil() throws {
    throw fail("Can't encode a single value in a database row.", at: [])
  }
}

private struct NoRecord: EncodableRecord {
  func encode(to container: inout PersistenceContainer) {}
}
