import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Many threads, tasks, and connections")
struct CrowdTests {
  private static let closed = "SQLite error 21: Connection is closed"

  private func makeLibrary() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)") }
    return queue
  }

  private static func lend(_ queue: DatabaseQueue) throws {
    try queue.write { db in try db.execute(sql: "INSERT INTO loan DEFAULT VALUES") }
  }

  private static func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan") }
  }

  @Test func `a queue is closed while tasks and threads wait for it`() async throws {
    for _ in 1...10 {
      let queue = try makeLibrary()
      let log = Log<String?>()
      let isBusy = DispatchSemaphore(value: 0)
      queue.asyncWriteWithoutTransaction { _ in
        isBusy.signal()
        Thread.sleep(forTimeInterval: 0.005)
      }
      Self.wait(isBusy)
      let threads = (1...10).map { _ in
        Thread { log.append(errorText { try Self.lend(queue) }) }
      }
      threads.forEach { $0.start() }
      await withTaskGroup { group in
        for index in 1...10 {
          group.addTask {
            log.append(
              await errorText {
                try await queue.write { db in try db.execute(sql: "INSERT INTO loan DEFAULT VALUES")
                }
              })
          }
          if index == 5 { group.addTask { #expect(errorText { try queue.close() } == nil) } }
        }
      }
      for thread in threads { Self.waitForEnd(of: thread) }
      #expect(log.elements.count == 20)
      #expect(Set(log.elements).isSubset(of: [nil, Self.closed]))
      #expect(errorText { try Self.lend(queue) } == Self.closed)
    }
  }

  @Test func `a queue is released while its accesses wait`() throws {
    for _ in 1...20 {
      let log = Log<Int?>()
      let end = DispatchSemaphore(value: 0)
      do {
        let queue = try makeLibrary()
        for _ in 1...5 {
          queue.asyncWriteWithoutTransaction { db in
            log.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan"))
            end.signal()
          }
        }
      }
      for _ in 1...5 { end.wait() }
      #expect(log.elements == [0, 0, 0, 0, 0])
    }
  }

  @Test func `there are many connections at once`() throws {
    let queues = Locked<[DatabaseQueue]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 1...75 {
        guard let queue = try? makeLibrary() else { continue }
        queues.withLock { $0.append(queue) }
      }
    }
    let all = queues.withLock { $0 }
    #expect(all.count == 300)
    for queue in all { try Self.lend(queue) }
    for queue in all { #expect(try Self.count(queue) == 1) }
  }

  @Test func `tasks that block their threads, and tasks that wait, get their turns`() async throws {
    let queue = try makeLibrary()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          if index.isMultiple(of: 2) {
            try Self.lend(queue)
          } else {
            try await queue.write { db in try db.execute(sql: "INSERT INTO loan DEFAULT VALUES") }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Self.count(queue) == 200)
  }

  @Test(.needs(.sharedCache))
  func `queues that share their database in memory are used by several threads`() throws {
    let name = UUID().uuidString
    let queues = try (1...3).map { _ in try DatabaseQueue(named: name) }
    try queues[0].write { db in try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)") }
    let successes = Locked(0)
    let codes = Log<ResultCode>()
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      let queue = queues[index % 3]
      for _ in 1...50 {
        let error = databaseError {
          try Self.lend(queue)
          successes.withLock { $0 += 1 }
        }
        if let error { codes.append(error.resultCode) }
        let read = databaseError { try Self.count(queue) }
        if let read { codes.append(read.resultCode) }
      }
    }
    #expect(codes.elements.allSatisfy { $0 == .SQLITE_LOCKED })
    for queue in queues { #expect(try Self.count(queue) == successes.withLock { $0 }) }
    try queues[0].read { db throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
    }
  }

  private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  private static func waitForEnd(of thread: Thread) {
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.0005) }
  }
}
