import Dispatch

/// An object that lends a connection to one access after the other: a connection, the readers of a pool, the writer of a
/// pool once no reader is left.
///
/// Accesses that run later, and those of tasks, are the same for all of them, and block no thread while they wait.
protocol AccessSource: Sendable {
  /// Begins the turn with a connection, on the queue of the connection, when there is one, or with an error. The
  /// connection is taken back when the turn has ended.
  func schedule(_ turn: AccessTurn)

  /// Called when a waiting turn was canceled: the next ones need not wait for it.
  func turnWasCancelled()
}

extension AccessSource {
  /// Runs an access later: calls a function once, with a connection or the reason why there is none.
  func async(
    _ transaction: AccessTransaction,
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    schedule(
      AccessTurn { result in
        switch result {
        case .success(let connection): connection.offer(transaction, value)
        case .failure(let error): value(.failure(error))
        }
      })
  }

  /// Runs an access as a part of the current task. Values of the task are visible in it.
  ///
  /// - Throws: `CancellationError` when the task is canceled while it waits, or before or while a statement runs.
  func run<T: Sendable>(
    _ transaction: AccessTransaction, _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    let access = TaskAccess(source: self)
    return try await withTaskCancellationHandler {
      try await access.run { connection, cancellation in
        try connection.run(transaction, cancellation: cancellation, body)
      }
    } onCancel: {
      access.cancel()
    }
  }
}

/// A place in the line of those who wait for a connection.
final class AccessTurn: Sendable {
  typealias Action = @Sendable (Result<SerialConnection, any Error>) -> Void

  private enum State {
    case created
    case waiting(Action)
    case cancelled
    case begun
  }

  private let state: Locked<State>

  /// A turn that gets its action by ``prepare(_:)``.
  init() {
    state = Locked(.created)
  }

  init(_ action: @escaping Action) {
    state = Locked(.waiting(action))
  }

  /// Sets what is done when the turn begins. Returns false when it was canceled before: the action is scheduled.
  func prepare(_ action: @escaping Action) -> Bool {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .waiting(action)
      return false
    }
    if isCancelled { Self.fail(action, CancellationError()) }
    return !isCancelled
  }

  /// Whether nobody waits any more.
  var isOver: Bool {
    state.withLock { state in
      switch state {
      case .created, .waiting: false
      case .cancelled, .begun: true
      }
    }
  }

  /// Runs the action on the current thread, unless the turn is over.
  func begin(with connection: SerialConnection) {
    take(leaving: .begun)?(.success(connection))
  }

  /// Runs the action with an error, later, unless the turn is over.
  func fail(_ error: any Error) {
    if let action = take(leaving: .begun) { Self.fail(action, error) }
  }

  /// Ends a turn that has not begun.
  func cancel() {
    if let action = take(leaving: .cancelled) { Self.fail(action, CancellationError()) }
  }

  private func take(leaving next: State) -> Action? {
    state.withLock { state in
      switch state {
      case .created:
        state = next
        return nil
      case .waiting(let action):
        state = next
        return action
      case .cancelled, .begun:
        return nil
      }
    }
  }

  /// An action is never run by the one who schedules it.
  private static func fail(_ action: @escaping Action, _ error: any Error) {
    DispatchQueue.global().async { action(.failure(error)) }
  }
}

/// An access of a task.
///
/// The actor runs its only job on the queue of the connection that it gets: a thread of Swift's pool is needed neither
/// between the moment when the task gets the connection and its closure, nor before the connection is given back. Tasks
/// that block these threads, because they wait for the same connections, can't stop it.
private actor TaskAccess {
  private let executor: Executor

  init(source: any AccessSource) {
    executor = Executor(source: source)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<T: Sendable>(
    _ body: @Sendable (SerialConnection, AccessCancellation) throws -> T
  ) throws -> T {
    try body(executor.connection.get(), executor.cancellation)
  }

  nonisolated func cancel() {
    executor.cancel()
  }

  /// `connection` is protected by the order of events: it is set by the thread that runs the job, right before it.
  private final class Executor: SerialExecutor, @unchecked Sendable {
    let cancellation = AccessCancellation()
    private let source: any AccessSource
    private let turn = AccessTurn()
    private(set) var connection: Result<SerialConnection, any Error> = .failure(CancellationError())

    init(source: any AccessSource) {
      self.source = source
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let isWaiting = turn.prepare { [self] result in
        connection = result
        unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        connection = .failure(CancellationError())
      }
      if isWaiting { source.schedule(turn) }
    }

    func cancel() {
      cancellation.cancel()
      turn.cancel()
      source.turnWasCancelled()
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      unsafe UnownedSerialExecutor(ordinary: self)
    }
  }
}
