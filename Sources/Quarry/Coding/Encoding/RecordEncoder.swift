// How Codable records are encoded.
//
// A connection keeps one encoder per record type, with one keyed container per type of coding keys: so encoding a
// record in a loop makes no object. The encoder has the container while a record writes into it. What escapes from the
// encoding (an encoder, or one of its containers) is not used again, and writes nowhere.

/// The encoders of a connection, for the `Encodable` records among those of a type.
final class RecordEncoders {
  @safe @exclusivity(unchecked) private var encoders:
    [(type: ObjectIdentifier, encoder: RecordEncoder)] =
      []

  func encoder<Record: EncodableRecord>(for type: Record.Type) -> RecordEncoder {
    let id = ObjectIdentifier(type)
    guard let index = encoders.firstIndex(where: { $0.type == id }) else {
      let encoder = RecordEncoder(type)
      encoders.append((type: id, encoder: encoder))
      return encoder
    }
    // A record that encodes another one of its type needs a second encoder.
    if encoders[index].encoder.isBusy { return RecordEncoder(type) }
    // A record has kept the encoder.
    if !isKnownUniquelyReferenced(&encoders[index].encoder) {
      encoders[index].encoder = RecordEncoder(type)
    }
    return encoders[index].encoder
  }
}

/// Encodes a record into a container.
final class RecordEncoder: Encoder {
  private let target: EncodingTarget
  @safe @exclusivity(unchecked) private var keyed: [KeptKeyedContainer] = []

  init(_ recordType: any EncodableRecord.Type) {
    target = EncodingTarget(recordType)
    unsafe target.encoder = self
  }

  deinit {
    unsafe target.encoder = nil
  }

  fileprivate var isBusy: Bool { target.isBusy }

  func encode(_ record: some Encodable, into container: inout PersistenceContainer) throws {
    target.begin(&container)
    defer {
      target.end(&container)
      forgetKeptContainers()
    }
    try record.encode(to: self)
    try target.throwFailure()
  }

  /// Ends the containers that the record has kept.
  private func forgetKeptContainers() {
    for index in keyed.indices.reversed() where keyed[index].isKept() { keyed.remove(at: index) }
  }

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { target.recordType.databaseEncodingUserInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let keyType = ObjectIdentifier(type)
    for kept in keyed where kept.keyType == keyType { return kept.container(type) }
    let kept = KeptKeyedContainer(target, type)
    keyed.append(kept)
    return kept.container(type)
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
///
/// The standard library copies the content of a `KeyedEncodingContainer` for each property: so the content doesn't own
/// what it points to.
private struct KeptKeyedContainer {
  let keyType: ObjectIdentifier
  private let encoding: KeyedRecordEncoding
  /// The only content of a `KeyedEncodingContainer`: an object.
  /// Optional, since the reference count of an existential can't be asked for: it would be opened, and copied.
  private var box: AnyObject?

  init<Key: CodingKey>(_ target: EncodingTarget, _ type: Key.Type) {
    keyType = ObjectIdentifier(type)
    encoding = KeyedRecordEncoding(target, keyType: type)
    box = unsafe unsafeBitCast(
      KeyedEncodingContainer(KeyedRecordContainer<Key>(encoding: encoding)), to: AnyObject.self)
  }

  func container<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    unsafe unsafeBitCast(box, to: KeyedEncodingContainer<Key>.self)
  }

  /// Whether somebody else has the container.
  mutating func isKept() -> Bool { !isKnownUniquelyReferenced(&box) }
}

extension EncodingTarget {
  /// The target of containers that outlived theirs: what they encode goes nowhere.
  static var ended: EncodingTarget {
    struct Ended: EncodableRecord {
      func encode(to container: inout PersistenceContainer) {}
    }
    return EncodingTarget(Ended.self)
  }
}

/// The container that a record is encoded into, and the failures of calls that can't throw.
@safe final class EncodingTarget {
  let recordType: any EncodableRecord.Type
  let columnStrategy: DatabaseColumnEncodingStrategy
  /// The encoder of the whole record: superclasses and wrapped values write into the same columns.
  /// It owns this target, and leaves when it ends: a weak reference would slow it down.
  unowned(unsafe) fileprivate(set) var encoder: RecordEncoder?
  @safe @exclusivity(unchecked) private var container = PersistenceContainer()
  /// The storage of the container, which no other container has.
  @safe @exclusivity(unchecked) private(set) var storage: Unmanaged<ContainerStorage>
  @safe @exclusivity(unchecked) private var failure: EncodingError?
  @safe @exclusivity(unchecked) private(set) var isBusy = false
  /// How many records were encoded.
  @safe @exclusivity(unchecked) private(set) var recordCount = 0

  init(_ recordType: any EncodableRecord.Type) {
    self.recordType = recordType
    columnStrategy = recordType.databaseColumnEncodingStrategy
    storage = unsafe .passUnretained(container.uniqueStorage())
  }

  func begin(_ container: inout PersistenceContainer) {
    isBusy = true
    recordCount &+= 1
    failure = nil
    swap(&self.container, &container)
    storage = unsafe .passUnretained(self.container.uniqueStorage())
  }

  func end(_ container: inout PersistenceContainer) {
    swap(&self.container, &container)
    storage = unsafe .passUnretained(self.container.uniqueStorage())
    isBusy = false
  }

  /// Encodes another record into the same container.
  func encode(_ record: some EncodableRecord) throws {
    defer { storage = unsafe .passUnretained(container.uniqueStorage()) }
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

  /// The encoder for a superclass, or for a value that the record wraps.
  var sameEncoder: any Encoder { unsafe encoder ?? RecordEncoder(recordType) }

  func throwFailure() throws {
    if let failure { throw failure }
  }
}
