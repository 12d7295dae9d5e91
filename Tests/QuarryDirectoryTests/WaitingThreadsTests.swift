import Dispatch
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryDirectory

/// The test has a process of its own: tasks of other tests need the threads.
@Suite("The threads of Swift all wait", .timeLimit(.minutes(10)))
struct WaitingThreadsTests {
  @Test func `a task opens a database that functions on all threads wait for`() async throws {
    try await withTemporaryDirectory { folder async throws in
      _ = await #expect(processExitsWith: .success) { [folder = folder as String] in
        try await onOwnThread { try Self.readOnAllThreads(folder) }
      }
    }
  }

  private static func readOnAllThreads(_ folder: String) throws {
    let directory = try makeDirectory(folder, .limit(1))
    try directory.create("b")
    let lease = try directory.lease("a")
    let end = DispatchSemaphore(value: 0)
    @Sendable func waitForBooks() { if (try? directory.read("b", titles)) != nil { end.signal() } }
    Task.detached { if (try? await directory.read("b", titles)) != nil { end.signal() } }
    #expect(waits(1, in: directory))
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 1...count { Task.detached { waitForBooks() } }
    #expect(waits(1 + count, in: directory))
    lease.release()
    for _ in 0...count { #expect(end.wait(timeout: .now() + 30) == .success) }
  }

  /// Waits until so many accesses wait for the database.
  private static func waits(_ count: Int, in directory: DatabaseDirectory<DatabaseQueue>) -> Bool {
    for _ in 0..<3000 {
      if directory.state.withLock({ $0.waiterCount(of: "b") }) == count { return true }
      usleep(10_000)
    }
    return false
  }
}
