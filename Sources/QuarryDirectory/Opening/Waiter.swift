import Dispatch
import Quarry

/// What a waiter gets.
enum Signal<Writer: DatabaseWriter>: Sendable {
  /// A lease of an open database.
  case lease(DirectoryEntry<Writer>, Writer)
  /// The duty to open the database, after another one is closed.
  case open(DirectoryEntry<Writer>, evicting: DirectoryEntry<Writer>?)
  /// The access can't have the database.
  case failure(any Error)
  /// The state has changed.
  case again
  /// The time is over.
  case timeout
}

/// An access that waits, on a thread or in a task. It takes one signal: the first.
final class Waiter<Writer: DatabaseWriter>: Sendable {
  private enum State {
    case waiting
    case suspended(CheckedContinuation<Signal<Writer>, Never>)
    case signaled(Signal<Writer>)
    case over
  }

  private let state = Locked(State.waiting)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Whether a signal would be taken.
  var isWaiting: Bool {
    state.withLock { state in
      switch state {
      case .waiting, .suspended: true
      case .signaled, .over: false
      }
    }
  }

  /// False if there was a signal before.
  @discardableResult
  func send(_ signal: Signal<Writer>) -> Bool {
    let (isTaken, continuation) = state.withLock { Self.take(signal, in: &$0) }
    continuation?.resume(returning: signal)
    if isTaken { semaphore.signal() }
    return isTaken
  }

  private static func take(
    _ signal: Signal<Writer>, in state: inout State
  ) -> (isTaken: Bool, CheckedContinuation<Signal<Writer>, Never>?) {
    switch state {
    case .waiting:
      state = .signaled(signal)
      return (true, nil)
    case .suspended(let continuation):
      state = .over
      return (true, continuation)
    case .signaled, .over: return (false, nil)
    }
  }

  /// Waits on a thread. Nil if the time is over.
  func wait(_ duration: Duration) -> Signal<Writer>? {
    semaphore.wait(timeout: .now() + duration.dispatchInterval) == .success ? signal : nil
  }

  /// Waits on a thread.
  func wait() -> Signal<Writer> {
    semaphore.wait()
    return signal
  }

  private var signal: Signal<Writer> {
    state.withLock { state in
      guard case .signaled(let signal) = state else { return .again }
      return signal
    }
  }

  /// Waits in a task.
  func value() async -> Signal<Writer> {
    await withCheckedContinuation { continuation in
      let signal: Signal<Writer>? = state.withLock { state in
        guard case .signaled(let signal) = state else {
          state = .suspended(continuation)
          return nil
        }
        return signal
      }
      if let signal { continuation.resume(returning: signal) }
    }
  }
}

extension Duration {
  /// At most about 30 years, which Dispatch can count.
  var dispatchInterval: DispatchTimeInterval {
    .nanoseconds(Int(min(self, .seconds(1_000_000_000)) / .nanoseconds(1)))
  }
}
