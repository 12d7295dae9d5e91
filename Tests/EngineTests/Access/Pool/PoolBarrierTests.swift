import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PoolBarrierTests {
  /// Starts a barrier on a thread of its own, which logs its beginning, waits, and logs its end.
  private func startBarrier(
    _ pool: DatabasePool, _ log: Log<String>, _ mayEnd: DispatchSemaphore,
    _ end: DispatchSemaphore
  ) {
    pool.asyncBarrierWriteWithoutTransaction { result in
      log.append("barrier begins")
      mayEnd.wait()
      try? result.get().insertNote()
      log.append("barrier ends")
      end.signal()
    }
  }

  @Test func `a barrier waits for reads, lets writes run meanwhile, and blocks new reads`() throws {
    try withPool { pool throws in
      let log = Log<String>()
      let mayEnd = DispatchSemaphore(value: 0)
      let end = DispatchSemaphore(value: 0)
      let read = SteppedRead { pause in
        try pool.read { _ throws in
          pause()
          log.append("read ends")
        }
      }
      startBarrier(pool, log, mayEnd, end)
      pool.asyncRead { result in
        log.append("late read sees \((try? result.get().noteCount()) ?? -1)")
        end.signal()
      }
      try pool.write { db throws in log.append("write") }
      read.finish()
      mayEnd.signal()
      end.wait()
      end.wait()
      #expect(
        log.elements == [
          "write", "read ends", "barrier begins", "barrier ends", "late read sees 1",
        ])
    }
  }

  @Test func `a write that a barrier waits for may read`() throws {
    try withPool(readerCount(1)) { pool throws in
      let log = Log<String>()
      let mayEnd = DispatchSemaphore(value: 0)
      mayEnd.signal()
      let end = DispatchSemaphore(value: 0)
      let write = SteppedRead { pause in
        try pool.writeWithoutTransaction { _ throws in
          pause()
          log.append("\(try pool.noteCount())")
          pool.spawnConcurrentRead { result in
            log.append("\((try? result.get().noteCount()) ?? -1)")
          }
        }
      }
      startBarrier(pool, log, mayEnd, end)
      #expect(write.finish() == nil)
      end.wait()
      #expect(log.elements == ["0", "0", "barrier begins", "barrier ends"])
      #expect(try pool.noteCount() == 1)
    }
  }

  @Test func `a snapshot is neither waited for nor blocked`() throws {
    try withPool { pool throws in
      let snapshot = try pool.makeSnapshot()
      try snapshot.read { db throws in
        try pool.barrierWriteWithoutTransaction { db throws in
          try db.insertNote()
          #expect(try pool.makeSnapshot().noteCount() == 1)
        }
        #expect(try db.noteCount() == 0)
      }
    }
  }

  @Test func `erasing from a task is a barrier`() async throws {
    try await withPool { pool async throws in
      let read = SteppedRead { pause in
        try pool.read { db throws in
          pause()
          #expect(try db.noteCount() == 0)
        }
      }
      let erasure = Task { try await pool.erase() }
      // The erasure waits, so that this reader still sees the table.
      #expect(read.finish() == nil)
      try await erasure.value
      let exists = try await pool.read { db in try db.tableExists("note") }
      #expect(!exists)
    }
  }

  @Test func `a cancelled barrier lets the reads pass that wait for it`() async throws {
    try await withPool(readerCount(2)) { pool async throws in
      let read = SteppedRead { pause in try pool.read { _ throws in pause() } }
      let log = Log<Int>()
      let barrier = Task {
        try await pool.barrierWriteWithoutTransaction { _ in log.append(1) }
      }
      // There is a reader, and the barrier is in front of those who want it.
      while (try? await pool.read(deadline: after(0.01)) { _ in }) != nil {}
      let waiting = Task { try await pool.read { db in try db.noteCount() } }
      try await Task.sleep(for: .milliseconds(50))
      barrier.cancel()
      await #expect(throws: CancellationError.self) { try await barrier.value }
      #expect(try await waiting.value == 0)
      read.finish()
      #expect(log.elements.isEmpty)
      try await pool.barrierWriteWithoutTransaction { _ in log.append(2) }
      #expect(log.elements == [2])
    }
  }

  @Test func `many barriers, reads, and writes at once`() async throws {
    try await withPool(readerCount(2)) { pool async throws in
      try await withThrowingTaskGroup { group in
        for index in 1...300 {
          group.addTask {
            switch index % 3 {
            case 0:
              try await pool.barrierWriteWithoutTransaction { db in
                try db.insertNote()
                try db.insertNote()
              }
            case 1:
              try await pool.write { db in
                try db.insertNote()
                try db.insertNote()
              }
            default:
              let count = try await pool.unsafeRead { db in try db.noteCount() }
              #expect(count % 2 == 0)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await pool.read { db in try db.noteCount() } == 400)
    }
  }
}
