import Foundation

/// The encoders of a connection for the records of a type, and for `Encodable` records inside of
/// them.
///
/// While a record is encoded, its encoders fill the container that the connection has handed out,
/// on the thread that the connection runs on. Containers are `Sendable`, and encoders are not: so
/// containers don't carry them. A copy of a container that a record passes to another thread, or
/// keeps, is filled by an encoder of its own.
@safe final class RecordEncoders {
  @safe @exclusivity(unchecked) private var encoders: [RecordEncoder] = []

  /// The encoders that fill a container, and its storage.
  private typealias Filling = (encoders: Unmanaged<RecordEncoders>?, storage: ObjectIdentifier?)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { unsafe free($0) }
    precondition(code == 0, "no thread-local storage is left")
    return key
  }()

  /// The innermost filling on the current thread.
  private static var current: UnsafeMutablePointer<Filling> {
    if let known = unsafe pthread_getspecific(key) {
      return unsafe known.assumingMemoryBound(to: Filling.self)
    }
    let new = UnsafeMutablePointer<Filling>.allocate(capacity: 1)
    unsafe new.initialize(to: (nil, nil))
    unsafe pthread_setspecific(key, new)
    return unsafe new
  }

  /// Runs `body`, which encodes records into the containers with a storage.
  ///
  /// - parameter storage: the identity of the storage: a second reference would have it copied.
  @inline(__always)
  func filling<T>(_ storage: ObjectIdentifier, _ body: () throws -> T) rethrows -> T {
    let current = unsafe Self.current
    let outer = unsafe current.pointee
    unsafe current.pointee = unsafe (.passUnretained(self), storage)
    defer { unsafe current.pointee = unsafe outer }
    return try body()
  }

  /// The encoder for the records of a type that are encoded into containers with a storage.
  static func encoder<Record: EncodableRecord>(
    for type: Record.Type, filling storage: ContainerStorage
  ) -> RecordEncoder {
    let current = unsafe current.pointee
    guard unsafe current.storage == ObjectIdentifier(storage),
      let encoders = unsafe current.encoders
    else { return RecordEncoder(type) }
    return unsafe encoders._withUnsafeGuaranteedRef { $0.encoder(for: type) }
  }

  private func encoder<Record: EncodableRecord>(for type: Record.Type) -> RecordEncoder {
    guard let index = encoders.firstIndex(where: { $0.recordType == type }) else {
      let encoder = RecordEncoder(type)
      encoders.append(encoder)
      return encoder
    }
    // A record that encodes another one of its type needs a second encoder.
    if encoders[index].isBusy { return RecordEncoder(type) }
    // A record has kept the encoder.
    if !isKnownUniquelyReferenced(&encoders[index]) { encoders[index] = RecordEncoder(type) }
    return encoders[index]
  }
}

extension PersistenceContainer {
  /// Sets the columns of an `Encodable` record.
  mutating func encode<Record: EncodableRecord & Encodable>(_ record: Record) throws {
    let type = dynamicType(of: record)
    try RecordEncoders.encoder(for: type, filling: storage).encode(record, into: &self)
  }
}
