import Foundation

/// The thread that uses a connection, and the cursors that are on their way.
///
/// SQLite does not lock the connection: one thread at a time may use it, the one that runs an access. But cursors and
/// statements may leave their access, and may be released by any thread. So
///
/// - the cursors that an access leaves behind are suspended at its end: they stop at their next step, unless that
///   happens in another access. Their rows take a copy of their values.
/// - what is released waits for the end of the access that runs, or is cleaned up at once where none runs.
final class ConnectionOwner: @unchecked Sendable {
  private let condition = NSCondition()
  private var thread: ThreadIdentity?
  private var waitingCount = 0
  private var cleanups: [() -> Void] = []

  /// The statements that cursors step through. Only the thread that owns the connection uses them.
  private var cursorStatements: [Statement] = []

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
    defer {
      for statement in cursorStatements { statement.suspendCursor() }
      end()
    }
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
  /// Called when a cursor takes its first step.
  func add(_ statement: Statement) {
    cursorStatements.append(statement)
  }

  /// Called when a cursor ends.
  func remove(_ statement: Statement) {
    guard let index = cursorStatements.lastIndex(where: { $0 === statement }) else { return }
    cursorStatements.remove(at: index)
  }

  /// Called when a statement was interrupted. All that run are: SQLite interrupts whatever is started until the last of
  /// them has ended, and some belong to cursors that nobody may ever step again.
  func interruptCursors(except statement: Statement) {
    for other in cursorStatements where other !== statement { other.interruptCursor() }
  }
}
