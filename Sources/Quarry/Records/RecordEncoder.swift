// How Codable records are encoded.
//
// A connection keeps one encoder per record type, with one keyed container per type of coding keys: so encoding a record in a
// loop makes no object. The encoder has the container while a record writes into it.

/// The encoders of a connection, for the `Encodable` records among those of a type.
///
/// Sendable is unchecked because containers, which carry encoders while a record is encoded, are Sendable.
final class RecordEncoders: @unchecked Sendable {
  private var encoders: [(type: ObjectIdentifier, encoder: RecordEncoder)] = []

  func encoder<Record: EncodableRecord>(for type: Record.Type) -> RecordEncoder {
    let id = ObjectIdentifier(type)
    for entry in encoders where entry.type == id {
      // A record that encodes another one of its type needs a second encoder.
      return entry.encoder.isBusy ? RecordEncoder(type) : entry.encoder
    }
    let encoder = RecordEncoder(type)
    encoders.append((type: id, encoder: encoder))
    return encoder
  }
}

/// Encodes a record into a container.
final class RecordEncoder: Encoder {
  private let target: EncodingTarget
  private var keyed: [(keyType: ObjectIdentifier, container: AnyObject)] = []

  convenience init(_ recordType: any EncodableRecord.Type) {
    self.init(EncodingTarget(recordType))
  }

  init(_ target: EncodingTarget) {
    self.target = target
  }

  fileprivate var isBusy: Bool { target.isBusy }

  func encode(_ record: some Encodable, into container: inout PersistenceContainer) throws {
    target.begin(&container)
    defer { target.end(&container) }
    try record.encode(to: self)
    try target.throwFailure()
  }

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { target.recordType.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    for entry in keyed where entry.keyType == keyType {
      return unsafeDowncast(entry.container, to: KeptContainer<Key>.self).container
    }
    let kept = KeptContainer<Key>(target)
    keyed.append((keyType: keyType, container: kept))
    return kept.container
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    target.fail("unkeyed encoding is not supported", at: [])
    return RefusingUnkeyedContainer(target, codingPath: [])
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    RecordValueContainer(target)
  }
}

/// A keyed container, kept for the next records.
private final class KeptContainer<Key: CodingKey> {
  let container: KeyedEncodingContainer<Key>

  init(_ target: EncodingTarget) {
    container = KeyedEncodingContainer(
      KeyedRecordContainer<Key>(encoding: KeyedRecordEncoding(target, keyType: Key.self)))
  }
}

/// The container that a record is encoded into, and the failures of calls that can't throw.
final class EncodingTarget {
  let recordType: any EncodableRecord.Type
  let columnStrategy: DatabaseColumnEncodingStrategy
  private(set) var container = PersistenceContainer()
  private var failure: EncodingError?
  private(set) var isBusy = false

  init(_ recordType: any EncodableRecord.Type) {
    self.recordType = recordType
    columnStrategy = recordType.databaseColumnEncodingStrategy
  }

  func begin(_ container: inout PersistenceContainer) {
    isBusy = true
    failure = nil
    swap(&self.container, &container)
  }

  func end(_ container: inout PersistenceContainer) {
    swap(&self.container, &container)
    isBusy = false
  }

  func set(_ value: DatabaseValue, forColumn column: String) {
    container.set(value, forColumn: column)
  }

  /// Encodes another record into the same container.
  func encode(_ record: some EncodableRecord) throws {
    try record.encode(to: &container)
  }

  /// Remembers the first failure, and returns it.
  @discardableResult
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
