import Dispatch

/// An object that lends a connection to one access after the other: a connection, the readers of a
/// pool, the writer of a pool once no reader is left.
///
/// Accesses that run later, and those of tasks, are the same for all of them, and block no thread
/// while they wait.
protocol AccessSource: Sendable {
  /// Begins the turn with a connection, on the queue of the connection, when there is one, or with
  /// an error. The connection is taken back when the turn has ended.
  func schedule(_ turn: AccessTurn)

  /// Called when a waiting turn was canceled: the next ones need not wait for it.
  func turnWasCancelled()
}

/// Connections that a thread can wait for, also until a deadline.
protocol TimedAccessSource: AccessSource {
  /// Runs an access, and waits for its end.
  ///
  /// - parameter isUrgent: Whether the thread has the writer of the pool whose readers these are.
  /// - Throws: ``DatabaseError`` when the thread would wait for itself.
  func sync<T>(
    _ transaction: AccessTransaction, isUrgent: Bool, _ body: (Database) throws -> T
  ) throws -> T

  /// Begins the turn of a thread that waits for it, and may be inside an access. The function that
  /// it returns is called at the end of the wait.
  ///
  /// - parameter isUrgent: Whether the thread has the writer of the pool whose readers these are.
  /// - Throws: ``DatabaseError`` when the thread would wait for itself.
  func scheduleWaiting(_ turn: AccessTurn, isUrgent: Bool) throws -> () -> Void
}

extension AccessSource {
  /// Runs an access later: calls a function once, with a connection or the reason why there is
  /// none.
  func async(
    _ transaction: AccessTransaction,
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    schedule(
      AccessTurn { result in
        switch result {
        case .success(let connection): connection.offer(transaction, value)
        case .failure(let error):
          // On a queue of its own, since the function may wait.
          DispatchQueue(label: "Quarry.failure").async { value(.failure(error)) }
        }
      })
  }

  /// Runs an access as a part of the current task. Values of the task are visible in it.
  ///
  /// - Throws: `CancellationError` when the task is canceled while it waits, or before or while a
  ///   statement runs.
  func run<T: Sendable>(
    _ transaction: AccessTransaction, before deadline: ContinuousClock.Instant? = nil,
    _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    let access = TaskAccess(source: self, deadline: deadline)
    let timer = try deadline.map { deadline in
      try deadline.checkIsAhead()
      return deadline.startTimer { access.executor.cancel(.deadline) }
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await access.run(transaction, body)
    } onCancel: {
      access.executor.cancel(.task)
    }
  }
}

/// A place in the line of those who wait for a connection. Its action runs once.
final class AccessTurn: Sendable {
  typealias Action = @Sendable (Result<SerialConnection, any Error>) -> Void

  private let action: Action
  private let isTaken = Locked(false)
  init(_ action: @escaping Action) { self.action = action }

  /// Whether nobody waits any more.
  var isOver: Bool { isTaken.withLock { $0 } }

  /// Runs the action on the current thread, unless the turn is over.
  ///
  /// - parameter time: When the turn was asked for, if the connection is observed.
  func begin(with connection: SerialConnection, since time: ContinuousClock.Instant?) {
    guard take() else { return }
    connection.requestTime = time
    action(.success(connection))
  }

  /// Runs the action with an error, unless the turn is over: later, since an action is never run by
  /// the one who schedules it. It must not wait.
  func fail(_ error: any Error) {
    guard take() else { return }
    DispatchQueue.accessEnds.async { self.action(.failure(error)) }
  }

  /// Whether the caller is the first one to begin or to end the turn.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}

/// An access of a task.
///
/// The actor runs its only job on the queue of the connection that it gets: a thread of Swift's
/// pool is needed neither between the moment when the task gets the connection and its closure, nor
/// before the connection is given back. Tasks that block these threads, because they wait for the
/// same connections, can't stop it.
private actor TaskAccess {
  let executor: Executor

  init(source: any AccessSource, deadline: ContinuousClock.Instant?) {
    executor = Executor(source: source, deadline: deadline)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<T: Sendable>(
    _ transaction: AccessTransaction, _ body: @Sendable (Database) throws -> T
  ) throws -> T {
    try executor.connection.get().run(transaction, cancellation: executor.cancellation, body)
  }

  /// `connection` is protected by the order of events: it is set by the thread that runs the job,
  /// right before it.
  final class Executor: SerialExecutor, @unchecked Sendable {
    let cancellation: AccessCancellation
    private let source: any AccessSource
    /// The turn of the job, until it begins.
    private let waiting = Locked<AccessTurn?>(nil)
    private(set) var connection: Result<SerialConnection, any Error> = .failure(CancellationError())

    init(source: any AccessSource, deadline: ContinuousClock.Instant?) {
      self.source = source
      cancellation = AccessCancellation(deadline: deadline)
    }

    /// Swift does not keep the executor for the time of this call. As soon as others know the turn,
    /// the job may run on another thread, and end the task, which releases the actor, the executor,
    /// and maybe the database. So the executor is kept by the turn, in its action, and the turn by
    /// this call.
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let turn = AccessTurn { [self] result in
        waiting.withLock { $0 = nil }
        connection = result
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        connection = .failure(CancellationError())
      }
      withExtendedLifetime(turn) {
        waiting.withLock { $0 = turn }
        // A later cancellation finds the turn.
        if let reason = cancellation.reason {
          turn.fail(reason.error)
        } else {
          source.schedule(turn)
        }
      }
    }

    /// Called before the task ends, which keeps the executor: Swift waits for the handlers of
    /// cancellations.
    func cancel(_ reason: AccessCancellation.Reason) {
      cancellation.cancel(reason)
      waiting.withLock { $0 }?.fail(reason.error)
      source.turnWasCancelled()
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      unsafe UnownedSerialExecutor(ordinary: self)
    }
  }
}
