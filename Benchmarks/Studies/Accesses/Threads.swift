import Foundation

/// Runs `body` in so many threads at once, and waits for all of them.
func inThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) throws -> Void) throws {
  let threads = Background(threads: count, repeats: false) { _, thread in try body(thread) }
  try threads.wait()
}

/// Threads that do the same again and again.
final class Background: @unchecked Sendable {
  private let lock = NSLock()
  private let end = DispatchSemaphore(value: 0)
  private let count: Int
  private var isStopped = false
  private var failure: (any Error)?

  init(
    threads: Int, repeats: Bool = true,
    _ body: @escaping @Sendable (_ turn: Int, _ thread: Int) throws -> Void
  ) {
    count = threads
    for thread in 0..<threads {
      Thread.detachNewThread { [self] in
        do {
          var turn = 0
          repeat {
            try body(turn, thread)
            turn += 1
          } while repeats && !lock.withLock { isStopped }
        } catch {
          lock.withLock { failure = error }
        }
        end.signal()
      }
    }
  }

  func stop() throws {
    lock.withLock { isStopped = true }
    try wait()
  }

  func wait() throws {
    for _ in 0..<count { end.wait() }
    if let failure = lock.withLock({ failure }) { throw failure }
  }
}
