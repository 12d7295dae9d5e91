public import Dispatch

/// A scheduler that reports all values on a dispatch queue.
public struct AsyncValueObservationScheduler: ValueObservationScheduler {
  private let queue: DispatchQueue

  /// Creates a scheduler. The queue should be serial: another one loses the order of the values.
  public init(queue: DispatchQueue) { self.queue = queue }

  /// Returns false: the first value is reported asynchronously, like the others.
  public func immediateInitialValue() -> Bool { false }

  /// Runs an action on the queue.
  public func schedule(_ action: @escaping @Sendable () -> Void) { queue.async(execute: action) }
}

extension ValueObservationScheduler where Self == AsyncValueObservationScheduler {
  /// A scheduler that reports all values on a dispatch queue, which should be serial.
  public static func async(onQueue queue: DispatchQueue) -> AsyncValueObservationScheduler {
    AsyncValueObservationScheduler(queue: queue)
  }
}
