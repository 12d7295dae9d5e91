import Foundation

/// The thread that uses a connection, and the statements that run.
///
/// SQLite does not lock the connection: one thread at a time may use it, the one that runs an access. But cursors and
/// statements may leave their access, and may be released by any thread. So
///
/// - the executions that cursors leave in the middle of their rows end with their access. Their rows take a copy of
///   their values.
/// - what is released waits for the end of the access that runs, or is cleaned up at once where none runs.
final class ConnectionOwner: @unchecked Sendable {
  private let condition = NSCondition()
  private var thread: ThreadIdentity?
  private var waitingCount = 0
  private var cleanups: [() -> Void] = []

  /// The last of the statements between their first step and their reset; each has the one before: an array would be
  /// slow for each execution, and so would be counted references. A statement is reset before it goes. Only the thread
  /// that owns the connection uses them.
  private var lastRunning: Unmanaged<Statement>?

  private var postponedError: (any Error)?

  /// The number of the current access, or of the last one: a cursor belongs to one.
  private(set) var accessNumber = 0

  /// The thread that runs an access: the one that owns the connection, unless that one only cleans up.
  let accessThread = AccessThread()

  private var isGone = false

  /// True when the connection object is gone: statements must not refer to it.
  var isConnectionGone: Bool {
    condition.lock()
    defer { condition.unlock() }
    return isGone
  }

  /// True if the current thread owns the connection.
  var isCurrent: Bool {
    condition.lock()
    defer { condition.unlock() }
    return thread == .current
  }

  /// Runs `body` with the current thread as the owner, which it may be already.
  func own<T>(_ body: () throws -> T) rethrows -> T {
    guard begin() else { return try body() }
    defer { end() }
    accessNumber &+= 1
    return try body()
  }

  /// Runs the last work of a connection object, when nobody cleans up any more.
  func endConnection(_ work: () -> Void) {
    own {
      condition.lock()
      isGone = true
      condition.unlock()
      work()
    }
  }

  /// Runs `work` on the thread that owns the connection: at once when that is the current one, or when there is
  /// none. Else what `makeCleanup` returns is run, when the owner has done its work.
  func perform(_ work: () -> Void, orLater makeCleanup: () -> () -> Void) {
    condition.lock()
    if thread != nil, thread != .current {
      cleanups.append(makeCleanup())
      condition.unlock()
      return
    }
    let isBorrowed = thread == nil
    thread = .current
    condition.unlock()
    work()
    if isBorrowed { end() }
  }

  /// Returns false when the current thread is the owner already.
  private func begin() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    if thread == .current { return false }
    // Somebody may be cleaning up.
    while thread != nil {
      waitingCount += 1
      condition.wait()
      waitingCount -= 1
    }
    thread = .current
    return true
  }

  private func end() {
    while true {
      condition.lock()
      let work = cleanups
      guard !work.isEmpty else {
        thread = nil
        if waitingCount > 0 { condition.signal() }
        condition.unlock()
        return
      }
      cleanups = []
      condition.unlock()
      for cleanup in work { cleanup() }
    }
  }
}

extension ConnectionOwner {
  /// Called before the first step of a statement.
  func didStart(_ statement: Statement) {
    statement.runningBefore = lastRunning
    lastRunning = .passUnretained(statement)
  }

  /// Called when a statement is reset.
  func didEnd(_ statement: Statement) {
    let ended = Unmanaged.passUnretained(statement)
    if lastRunning?.toOpaque() == ended.toOpaque() {
      lastRunning = statement.runningBefore
    } else {
      let next = firstRunning { $0.runningBefore?.toOpaque() == ended.toOpaque() }
      next?.runningBefore = statement.runningBefore
    }
  }

  /// The first statement that satisfies a condition, from the last one that was started.
  private func firstRunning(where condition: (Statement) -> Bool) -> Statement? {
    var candidate = lastRunning?.takeUnretainedValue()
    while let statement = candidate {
      if condition(statement) { return statement }
      candidate = statement.runningBefore?.takeUnretainedValue()
    }
    return nil
  }

  /// Returns whether a statement other than this one is being stepped, or decodes its row.
  func isCalling(except statement: Statement?) -> Bool {
    firstRunning { $0 !== statement && $0.activity == .calling } != nil
  }

  /// Keeps the error of an execution that writes, and whose cursor was released in the middle of its rows, for the next
  /// one who can throw it.
  func postpone(_ error: any Error) {
    postponedError = postponedError ?? error
  }

  /// Throws the error of a released cursor.
  func throwPostponedError() throws {
    if let error = postponedError.take() { throw error }
  }

  /// Ends the executions that cursors have left in the middle of their rows.
  ///
  /// - Throws: the first error of those that write: they are stepped to their end.
  func endCursors() throws {
    var firstError = postponedError.take()
    while let statement = firstRunning(where: { $0.activity == .betweenRows }) {
      do {
        try statement.endExecution()
      } catch {
        firstError = firstError ?? error
      }
    }
    if let firstError { throw firstError }
  }

  /// Steps the writing statements of cursors to their end: SQLite does not commit before.
  func endWritingCursors() throws {
    try throwPostponedError()
    while let statement = firstRunning(where: { $0.activity == .betweenRows && !$0.isReadonly }) {
      try statement.breakCursor(.commit)
    }
  }

  /// Called when a statement was interrupted. All that run are: SQLite interrupts whatever is started until the last of
  /// them has ended, and some belong to cursors that nobody may ever step again.
  func interruptCursors() {
    while let statement = firstRunning(where: { $0.activity == .betweenRows }) {
      // The interruption is the error to report.
      try? statement.breakCursor(.interruption)
    }
  }
}
