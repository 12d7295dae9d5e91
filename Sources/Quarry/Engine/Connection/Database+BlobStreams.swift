/// A stream of a blob, of the library QuarryBlobs.
package protocol BlobStream: AnyObject {
  /// Closes the stream after an interruption: an open one would make it last.
  func interrupt()

  /// Closes a stream that writes, until it is opened again: SQLite would take it for a writer, and
  /// commit no statement.
  func transactionDidRollBack()

  /// Closes the stream at the end of its access.
  func endAccess() throws
}

extension Database {
  /// A stream that is open, maybe.
  struct WeakBlobStream {
    weak var value: (any BlobStream)?
  }

  /// Keeps a stream in mind, for interruptions and the end of the access.
  package func didOpen(_ stream: any BlobStream) {
    blobs.removeAll { $0.value == nil }
    blobs.append(WeakBlobStream(value: stream))
  }

  /// Closes the streams that write, where a rollback has ended their transaction, or the implicit
  /// one of a stream: others write.
  func endRolledBackStreams() { if !blobs.isEmpty, !hasUncommittedChanges { endWritingStreams() } }

  /// Closes the streams that write.
  func endWritingStreams() { for blob in blobs { blob.value?.transactionDidRollBack() } }

  /// Closes the streams at the end of an access. Observers of a commit may open others.
  ///
  /// - Throws: the first error of a commit.
  @inline(__always) func endStreams() throws { if !blobs.isEmpty { try closeStreams() } }

  private func closeStreams() throws {
    var firstError: (any Error)?
    while let blob = blobs.popLast() {
      do { try blob.value?.endAccess() } catch { firstError = firstError ?? error }
    }
    if let firstError { throw firstError }
  }

  /// The checks before a statement runs are made before a blob is used, and former commits are
  /// notified: what a stream writes belongs to the next one.
  package func willUseBlob(isReadOnly: Bool) throws {
    try checkAccess()
    if owner.hasWaitingWork { statementDidEnd() }
    try checkHasNoEngine("a blob stream")
    try checkIsNotNotifying(sql: nil)
    try checkCancellation()
    forgetShadowedError()
    try checkBlockIsAlive(sql: nil, arguments: nil)
    try checkSuspension(mayRun: isReadOnly && isInWALMode, sql: nil, arguments: nil)
  }
}
