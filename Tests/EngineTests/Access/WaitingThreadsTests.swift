import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// The test has a process of its own: tasks of other tests need the threads.
@Suite("The threads of the global queues all wait", .timeLimit(.minutes(10)))
struct WaitingThreadsTests {
  @Test func `accesses that run later begin, fail and pass their deadline all the same`()
    async throws
  {
    try await withTemporaryDirectory { directory async throws in
      _ = await #expect(processExitsWith: .success) { [directory = directory as String] in
        try Self.useLibrary(directory + "/library.sqlite")
      }
    }
  }

  private static func useLibrary(_ path: String) throws {
    let pool = try makePool(path, readerCount(1))
    let release = occupyGlobalQueues()
    defer { release() }

    expectSoon("a read begins, with a new reader") { signal in pool.asyncRead { _ in signal() } }

    let read = SteppedRead { pause in try pool.read { _ throws in pause() } }
    expectSoon("a task passes its deadline") { signal in
      // The threads of these tasks don't wait.
      Task.detached(priority: .utility) {
        let error = await databaseErrorOf {
          try await pool.read(deadline: after(0.05)) { db in try db.noteCount() }
        }
        if error?.accessLimit == .deadline { signal() }
      }
    }
    #expect(read.finish() == nil)

    try pool.close()
    expectSoon("a read of a closed pool fails") { signal in
      pool.asyncRead { result in if case .failure = result { signal() } }
    }
    expectSoon("an observation waits no longer than it wants") { signal in
      DispatchObservationClock().run(after: .milliseconds(1), signal)
    }
  }

  /// Lets hundreds of threads wait, until the returned function is called.
  private static func occupyGlobalQueues() -> () -> Void {
    let end = DispatchSemaphore(value: 0)
    for quality in [DispatchQoS.QoSClass.userInitiated, .default] {
      for _ in 1...200 { DispatchQueue.global(qos: quality).async { end.wait() } }
    }
    return { for _ in 1...400 { end.signal() } }
  }

  private static func expectSoon(
    _ event: Comment, _ body: (_ signal: @escaping @Sendable () -> Void) -> Void
  ) {
    let end = DispatchSemaphore(value: 0)
    body { end.signal() }
    #expect(end.wait(timeout: .now() + 10) == .success, event)
  }
}
