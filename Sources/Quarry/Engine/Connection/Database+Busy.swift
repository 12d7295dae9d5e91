import CSQLite
public import Foundation

extension Database {
  /// Is called when the database is locked, with the number of tries. Returns whether SQLite tries
  /// again.
  public typealias BusyCallback = @Sendable (_ numberOfTries: Int) -> Bool

  /// The reaction when another connection has locked the database.
  ///
  /// See <https://www.sqlite.org/c3ref/busy_handler.html>.
  public enum BusyMode: Sendable {
    /// The error `SQLITE_BUSY` is thrown at once. The writer of a pool waits a tenth of a second,
    /// since a reader of the same pool may have the lock for an instant.
    case immediateError
    /// The error is thrown after so many seconds.
    ///
    /// The longest timeout of SQLite has 2,147,483,647 milliseconds, some 24 days: longer ones are
    /// that long. Negative ones, and those that are no number, are zero.
    case timeout(TimeInterval)
    /// The function decides whether to try again.
    case callback(BusyCallback)
  }

  func setUpBusyMode() {
    switch configuration.busyMode {
    case .immediateError: setBusyTimeout(0)
    case .timeout(let seconds): setBusyTimeout(Self.milliseconds(seconds))
    case .callback(let callback): installBusyCallback(callback)
    }
  }

  /// Lets SQLite wait for locks by itself, for some milliseconds, or not at all.
  private func setBusyTimeout(_ milliseconds: CInt) {
    guard let sqliteConnection else { return }
    busyCallback = nil
    knownBusyTimeout = milliseconds
    unsafe sqlite3_busy_timeout(sqliteConnection, milliseconds)
  }

  private func installBusyCallback(_ callback: @escaping BusyCallback) {
    guard let sqliteConnection else { return }
    busyCallback = callback
    knownBusyTimeout = 0
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_busy_handler(
      sqliteConnection,
      { context, count in
        unsafe Unmanaged<Database>.context(context)?.busyCallback?(Int(count)) == true ? 1 : 0
      }, unsafe context)
  }

  /// Runs `body` again while the database is locked, for as long as the busy mode says.
  ///
  /// SQLite does not call the busy handler where a statement reads before it locks the database, as
  /// the change of the journal mode does: several processes that open a new file meet there.
  func waitingForLocks<Value>(_ body: () throws -> Value) throws -> Value {
    var waits = 0
    let start = DispatchTime.now()
    while true {
      do {
        return try body()
      } catch DatabaseError.SQLITE_BUSY where waitsForLock(after: waits, since: start) {
        waits += 1
      }
    }
  }

  private func waitsForLock(after waits: Int, since start: DispatchTime) -> Bool {
    if access.isCancelled { return false }
    switch configuration.busyMode {
    case .immediateError: return false
    case .timeout(let seconds):
      let end = start + .milliseconds(Int(Self.milliseconds(seconds)))
      guard DispatchTime.now() < end else { return false }
      Thread.sleep(forTimeInterval: 0.001)
      return true
    case .callback(let callback): return callback(waits)
    }
  }

  /// Runs `body` with the error `SQLITE_BUSY` in place of each wait for a lock.
  func withoutWaitingForLocks(_ body: () throws -> Void) throws {
    let timeout = try busyTimeout()
    let callback = timeout == 0 ? busyCallback : nil
    // The application may have a function of its own.
    guard timeout > 0 || callback != nil else { return try body() }
    setBusyTimeout(0)
    defer { if let callback { installBusyCallback(callback) } else { setBusyTimeout(timeout) } }
    try body()
  }

  /// Runs `body`, in which the wait for a lock ends with the access: SQLite does not ask whether it
  /// is interrupted while it waits.
  func endingBusyWaits<T>(_ body: () throws -> T) throws -> T {
    guard let cancellation = access.cancellation, engine == nil else { return try body() }
    let timeout = try busyTimeout()
    guard timeout > 0 || busyCallback != nil else { return try body() }
    let callback = timeout == 0 ? busyCallback : nil
    effectsRecorder.hasSetBusyTimeout = false
    installBusyCallback { numberOfTries in
      if cancellation.isCancelled { return false }
      if let callback { return callback(numberOfTries) }
      // 1, 2, 3 … 20 milliseconds, and always 20 from then on.
      let steps = min(numberOfTries, 20)
      guard steps * (steps + 1) / 2 + (numberOfTries - steps) * 20 < Int(timeout) else {
        return false
      }
      Thread.sleep(forTimeInterval: Double(min(numberOfTries + 1, 20)) / 1000)
      return true
    }
    defer {
      if effectsRecorder.hasSetBusyTimeout {
        // SQLite has its own function now, or none.
        busyCallback = nil
      } else if let callback {
        installBusyCallback(callback)
      } else {
        setBusyTimeout(timeout)
      }
    }
    return try body()
  }

  /// SQLite's own timeout in milliseconds, which the application may have changed by SQL.
  private func busyTimeout() throws -> CInt {
    guard effectsRecorder.mayHaveOtherBusyTimeout else { return knownBusyTimeout }
    let trace = traceFunction
    traceFunction = nil
    defer { traceFunction = trace }
    knownBusyTimeout = try CInt.fetchOne(self, sql: "PRAGMA busy_timeout") ?? 0
    effectsRecorder.mayHaveOtherBusyTimeout = false
    return knownBusyTimeout
  }

  /// The milliseconds nearest to a number of seconds that SQLite can wait.
  private static func milliseconds(_ seconds: TimeInterval) -> CInt {
    guard seconds > 0 else { return 0 }
    return CInt(min(seconds * 1000, Double(CInt.max)))
  }
}
