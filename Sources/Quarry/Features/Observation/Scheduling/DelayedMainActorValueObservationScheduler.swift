/// A scheduler that reports all values on the main actor, after `start` has returned.
public final class DelayedMainActorValueObservationScheduler: ValueObservationMainActorScheduler {
  init() {}

  /// Returns false: the first value is reported asynchronously, like the others.
  public func immediateInitialValue() -> Bool { false }

  /// Runs an action on the main queue.
  public func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void) {
    MainQueue.schedule(action)
  }
}

extension ValueObservationScheduler where Self == DelayedMainActorValueObservationScheduler {
  /// A scheduler that reports all values on the main actor, after `start` has returned.
  public static var mainActor: DelayedMainActorValueObservationScheduler {
    DelayedMainActorValueObservationScheduler()
  }
}
