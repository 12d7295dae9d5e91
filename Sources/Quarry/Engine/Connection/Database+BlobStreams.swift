/// A stream of a blob, of the library QuarryBlobs.
package protocol BlobStream: AnyObject {
  /// Closes the stream after an interruption: an open one would make it last.
  func interrupt()
}

extension Database {
  /// A stream that is open, maybe.
  struct WeakBlobStream {
    weak var value: (any BlobStream)?
  }

  /// Keeps a stream in mind, for interruptions.
  package func didOpen(_ stream: any BlobStream) {
    blobs.removeAll { $0.value == nil }
    blobs.append(WeakBlobStream(value: stream))
  }

  /// The checks before a statement runs are made before a blob is used.
  package func willUseBlob(isReadOnly: Bool) throws {
    try checkAccess()
    try checkHasNoEngine("a blob stream")
    try checkIsNotNotifying(sql: nil)
    try checkCancellation()
    forgetShadowedError()
    try checkBlockIsAlive(sql: nil, arguments: nil)
    try checkSuspension(mayRun: isReadOnly && isInWALMode, sql: nil, arguments: nil)
  }
}
