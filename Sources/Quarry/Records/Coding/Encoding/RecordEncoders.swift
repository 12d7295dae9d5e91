/// The encoders of a connection for the records of a type, and for `Encodable` records inside of
/// them.
///
/// While a record is encoded, its encoders fill the container that the connection has handed out,
/// on the thread that the connection runs on. Containers are `Sendable`, and encoders are not: so
/// containers don't carry them. A copy of a container that a record passes to another thread, or
/// keeps, is filled by an encoder of its own.
final class RecordEncoders {
  @safe @exclusivity(unchecked) private var encoders = CoderSlots<RecordEncoder>()

  /// The encoders that fill a container, and the identity of its storage.
  private typealias Filling = (encoders: Unretained<RecordEncoders>, storage: ObjectIdentifier)

  /// The innermost filling on the current thread.
  private static let current = ThreadValue<Filling?>(nil)

  /// Runs `body`, which encodes records into the containers with a storage.
  ///
  /// - parameter storage: the identity of the storage: a second reference would have it copied.
  @inline(__always)
  func filling<T>(_ storage: ObjectIdentifier, _ body: () throws -> T) rethrows -> T {
    try Self.current.with((Unretained(self), storage), body)
  }

  /// The encoder for the records of a type that are encoded into containers with a storage.
  static func encoder<Record: EncodableRecord>(
    for type: Record.Type, filling storage: ContainerStorage
  ) -> RecordEncoder {
    guard let current = current.value, current.storage == ObjectIdentifier(storage) else {
      return RecordEncoder(type)
    }
    return current.encoders.use { $0.encoder(for: type) }
  }

  /// A record that encodes another one of its type, and one that has kept its encoder, leave it: a
  /// new one is kept.
  private func encoder<Record: EncodableRecord>(for type: Record.Type) -> RecordEncoder {
    if let known = encoders.unshared(where: { $0.recordType == type }) { return known }
    let encoder = RecordEncoder(type)
    encoders.add(encoder)
    return encoder
  }
}

extension PersistenceContainer {
  /// Sets the columns of an `Encodable` record.
  mutating func encode<Record: EncodableRecord & Encodable>(_ record: Record) throws {
    let type = dynamicType(of: record)
    try RecordEncoders.encoder(for: type, filling: storage).encode(record, into: &self)
  }
}
