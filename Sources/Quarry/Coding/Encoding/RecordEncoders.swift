import Foundation

/// The encoders of a connection for the records of a type, and for `Encodable` records inside of them.
///
/// While a record is encoded, its encoders fill the container that the connection has handed out, on the thread that the
/// connection runs on. Containers are `Sendable`, and encoders are not: so containers don't carry them. A copy of a
/// container that a record passes to another thread, or keeps, is filled by an encoder of its own.
@safe final class RecordEncoders {
  @safe @exclusivity(unchecked) private var encoders: [RecordEncoder] = []
  /// The storage of the container that is being filled.
  @safe @exclusivity(unchecked) private var storage: ObjectIdentifier?

  /// The encoders that fill a container on each thread: a pointer to a `RecordEncoders`.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "no thread-local storage is left")
    return key
  }()

  /// Runs `body`, which encodes records into the containers with a storage.
  func filling<T>(_ storage: ContainerStorage, _ body: () throws -> T) rethrows -> T {
    let outerEncoders = unsafe pthread_getspecific(Self.key)
    let outerStorage = self.storage
    defer {
      unsafe pthread_setspecific(Self.key, outerEncoders)
      self.storage = outerStorage
    }
    unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    self.storage = ObjectIdentifier(storage)
    return try body()
  }

  /// The encoder for the records of a type that are encoded into containers with a storage.
  static func encoder<Record: EncodableRecord>(
    for type: Record.Type, filling storage: ContainerStorage
  ) -> RecordEncoder {
    guard let encoders = unsafe pthread_getspecific(key) else { return RecordEncoder(type) }
    return unsafe Unmanaged<RecordEncoders>.fromOpaque(encoders)._withUnsafeGuaranteedRef {
      $0.storage == ObjectIdentifier(storage) ? $0.encoder(for: type) : RecordEncoder(type)
    }
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
