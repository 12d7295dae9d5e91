package import Dispatch

// Deadlines of accesses. A timer cancels the access like a task that is canceled: see
// ``AccessCancellation``.

extension ContinuousClock.Instant {
  /// The same moment on the clock of Dispatch.
  package var dispatchTime: DispatchTime {
    let remaining = ContinuousClock.now.duration(to: self)
    guard remaining > .zero else { return .now() }
    guard remaining < .seconds(1_000_000_000) else { return .distantFuture }
    let (seconds, attoseconds) = remaining.components
    return .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }

  /// - Throws: ``DatabaseError`` when the moment has passed.
  func checkIsAhead() throws {
    guard self > .now else { throw DatabaseError.passedDeadline(.beginning) }
  }

  /// Calls a function at the deadline, until the timer is canceled: and again, since SQLite forgets
  /// an interruption that comes between the check before a statement and its first step.
  func startTimer(_ action: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .accessEnds)
    timer.schedule(deadline: dispatchTime, repeating: .milliseconds(20))
    timer.setEventHandler(handler: action)
    timer.activate()
    return timer
  }
}

extension DispatchQueue {
  /// Ends accesses that wait or run, and calls no function of the application. It is a queue of its
  /// own: the threads of the global queues may all wait for accesses.
  static let accessEnds = DispatchQueue(label: "Quarry.deadlines", qos: .userInitiated)
}

extension AccessCancellation.Reason {
  /// The error of an access that has not run a statement.
  var error: any Error {
    switch self {
    case .task: CancellationError()
    case .deadline: DatabaseError.passedDeadline(.turn)
    }
  }
}

extension DatabaseError {
  /// What an access did when its deadline passed.
  package enum DeadlinePhase {
    case beginning, turn, statement
  }

  /// The error of an access whose deadline has passed.
  package static func passedDeadline(
    _ phase: DeadlinePhase, sql: String? = nil, arguments: StatementArguments? = nil,
    isPublic: Bool = false
  ) -> DatabaseError {
    var error = DatabaseError(
      resultCode: .SQLITE_INTERRUPT, message: "the deadline of the access has passed", sql: sql,
      arguments: arguments, publicStatementArguments: isPublic)
    error.accessLimit = .deadline
    error.details =
      switch phase {
      case .beginning:
        "it had passed before the access began, and no statement was executed: set a later one"
      case .turn:
        "it waited for its turn, and executed no statement: set a later deadline, or shorten the "
          + "accesses before it"
      case .statement:
        "its transaction is rolled back: set a later deadline or a longer `accessTimeLimit`, or do "
          + "less in one access"
      }
    return error
  }
}

extension Database {
  /// - Throws: the error of an access that has ended.
  package func checkCancellation() throws { if access.isCancelled { throw accessEnd() } }

  /// The error of a statement of an access that has ended: that of its task, or of its deadline.
  func accessEnd(sql: String? = nil, _ arguments: StatementArguments? = nil) -> any Error {
    guard access.endReason == .deadline else { return CancellationError() }
    return DatabaseError.passedDeadline(
      .statement, sql: sql, arguments: arguments, isPublic: configuration.publicStatementArguments)
  }
}
