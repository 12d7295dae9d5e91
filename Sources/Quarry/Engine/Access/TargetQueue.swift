import Foundation

/// The dispatch queue that the queues of connections target.
///
/// A thread that runs an access holds the target. When that is serial, nothing else that targets it
/// can run meanwhile: an access to another of its connections would wait for ever, and Dispatch
/// stops the program. When it is concurrent, all is well. Dispatch does not say which it is: so
/// work is sent to the target, and the access begins when the target has done it.
struct TargetQueue: Sendable {
  static let message = """
    An access can't begin inside an access to another database with the same serial target queue.
    """

  /// How long a concurrent target may take until it works, in seconds.
  private static let patience = 1.0

  private let queue: DispatchQueue
  private let usage: Usage

  /// Nil for the global queues, which are concurrent.
  init?(_ queue: DispatchQueue) {
    guard !queue.label.hasPrefix("com.apple.root.") else { return nil }
    self.queue = queue
    usage = .of(queue)
  }

  /// Runs a part of an access, on a queue that targets this one.
  func use<T>(_ body: () throws -> T) rethrows -> T {
    usage.threads.withLock { $0.append(.current) }
    defer {
      usage.threads.withLock { threads in
        if let index = threads.lastIndex(of: .current) { threads.remove(at: index) }
      }
    }
    return try body()
  }

  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` when the current thread keeps the target
  ///   from working on anything else.
  func checkCanWait() throws {
    guard !isBlocked() else { throw DatabaseError.misuse(Self.message) }
  }

  /// Returns whether the current thread keeps the target from working on anything else.
  func isBlocked() -> Bool { isHeld && !doesWork() }

  /// True in an access to a connection with this target, and in whatever else runs on this target.
  private var isHeld: Bool {
    usage.threads.withLock { $0.contains(.current) }
      || DispatchQueue.getSpecific(key: usage.presence) != nil
  }

  private func doesWork() -> Bool {
    if usage.isConcurrent.withLock({ $0 }) { return true }
    let end = DispatchSemaphore(value: 0)
    // All threads of Dispatch may be busy: this one needs none of them.
    Thread.detachNewThread { [queue] in queue.sync { _ = end.signal() } }
    guard end.wait(timeout: .now() + Self.patience) == .success else { return false }
    usage.isConcurrent.withLock { $0 = true }
    return true
  }
}

/// The use of a target by all connections, kept by the dispatch queue.
private final class Usage: Sendable {
  private static let key = DispatchSpecificKey<Usage>()
  private static let creation = NSLock()

  /// Set on the target, so that all that runs on it can be recognized.
  let presence = DispatchSpecificKey<Bool>()
  /// The threads that run accesses.
  let threads = Locked<[ThreadIdentity]>([])
  let isConcurrent = Locked(false)

  static func of(_ queue: DispatchQueue) -> Usage {
    creation.withLock {
      if let usage = queue.getSpecific(key: key) { return usage }
      let usage = Usage()
      queue.setSpecific(key: key, value: usage)
      queue.setSpecific(key: usage.presence, value: true)
      return usage
    }
  }
}
