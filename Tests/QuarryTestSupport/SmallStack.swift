import Foundation

/// Runs a closure on a thread with a stack of some bytes: 512 KB is that of secondary threads of
/// Apple's systems.
public func onThread<T: Sendable>(
  stackSize: Int = 512 * 1024, _ body: @escaping @Sendable () throws -> T
) throws -> T {
  let outcome = Outcome<T>()
  let thread = Thread { outcome.finish(Result(catching: body)) }
  thread.stackSize = stackSize
  thread.start()
  return try outcome.wait()
}

private final class Outcome<T: Sendable>: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private var result: Result<T, any Error>?

  func finish(_ result: Result<T, any Error>) {
    self.result = result
    semaphore.signal()
  }

  func wait() throws -> T {
    semaphore.wait()
    return try result!.get()
  }
}
