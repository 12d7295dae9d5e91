import CSQLite
import Quarry

extension Database {
  /// Runs `body`, and calls `isStopped` about every 100,000 instructions of SQLite's virtual
  /// machine: the running statement is interrupted when it returns true.
  ///
  /// See <https://www.sqlite.org/c3ref/progress_handler.html>.
  func checkingProgress<T>(
    _ isStopped: @escaping () -> Bool, during body: () throws -> T
  ) throws -> T {
    let connection = try unsafe requireConnection()
    let handler = ProgressHandler(isStopped)
    return try withExtendedLifetime(handler) {
      unsafe sqlite3_progress_handler(
        connection, 100_000,
        { context in
          guard let context = unsafe context else { return 0 }
          let handler = unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue()
          return handler.isStopped() ? 1 : 0
        }, unsafe Unmanaged.passUnretained(handler).toOpaque())
      defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
      return try body()
    }
  }
}

private final class ProgressHandler {
  let isStopped: () -> Bool

  init(_ isStopped: @escaping () -> Bool) { self.isStopped = isStopped }
}
