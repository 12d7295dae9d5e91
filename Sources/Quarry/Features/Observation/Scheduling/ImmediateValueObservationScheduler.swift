/// A scheduler that reports the first value before `start` returns, and the next ones on the main
/// queue.
///
/// The observation must be started on the main thread: otherwise it fails with a ``DatabaseError``
/// of code `SQLITE_MISUSE`.
public struct ImmediateValueObservationScheduler: ValueObservationMainActorScheduler {
  static let message =
    "ValueObservation must be started from the main thread: `.immediate` reports the first value "
    + "there. Elsewhere, `.mainActor` does so later"

  /// Creates a scheduler.
  public init() {}

  /// Returns true.
  ///
  /// - precondition: It is called on the main thread.
  public func immediateInitialValue() -> Bool {
    precondition(MainQueue.isCurrent, Self.message)
    return true
  }

  /// Runs an action on the main queue.
  public func scheduleOnMainActor(_ action: @escaping @MainActor () -> Void) {
    MainQueue.schedule(action)
  }
}

extension ValueObservationScheduler where Self == ImmediateValueObservationScheduler {
  /// A scheduler that reports the first value before `start` returns, and the next ones on the main
  /// queue.
  public static var immediate: ImmediateValueObservationScheduler {
    ImmediateValueObservationScheduler()
  }
}

extension ValueObservationScheduler {
  /// The error of a start where the scheduler must not be used.
  var startError: DatabaseError? {
    guard self is ImmediateValueObservationScheduler, !MainQueue.isCurrent else { return nil }
    return DatabaseError.misuse(ImmediateValueObservationScheduler.message)
  }
}
