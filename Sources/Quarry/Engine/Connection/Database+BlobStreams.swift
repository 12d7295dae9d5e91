/// A stream of a blob, of the library QuarryBlobs.
package protocol BlobStream: AnyObject {
  /// Closes the stream after an interruption: an open one would make it last.
  func interrupt()

  /// Closes the stream, until it is opened again: SQLite would take one that writes for a writer,
  /// and commit no statement; one that reads would go on with another row.
  func didRollBack()

  /// How many transactions and savepoints may undo what was written before it was opened.
  var depth: Int { get set }

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

  /// The depth of a stream that is opened now.
  package var streamDepth: Int { isWriting ? broker.pending.savepoints.count + 1 : 0 }

  /// Closes the streams of a transaction, or of the implicit one of a stream that writes, where it
  /// was rolled back: others write.
  func endRolledBackStreams() {
    if !blobs.isEmpty, !hasUncommittedChanges { endStreams(fromDepth: 1) }
  }

  /// Closes the streams that were opened after what is rolled back.
  func endStreams(fromDepth depth: Int) {
    for blob in blobs.compactMap(\.value) where blob.depth >= depth { blob.didRollBack() }
  }

  /// Called after a commit, or the release of a savepoint.
  package func lowerStreams() {
    for blob in blobs.compactMap(\.value) { blob.depth = min(blob.depth, streamDepth) }
  }

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
