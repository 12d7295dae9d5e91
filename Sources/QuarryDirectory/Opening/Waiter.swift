import Dispatch
import Quarry

/// What a waiter gets.
enum Signal<Writer: DatabaseWriter>: Sendable {
  /// A lease of an open database.
  case lease(DirectoryEntry<Writer>, Writer)
  /// The duty to open the database, after another one is closed.
  case open(DirectoryEntry<Writer>, evicting: DirectoryEntry<Writer>?)
  /// The duty was not possible: the access waits with another waiter, which is in line.
  case line(Waiter<Writer>)
  /// The access can't have the database.
  case failure(any Error)
  /// The state has changed.
  case again
  /// The time is over.
  case timeout
}

/// An access that waits, on a thread or in a task. It takes one signal: the first.
///
/// The duty to open a database is no signal for a task, which may get no thread of Swift to do it:
/// functions that wait for the same database may block them all. It is done on a thread of its own,
/// and the task gets the result.
final class Waiter<Writer: DatabaseWriter>: Sendable {
  /// Opens a database, after another one is closed.
  typealias Opening =
    @Sendable (DirectoryEntry<Writer>, _ victim: DirectoryEntry<Writer>?) -> Signal<Writer>

  private struct State {
    /// Whether there was a signal. The result of an opening comes later.
    var isTaken = false
    /// Nil for a thread, and once there was a signal: it keeps the directory.
    var opening: Opening?
    var signal: Signal<Writer>?
    var continuation: CheckedContinuation<Signal<Writer>, Never>?
  }

  private let state: Locked<State>
  private let semaphore = DispatchSemaphore(value: 0)

  /// - parameter opening: The duty of a task.
  init(opening: Opening? = nil) { state = Locked(State(opening: opening)) }

  /// Whether a signal would be taken.
  var isWaiting: Bool { state.withLock { !$0.isTaken } }

  /// False if there was a signal before.
  @discardableResult
  func send(_ signal: Signal<Writer>) -> Bool {
    let (isFirst, opening) = state.withLock { state in
      defer { (state.isTaken, state.opening) = (true, nil) }
      return (!state.isTaken, state.opening)
    }
    guard isFirst else { return false }
    if let opening, case .open(let entry, let victim) = signal {
      DispatchQueue.separate.async { self.deliver(opening(entry, victim)) }
    } else {
      deliver(signal)
    }
    return true
  }

  private func deliver(_ signal: Signal<Writer>) {
    let continuation = state.withLock { state in
      state.signal = signal
      return state.continuation
    }
    continuation?.resume(returning: signal)
    semaphore.signal()
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

  private var signal: Signal<Writer> { state.withLock { $0.signal ?? .again } }

  /// Waits in a task.
  func value() async -> Signal<Writer> {
    await withCheckedContinuation { continuation in
      let signal = state.withLock { state in
        state.continuation = continuation
        return state.signal
      }
      if let signal { continuation.resume(returning: signal) }
    }
  }
}

extension DispatchQueue {
  /// A new queue, for work that waits for files. The threads of the global queues, which concurrent
  /// queues run on, may all wait.
  static var separate: DispatchQueue { DispatchQueue(label: "Quarry.DatabaseDirectory") }
}

extension Duration {
  /// At most about 30 years, which Dispatch can count.
  var dispatchInterval: DispatchTimeInterval {
    .nanoseconds(Int(min(self, .seconds(1_000_000_000)) / .nanoseconds(1)))
  }
}
