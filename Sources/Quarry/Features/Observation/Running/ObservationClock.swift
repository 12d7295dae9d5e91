import Dispatch

/// The time of observations that wait.
package protocol ObservationClock: Sendable {
  /// The time since some moment.
  var now: Duration { get }

  /// Runs an action after some time, on any thread. It must not wait.
  func run(after delay: Duration, _ action: @escaping @Sendable () -> Void)
}

extension ObservationClock where Self == DispatchObservationClock {
  package static var dispatch: DispatchObservationClock { DispatchObservationClock() }
}

/// The time of the machine, without that when it sleeps.
package struct DispatchObservationClock: ObservationClock {
  package var now: Duration { .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds)) }

  package func run(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    Self.queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: action)
  }

  /// A queue of its own: the threads of the global queues may all wait for accesses.
  private static let queue = DispatchQueue(label: "Quarry.observations", qos: .userInitiated)
}
