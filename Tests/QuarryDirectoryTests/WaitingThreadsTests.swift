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

  #if os(Linux)
    @Test func `the times of many tasks that wait need no threads of their own`() async throws {
      try await withTemporaryDirectory { folder async throws in
        _ = await #expect(processExitsWith: .success) { [folder = folder as String] in
          try await Self.waitInManyTasks(folder)
        }
      }
    }

    private static func waitInManyTasks(_ folder: String) async throws {
      var options = DirectoryOptions.limit(1)
      options.waitDuration = .milliseconds(600)
      let directory = try makeDirectory(folder, options)
      try await directory.create("b")
      let lease = try await directory.lease("a")
      let tasks = (1...200).map { _ in Task { try await directory.read("b", titles) } }
      try await Task.sleep(for: .milliseconds(200))
      // All times end while this thread has the lock that they need.
      let (before, after) = try await onOwnThread {
        try directory.state.withLock { _ in
          let before = try threadCount()
          usleep(1_000_000)
          return (before, try threadCount())
        }
      }
      #expect(after < before + 20)
      for task in tasks {
        let error = await #expect(throws: DirectoryError.self) { try await task.value }
        #expect(error?.code == .limitReached)
      }
      lease.release()
    }

    private static func threadCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
  #endif

  /// Waits until so many accesses wait for the database.
  private static func waits(_ count: Int, in directory: DatabaseDirectory<DatabaseQueue>) -> Bool {
    for _ in 0..<3000 {
      if directory.state.withLock({ $0.waiterCount(of: "b") }) == count { return true }
      usleep(10_000)
    }
    return false
  }
}
