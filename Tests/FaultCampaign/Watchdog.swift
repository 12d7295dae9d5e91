import Foundation

/// Stops the process where something takes too long, and says what it was.
enum Watchdog {
  private static let limit = 900.0
  private static let current = Shared<[UUID: (start: Date, what: String)]>([:])
  private static let isStarted: Bool = {
    Thread.detachNewThread {
      while true {
        sleep(1)
        for (start, what) in current.value.values where Date().timeIntervalSince(start) > limit {
          FileHandle.standardError.write(Data("takes over \(limit) seconds: \(what)\n".utf8))
          abort()
        }
      }
    }
    return true
  }()

  /// Runs `body`, which must not take long.
  static func watch<T>(_ what: String, _ body: () throws -> T) rethrows -> T {
    _ = isStarted
    Crash.note(what)
    let id = UUID()
    current.withLock { $0[id] = (Date(), what) }
    defer { current.withLock { _ = $0.removeValue(forKey: id) } }
    return try body()
  }
}
