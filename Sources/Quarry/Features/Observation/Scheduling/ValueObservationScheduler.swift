/// Where and when an observation reports its values.
///
/// ```swift
/// observation.start(in: dbPool, scheduling: .async(onQueue: queue)) { error in
///   print(error)
/// } onChange: { books in
///   print(books) // on the queue
/// }
/// ```
///
/// A type of your own must keep the order of the actions.
public protocol ValueObservationScheduler: Sendable {
  /// Whether the first value is reported by `start` itself, before it returns. Called once per
  /// start, on the starting thread.
  func immediateInitialValue() -> Bool

  /// Runs an action later, after those that were scheduled before.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

/// A scheduler that reports values on the main actor.
public protocol ValueObservationMainActorScheduler: ValueObservationScheduler {
  /// Runs an action on the main actor later, after those that were scheduled before.
  func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void)
}

extension ValueObservationMainActorScheduler {
  /// Runs an action on the main actor later, after those that were scheduled before.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    scheduleOnMainActor { action() }
  }
}
