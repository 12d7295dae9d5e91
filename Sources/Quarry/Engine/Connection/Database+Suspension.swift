public import Foundation

extension Database {
  /// The notification that suspends the connections whose configuration sets
  /// `observesSuspensionNotifications`.
  ///
  /// ```swift
  /// // The application is about to be suspended: it must not keep a lock on a shared file.
  /// NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
  /// ```
  ///
  /// Running statements are interrupted. Statements that would lock the database then throw a
  /// ``DatabaseError`` with code `SQLITE_ABORT`, after a rollback of their transaction. Statements
  /// that release a lock still work, and so do reads in WAL mode. Observations go on: what they
  /// can't fetch meanwhile is fetched after ``resumeNotification``.
  public static let suspendNotification = Notification.Name("Quarry.Database.Suspend")

  /// The notification that ends the suspension. See ``suspendNotification``.
  public static let resumeNotification = Notification.Name("Quarry.Database.Resume")

  /// Throws when the connection is suspended, and the statement would lock the database.
  func checkSuspension(_ statement: Statement) throws {
    try checkSuspension(
      mayRun: mayRunWhileSuspended(statement), sql: statement.sql, arguments: statement.arguments)
  }

  func checkSuspension(
    mayRun: @autoclosure () -> Bool, sql: String?,
    arguments: @autoclosure () -> StatementArguments?
  ) throws {
    guard let suspension, suspension.isSuspended, !access.ignoresCancellation, !mayRun()
    else { return }
    try? rollback()
    throw error(.SQLITE_ABORT, "Database is suspended", sql: sql, arguments())
  }

  private func mayRunWhileSuspended(_ statement: Statement) -> Bool {
    if statement.effects.isQueryOnlyPragma { return true }
    switch statement.effects.transaction {
    case .commit, .rollback, .releaseSavepoint, .rollbackToSavepoint: return true
    case .begin, .beginSavepoint, nil: return statement.isReadonly && isInWALMode
    }
  }

  /// Runs a fetch of an observation. Returns nil when a suspension made it fail: the other function
  /// is called when the application is resumed.
  func resultUnlessSuspended<T>(
    of fetch: () throws -> T, whenResumed action: @escaping @Sendable () -> Void
  ) -> Result<T, any Error>? {
    guard let suspension else { return Result { try fetch() } }
    let count = suspension.count
    let result = Result { try fetch() }
    guard case .failure = result, suspension.isSuspended || suspension.count != count
    else { return result }
    suspension.whenResumed(action)
    return nil
  }

  var isInWALMode: Bool {
    let mode = try? ignoringCancellation { try String.fetchOne(self, sql: "PRAGMA journal_mode") }
    return mode == "wal"
  }
}

/// Knows whether the application has suspended its connections.
final class Suspension: Sendable {
  private struct State {
    var isSuspended = false
    /// The number of suspensions so far.
    var count = 0
    /// What is called at the end of the suspension.
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())
  private let observers: Locked<[any NSObjectProtocol]>

  init(interruptible: Locked<SQLiteConnection?>) {
    let state = state
    let center = NotificationCenter.default
    let suspend = center.addObserver(
      forName: Database.suspendNotification, object: nil, queue: nil
    ) { _ in
      state.withLock { state in
        state.isSuspended = true
        state.count += 1
      }
      unsafe Database.interrupt(interruptible)
    }
    let resume = center.addObserver(
      forName: Database.resumeNotification, object: nil, queue: nil
    ) { _ in
      let actions = state.withLock { state in
        state.isSuspended = false
        defer { state.actions = [] }
        return state.actions
      }
      for action in actions { action() }
    }
    observers = Locked([suspend, resume])
  }

  deinit { end() }

  /// Ends the observation, once or again. A notification that is being posted may still come.
  func end() { observers.withLock { $0 }.forEach(NotificationCenter.default.removeObserver) }

  var isSuspended: Bool { state.withLock(\.isSuspended) }

  /// The number of suspensions so far.
  var count: Int { state.withLock(\.count) }

  /// Calls a function at the end of the suspension, immediately if it has ended.
  func whenResumed(_ action: @escaping @Sendable () -> Void) {
    let isSuspended = state.withLock { state in
      if state.isSuspended { state.actions.append(action) }
      return state.isSuspended
    }
    if !isSuspended { action() }
  }
}
