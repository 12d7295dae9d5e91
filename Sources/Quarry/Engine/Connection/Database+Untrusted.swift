import CSQLite
import Dispatch

// What a connection refuses that reads a file of strangers. See
// <https://www.sqlite.org/security.html>.

extension Database {
  /// Called before the file is read.
  func beginDistrust() throws {
    for (option, value) in Self.options { configure(option, value) }
    for (limit, value) in Self.limits { setLimit(limit, to: value) }
    try execute(sql: "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
  }

  private static let options: [(CInt, CInt)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1),
    (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
  ]

  /// Large enough for what people write by hand.
  private static let limits: [(Limit, Int)] = [
    (.length, 10_000_000), (.sqlLength, 1_000_000), (.expressionDepth, 100),
    (.compoundSelectCount, 50), (.instructionCount, 1_000_000), (.patternLength, 1_000),
    (.triggerDepth, 10), (.workerThreadCount, 0),
  ]

  /// - Throws: ``DatabaseError`` with code `SQLITE_CORRUPT` and the first finding.
  func checkContent() throws {
    let finding = try String.fetchOne(self, sql: "PRAGMA quick_check(1)")
    guard let finding, finding != "ok" else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CORRUPT, message: "the database file is damaged: \(finding)"
    ).detailed("it is not opened: ask for another copy")
  }

  /// Runs a part of an access, or the opening, which ends when the time limit of the configuration
  /// is over.
  ///
  /// - parameter body: Gets the cancellation of the access.
  func limitingTime<T>(
    _ limit: Duration, _ cancellation: AccessCancellation?,
    _ body: (AccessCancellation) throws -> T
  ) rethrows -> T {
    let cancellation = cancellation ?? AccessCancellation()
    unsafe cancellation.begin { [interruptible] in unsafe Self.interrupt(interruptible) }
    let timer = (ContinuousClock.now + limit).startTimer { cancellation.cancel(.deadline) }
    defer {
      timer.cancel()
      cancellation.end()
    }
    return try body(cancellation)
  }
}
