import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Who waits for whom, and in which order they go on.
@Suite(.timeLimit(.minutes(10)))
struct PoolWaitingTests {
  @Test func `a concurrent read waits for a reader, and the writer with it`() throws {
    try withPool(readerCount(1)) { pool throws in
      let log = Log<String>()
      let end = DispatchSemaphore(value: 0)
      let read = SteppedRead { pause in
        try pool.read { _ throws in
          pause()
          log.append("read ends")
        }
      }
      let isInWrite = DispatchSemaphore(value: 0)
      pool.asyncWriteWithoutTransaction { db in
        isInWrite.signal()
        pool.spawnConcurrentRead { _ in log.append("concurrent read") }
        log.append("write goes on")
        end.signal()
      }
      isInWrite.wait()
      read.finish()
      end.wait()
      try pool.barrierWriteWithoutTransaction { _ throws in }
      #expect(log.elements.first == "read ends")
      #expect(Set(log.elements) == ["read ends", "concurrent read", "write goes on"])
    }
  }

  @Test func `a reader that is held from now on waits for the writer, too`() throws {
    try withPool(readerCount(2)) { pool throws in
      let readers = pool.readers
      let lent = try (1...2).map { _ in try readers.take(isUrgent: false, isReentrant: false) }
      let hasBegun = DispatchSemaphore(value: 0)
      let turn = AccessTurn { _ in hasBegun.signal() }
      _ = try readers.scheduleWaiting(turn, isUrgent: true)
      readers.holderWaitsForWriter(1)
      #expect(!turn.isOver)
      #expect(readers.beginHold())
      #expect(hasBegun.wait(timeout: .now() + 60) == .success)
      readers.holderWaitsForWriter(-1)
      readers.endHold()
      lent.forEach(readers.giveBack)
      #expect(try pool.noteCount() == 0)
    }
  }

  @Test func `a release of the memory waits for the reads that run`() throws {
    try withPool { pool throws in
      let log = Log<String>()
      let end = DispatchSemaphore(value: 0)
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pause()
          #expect(try db.noteCount() == 0)
          log.append("read ends")
        }
      }
      startThread {
        pool.releaseMemory()
        log.append("memory is released")
        end.signal()
      }
      #expect(read.finish() == nil)
      end.wait()
      #expect(log.elements == ["read ends", "memory is released"])
      #expect(try pool.read { db in db.description } == "Quarry.DatabasePool.reader.2")
    }
  }

  @Test func `reads that wait are served in the order in which they were asked for`() throws {
    try withPool(readerCount(1)) { pool throws in
      let log = Log<Int>()
      let end = DispatchSemaphore(value: 0)
      let read = SteppedRead { pause in try pool.read { _ throws in pause() } }
      for number in 1...20 {
        let note = { @Sendable (_: Result<Database, any Error>) in
          log.append(number)
          _ = end.signal()
        }
        if number.isMultiple(of: 2) { pool.asyncRead(note) } else { pool.asyncUnsafeRead(note) }
      }
      read.finish()
      for _ in 1...20 { end.wait() }
      #expect(log.elements == Array(1...20))
    }
  }

  @Test func `a reader that is cancelled, interrupted, or fails while others wait serves them`()
    async throws
  {
    try await withPool(readerCount(1)) { pool async throws in
      let tasks = (0..<60).map { index in
        Task {
          try await pool.read { db in
            switch index % 4 {
            case 0: withUnsafeCurrentTask { task in task?.cancel() }
            case 1: db.trace { _ in pool.interrupt() }
            case 2: throw CocoaError(.featureUnsupported)
            default: break
            }
            defer { db.trace() }
            return try db.noteCount()
          }
        }
      }
      for (index, task) in tasks.enumerated() where index % 4 == 3 {
        // The interruption of another read may have met this one.
        if case .success(let count) = await task.result { #expect(count == 0) }
      }
      for task in tasks { _ = await task.result }
      #expect(try await pool.read { db in try db.noteCount() } == 0)
      let label = try await pool.read { db in db.description }
      #expect(label == "Quarry.DatabasePool.reader.1")
    }
  }

  @Test(arguments: AsyncAccess.allCases.filter { $0 != .read && $0 != .write })
  func `a task that leaves a transaction open gets an error, and the transaction is rolled back`(
    access: AsyncAccess
  ) async throws {
    try await withPool(readerCount(1)) { pool async throws in
      let text = await errorText {
        try await access.run(on: pool) { db in
          try db.beginTransaction()
          if !access.isRead { try db.insertNote() }
        }
      }
      #expect(
        text == """
          SQLite error 21: A transaction has been left opened at the end of a database access
          """)
      let isInside = try await access.run(on: pool) { db in db.isInsideTransaction }
      #expect(!isInside)
      #expect(try await pool.read { db in try db.noteCount() } == 0)
    }
  }
}
