import Foundation

/// The encoding of a record by a connection: its encoders fill the container that the connection has handed out, on the
/// thread that it runs on, until the record is encoded.
///
/// Containers are `Sendable`, and encoders are not: so containers don't carry them. A copy of a container that a record
/// passes to another thread, or keeps, is filled by an encoder of its own.
@safe struct EncodingPass {
  private let storage: ObjectIdentifier
  private let encoders: Unmanaged<RecordEncoders>

  /// The innermost pass of each thread: a pointer to an `EncodingPass`.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key, nil)
    precondition(code == 0, "no thread-local storage is left")
    return key
  }()

  /// Runs `body`, which encodes records into the containers with a storage.
  static func run<T>(
    _ storage: ObjectIdentifier, _ encoders: RecordEncoders, _ body: () throws -> T
  ) rethrows -> T {
    let outer = unsafe pthread_getspecific(key)
    defer { unsafe pthread_setspecific(key, outer) }
    let pass = unsafe EncodingPass(storage: storage, encoders: .passUnretained(encoders))
    return try unsafe withUnsafePointer(to: pass) {
      unsafe pthread_setspecific(key, $0)
      return try body()
    }
  }

  /// The encoders for a storage, if it is the one that is filled on this thread.
  static func encoders(for storage: ContainerStorage) -> RecordEncoders? {
    guard let pass = unsafe pthread_getspecific(key)?.assumingMemoryBound(to: EncodingPass.self),
      unsafe pass.pointee.storage == ObjectIdentifier(storage)
    else { return nil }
    return unsafe pass.pointee.encoders.takeUnretainedValue()
  }
}
