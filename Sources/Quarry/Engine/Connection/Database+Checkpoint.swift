import CSQLite

extension Database {
  /// How a checkpoint behaves.
  ///
  /// See <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>.
  public enum CheckpointMode: CInt, Sendable {
    /// Copies what it can without waiting.
    case passive = 0
    /// Waits for writers, and copies everything.
    case full = 1
    /// Like `full`, and waits for readers, so that the next writer starts the log anew.
    case restart = 2
    /// Like `restart`, and truncates the log file.
    case truncate = 3
  }

  /// Copies the write-ahead log into the database file.
  ///
  /// ```swift
  /// try dbQueue.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
  /// ```
  ///
  /// - Parameter kind: The kind of the checkpoint.
  /// - Parameter dbName: the name of an attached database, nil for all of them.
  /// - Returns: the number of frames in the log, and of those that have been copied; -1 without
  ///   write-ahead log.
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when readers or writers are in the way.
  ///   When the deadline of the access ends the wait, ``DatabaseError/accessLimit`` is set.
  @discardableResult public func checkpoint(
    _ kind: CheckpointMode = .passive, on dbName: String? = "main"
  ) throws -> (walFrameCount: Int, checkpointedFrameCount: Int) {
    try checkAccess()
    try checkHasNoEngine("a checkpoint")
    forgetInterruption()
    // Afterwards: a cancellation that comes later interrupts the checkpoint.
    try checkCancellation()
    var frames: CInt = -1
    var copied: CInt = -1
    let code = unsafe sqlite3_wal_checkpoint_v2(
      try requireConnection(), dbName, kind.rawValue, &frames, &copied)
    guard code == SQLITE_OK else {
      let databases = dbName.map { "the database `\($0)`" } ?? "all databases"
      throw explainedError(
        error(code: code).detailed("while running a checkpoint (\(kind)) of \(databases)"))
    }
    return (walFrameCount: Int(frames), checkpointedFrameCount: Int(copied))
  }
}
