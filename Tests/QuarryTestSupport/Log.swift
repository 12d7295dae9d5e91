import Foundation

/// What happened, in order: closures that run on other threads write to it.
public final class Log<Element>: @unchecked Sendable {
  private let lock = NSLock()
  private var storage: [Element] = []

  /// Creates an empty log.
  public init() {}

  /// What happened so far.
  public var elements: [Element] { lock.withLock { storage } }

  /// Adds what happened.
  public func append(_ element: Element) {
    lock.withLock { storage.append(element) }
  }

  /// Forgets what happened so far.
  public func removeAll() {
    lock.withLock { storage.removeAll() }
  }
}
