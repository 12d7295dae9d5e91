/// A scheduler that reports all values in its own task, one by one.
public final class TaskValueObservationScheduler: ValueObservationScheduler {
  private let actions: AsyncStream<@Sendable () -> Void>.Continuation

  init(priority: TaskPriority? = nil) {
    let (stream, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
    actions = continuation
    Task(priority: priority) { for await action in stream { action() } }
  }

  deinit { actions.finish() }

  /// Returns false: the first value is reported asynchronously, like the others.
  public func immediateInitialValue() -> Bool { false }

  /// Runs an action in the task.
  public func schedule(_ action: @escaping @Sendable () -> Void) { actions.yield(action) }
}

extension ValueObservationScheduler where Self == TaskValueObservationScheduler {
  /// A scheduler that reports all values in its own task, one by one.
  public static var task: TaskValueObservationScheduler { TaskValueObservationScheduler() }

  /// A scheduler that reports all values in its own task, one by one.
  public static func task(priority: TaskPriority) -> TaskValueObservationScheduler {
    TaskValueObservationScheduler(priority: priority)
  }
}
