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
  /// What the record embeds. Nil for most records.
  private let embedding: Embedding?
  /// The columns of embedded values that may be nil. With the values themselves: another one could
  /// get the identity of one that is gone.
  private var embeddedColumns: [ObjectIdentifier: (value: Embedding, names: [String])] = [:]
  @safe @exclusivity(unchecked) private var container = PersistenceContainer()
  /// The storage of the container, which no other container has.
  @safe @exclusivity(unchecked) private(set) var storage: Unretained<ContainerStorage>
  /// The first failure of calls that can't throw.
  private var failure: (any Error)?
  private(set) var isBusy = false

  init(_ recordType: any EncodableRecord.Type) {
    self.recordType = recordType
    columnStrategy = recordType.databaseColumnEncodingStrategy
    embedding = Embedding.of(recordType)
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
      // Those that the record has kept end.
      tables.removeAll { $0.isShared() }
    }
    try record.encode(to: self)
    if let failure { throw failure }
  }

  private func exchange(_ container: inout PersistenceContainer) {
    swap(&self.container, &container)
    storage = Unretained(self.container.uniqueStorage())
  }

  /// Returns a failure, and remembers the first one.
  func fail(_ message: String, at codingPath: [any CodingKey]) -> EncodingError {
    let error = EncodingError.invalidValue(
      recordType, .init(codingPath: codingPath, debugDescription: message))
    fail(error)
    return error
  }

  func fail(_ error: any Error) { if failure == nil { failure = error } }
}

extension RecordEncoder {
  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { recordType.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    container(keyedBy: type, in: embedding)
  }

  /// The container of the record, or of a value that it embeds.
  @inline(__always) func container<Key: CodingKey>(
    keyedBy type: Key.Type, in embedding: Embedding?
  ) -> KeyedEncodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    if let known = tables.first(where: { $0.keyType == keyType && $0.embedding === embedding }) {
      return known.use { $0.container(type) }
    }
    let new = KeyedRecordEncoding(self, type, embedding)
    tables.add(new)
    return new.container(type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let error = fail("unkeyed encoding is not supported", at: [])
    return RefusingUnkeyedContainer(encoder: self, error: error, codingPath: [])
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension RecordEncoder {
  /// The column of a property, by its keys.
  func columnName(_ path: [any CodingKey]) -> String {
    path.map(columnStrategy.column(forKey:)).joined(separator: "_")
  }

  /// Sets the columns of an embedded value to NULL.
  func setNull(_ value: Embedding) throws {
    for column in try columns(of: value) {
      let count = storage.object.count
      storage.object.set(.null, forColumn: column)
      if storage.object.count == count { throw value.conflict(column) }
    }
  }

  /// The columns of a value.
  ///
  /// - Throws: `DatabaseError` if they are not known.
  private func columns(of value: Embedding) throws -> [String] {
    if let known = embeddedColumns[ObjectIdentifier(value)] { return known.names }
    if let failure = value.failure { throw value.unknownColumns(failure) }
    let names = value.properties.map { columnName($0.path) }
    embeddedColumns[ObjectIdentifier(value)] = (value: value, names: names)
    return names
  }

  /// The encoder of a property whose value is embedded.
  func embeddedProperty<T: Encodable>(
    _ type: T.Type, _ key: any CodingKey, _ outer: Embedding
  ) throws -> PropertyEncoder<T> {
    let embedding = try outer.value(of: type, key)
    let encoder = Unretained(self)
    return PropertyEncoder { value in
      try value.encode(to: EmbeddedEncoder(encoder: encoder.object, embedding: embedding))
      return nil
    }
  }
}

// A record as one value: the record that it wraps is encoded into the same columns.
extension RecordEncoder: WideSingleValueEncoding {
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

  func encodeNil() throws { throw fail("Can't encode a single value in a database row.", at: []) }
}

private struct NoRecord: EncodableRecord {
  func encode(to container: inout PersistenceContainer) {}
}
