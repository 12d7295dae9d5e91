import Foundation

@testable import Quarry

/// A scheduler whose actions wait until the test runs them.
final class ManualScheduler: ValueObservationScheduler, @unchecked Sendable {
  private let isImmediate: Bool
  private let actions = ValueRecorder<@Sendable () -> Void>()

  init(isImmediate: Bool = false) {
    self.isImmediate = isImmediate
  }

  func immediateInitialValue() -> Bool { isImmediate }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    actions.append(action)
  }

  /// Waits until so many actions are scheduled, and runs them. They are gone, then.
  func run(_ count: Int) async throws {
    try await actions.first(count)
    for action in actions.takeAll() { action() }
  }

  var count: Int { actions.elements.count }
}

/// A scheduler of a serial queue whose first value comes at once, on any thread.
final class QueueScheduler: ValueObservationScheduler, Sendable {
  private let isImmediate: Bool
  private let queue = DispatchQueue(label: "QueueScheduler")

  init(isImmediate: Bool = true) {
    self.isImmediate = isImmediate
  }

  func immediateInitialValue() -> Bool { isImmediate }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }
}

/// A clock that stands still until the test moves it.
final class ManualClock: ObservationClock, @unchecked Sendable {
  private struct Timer {
    let time: Duration
    let action: @Sendable () -> Void
  }

  private let lock = NSLock()
  private var time = Duration.zero
  private var timers: [Timer] = []
  private let delays = ValueRecorder<Duration>()

  var now: Duration { lock.withLock { time } }

  func run(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    lock.withLock { timers.append(Timer(time: time + delay, action: action)) }
    delays.append(delay)
  }

  /// The requested delays, once there are so many.
  func delays(_ count: Int) async throws -> [Duration] { try await delays.first(count) }

  func advance(by duration: Duration) {
    let due = lock.withLock {
      time += duration
      let due = timers.filter { $0.time <= time }.sorted { $0.time < $1.time }
      timers.removeAll { $0.time <= time }
      return due
    }
    for timer in due { timer.action() }
  }
}
