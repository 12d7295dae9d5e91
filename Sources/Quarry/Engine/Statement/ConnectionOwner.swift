import Foundation

/// The thread that uses a connection, and what is shared by the connection and its statements,
/// which may outlive it.
///
/// SQLite does not lock the connection: one thread at a time may use it, the one that runs an
/// access. But cursors and statements may leave their access, and may be released by any thread. So
///
/// - the executions that cursors leave in the middle of their rows end with their access. Their
///   rows take a copy of their values. Streams of blobs are closed, too.
/// - what is released waits for the end of the access that runs, or is cleaned up at once where
///   none runs.
package final class ConnectionOwner: @unchecked Sendable {
  private let condition = NSCondition()
  /// The owner: changed under the lock, read without it.
  private let thread = ThreadWord()
  /// True while the owner runs an access, and does not only clean up. Nobody else may use it.
  private var isRunningAccess = false
  private var waitingCount = 0
  private var cleanups: [() -> Void] = []

  /// The statements between their first step and their reset. Only the owner uses them.
  @safe @exclusivity(unchecked) var running = RunningStatements()

  /// The error of a cursor that was released since the beginning of the last transaction.
  private var postponedError: (any Error)?
  /// The error of what was undone before, thrown at the end of the access.
  private var accessError: (any Error)?

  /// The statements that cursors of the application run: they may be dropped in the middle of their
  /// rows.
  var keptStatements: [Statement] = []

  /// The number of the current access, or of the last one: a cursor belongs to one.
  private(set) var accessNumber = 0

  /// The connection object, until it goes. Changed by the owner under the lock: statements use it
  /// in accesses, where it exists, and ask ``isConnectionGone`` elsewhere.
  var database: Unretained<Database>?

  /// True when the connection has to do something as soon as a statement has ended: rarely.
  var hasWaitingWork = false

  /// True when somebody wants to know which statements are executed: see ``ObservationBroker``.
  var isObserved = false

  /// True when the connection object is gone: statements must not refer to it.
  var isConnectionGone: Bool { condition.withLock { database == nil } }

  /// True if the current thread owns the connection.
  var isCurrent: Bool { thread.isCurrent }

  /// True inside an access of the current thread.
  package var isInAccess: Bool { thread.isCurrent && isRunningAccess }

  /// Lets the current thread use the connection while `body` runs, which gets whether it does not
  /// already.
  func access<T>(_ body: (_ isOutermost: Bool) throws -> T) rethrows -> T {
    try own {
      let isOutermost = !isRunningAccess
      isRunningAccess = true
      defer { if isOutermost { isRunningAccess = false } }
      return try body(isOutermost)
    }
  }

  /// Runs `body` with the current thread as the owner, which it may be already.
  private func own<T>(_ body: () throws -> T) rethrows -> T {
    guard begin() else { return try body() }
    defer { end() }
    accessNumber &+= 1
    return try body()
  }

  /// Runs the last work of a connection object, when nobody cleans up any more.
  func endConnection(_ work: () -> Void) {
    own {
      condition.withLock { database = nil }
      work()
    }
  }

  /// Runs `work` on the thread that owns the connection: at once when that is the current one, or
  /// when there is none. Else what `makeCleanup` returns is run, when the owner has done its work.
  package func perform(_ work: () -> Void, orLater makeCleanup: () -> () -> Void) {
    condition.lock()
    let isBorrowed = thread.isEmpty
    guard isBorrowed || thread.isCurrent else {
      cleanups.append(makeCleanup())
      condition.unlock()
      return
    }
    thread.setCurrent()
    condition.unlock()
    work()
    if isBorrowed { end() }
  }

  /// Returns false when the current thread is the owner already.
  private func begin() -> Bool {
    if thread.isCurrent { return false }
    condition.lock()
    defer { condition.unlock() }
    // Somebody may be cleaning up.
    while !thread.isEmpty {
      waitingCount += 1
      condition.wait()
      waitingCount -= 1
    }
    thread.setCurrent()
    return true
  }

  private func end() {
    while true {
      condition.lock()
      let work = cleanups
      guard !work.isEmpty else {
        thread.clear()
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
  /// Called after the reset of a statement.
  func statementDidEnd() { if hasWaitingWork { database?.object.statementDidEnd() } }

  /// Called after a stream of a blob that writes is closed: outside of a transaction, this is a
  /// commit. A stream may be released outside of accesses, and observers of the commit use the
  /// connection.
  package func writingBlobDidClose() {
    guard let database = database?.object else { return }
    guard isInAccess else { return ConnectionAccess.open(database) { writingBlobDidClose() } }
    database.lowerStreams()
    database.mayHaveCommitted()
    statementDidEnd()
  }

  /// Keeps the error of an execution that writes, and whose cursor was released in the middle of
  /// its rows: its transaction throws it before it commits, or else the access.
  func postpone(_ error: any Error) { postponedError = postponedError ?? error }

  /// Keeps the error of a commit that has been undone, for the end of the access.
  package func postponeToEndOfAccess(_ error: any Error) { accessError = accessError ?? error }

  /// Called when a transaction begins: an earlier error must not stop its commit.
  func leavePostponedErrorToAccess() {
    if let error = postponedError.take() { postponeToEndOfAccess(error) }
  }

  /// Calls observers of a transaction that has ended: the cursors that they release fail nothing
  /// that the caller does. An earlier error stays postponed.
  func leavingErrorsToAccess(_ body: () -> Void) {
    let earlierError = postponedError.take()
    body()
    leavePostponedErrorToAccess()
    postponedError = earlierError
  }

  /// Throws the error of a released cursor.
  func throwPostponedError() throws { if let error = postponedError.take() { throw error } }

  /// Throws the error of a cursor that `body` releases. An earlier one stays postponed.
  func throwingPostponedError<T>(_ body: () throws -> T) throws -> T {
    let earlierError = postponedError.take()
    defer { postponedError = earlierError ?? postponedError }
    let result = try body()
    try throwPostponedError()
    return result
  }

  /// Ends the executions that cursors have left in the middle of their rows, and streams of blobs:
  /// those would keep the locks and the snapshot of the access.
  ///
  /// - Throws: the first error of those that write: cursors are stepped to their end, and the close
  ///   of a stream may be a commit.
  func endCursorsAndStreams() throws {
    var firstError = accessError ?? postponedError
    (accessError, postponedError) = (nil, nil)
    while let statement = running.first(where: { $0.isBetweenRows }) {
      do {
        try statement.endExecution()
      } catch {
        firstError = firstError ?? error
      }
    }
    do {
      try database?.use { try $0.endStreams() }
    } catch {
      firstError = firstError ?? error
    }
    if let firstError { throw firstError }
  }

  /// Steps the writing statements of cursors to their end: SQLite does not commit before.
  func endWritingCursors() throws {
    try throwPostponedError()
    while let statement = running.first(where: { $0.isBetweenRows && !$0.isReadonly }) {
      try statement.breakCursor(.commit)
    }
  }

  /// Called when a statement was interrupted. All that run are: SQLite interrupts whatever is
  /// started until the last of them has ended, and some belong to cursors that nobody may ever step
  /// again.
  func interruptCursors() {
    while let statement = running.first(where: { $0.isBetweenRows }) {
      // The interruption is the error to report.
      try? statement.breakCursor(.interruption)
    }
  }
}
