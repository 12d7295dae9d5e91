import Dispatch

/// The access to a connection that runs at the moment.
///
/// A connection is given to one closure at a time, and that closure runs on one thread from its
/// beginning to its end. So the thread determines whether a connection is used where it may be
/// used, at the cost of a comparison: see ``ConnectionOwner``.
struct ConnectionAccess {
  private(set) var cancellation: AccessCancellation?
  var ignoranceDepth = 0 { didSet { cancellation?.setPaused(ignoresCancellation) } }

  var isCancelled: Bool { !ignoresCancellation && cancellation?.isCancelled == true }

  /// True while statements run that must run whatever happened before, such as a rollback.
  var ignoresCancellation: Bool { ignoranceDepth > 0 }

  /// Why the access ends, unless statements run that must run whatever happened before.
  var endReason: AccessCancellation.Reason? { ignoresCancellation ? nil : cancellation?.reason }

  /// Lets the current thread use the connection while `body` runs.
  static func open<T>(
    _ db: Database, cancellation: AccessCancellation? = nil, _ body: () throws -> T
  ) rethrows -> T {
    try db.owner.access { isOutermost in
      let outer = db.access
      db.access = ConnectionAccess(cancellation: cancellation)
      db.requireSchemaVerification()
      defer {
        // Where somebody can receive an error, the cursors and streams have ended already.
        if isOutermost {
          // Where a stream is open, SQLite would interrupt the next access, too.
          cancellation?.end()
          let isCancelled = cancellation?.isCancelled == true
          if isCancelled { db.endInterruptedStatements() }
          // A stream may have committed when it was interrupted.
          if isCancelled || db.broker.end.completion != nil {
            db.mayHaveCommitted()
            db.owner.statementDidEnd()
          }
          try? db.owner.endCursorsAndStreams()
          db.countOtherCommits()
        }
        db.access = outer
      }
      return try body()
    }
  }
}

/// The cancellation of an access: of its task, or by its deadline.
///
/// The task that is canceled and the thread that runs the access meet here: statements are only
/// interrupted while the very access of the canceled task runs.
final class AccessCancellation: Sendable {
  enum Reason {
    case task
    case deadline
  }

  private struct State {
    var reason: Reason?
    var interrupt: (@Sendable () -> Void)?
    /// True while statements run that must not be interrupted.
    var isPaused = false
    /// Interrupts again, since SQLite forgets an interruption that comes between the check before a
    /// statement and its first step. The timer of a deadline does so, too.
    var repetition: (any DispatchSourceTimer)?
  }

  private let state = Locked(State())

  /// When the access ends: others may cancel it before.
  let deadline: ContinuousClock.Instant?

  init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

  var isCancelled: Bool { reason != nil }

  var reason: Reason? { state.withLock { $0.reason } }

  /// Called by the thread that runs the access.
  func begin(interrupt: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.interrupt = interrupt
      repeatInterruption(&state)
    }
  }

  /// Called by the thread that runs the access.
  func end() {
    state.withLock { state in
      state.interrupt = nil
      state.repetition?.cancel()
      state.repetition = nil
    }
  }

  /// Called by the thread that runs the access.
  func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  /// Called by the task that is canceled, or by the timer of the deadline. The first reason counts.
  func cancel(_ reason: Reason) {
    state.withLock { state in
      state.reason = state.reason ?? reason
      if !state.isPaused { state.interrupt?() }
      repeatInterruption(&state)
    }
  }

  private func repeatInterruption(_ state: inout State) {
    guard state.reason == .task, state.interrupt != nil, state.repetition == nil else { return }
    state.repetition = ContinuousClock.now.startTimer { [weak self] in self?.cancel(.task) }
  }
}
