import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized)
struct PoolCrowdTests {
  /// Two rows of `account`, whose sum never changes.
  private func withAccounts(
    _ count: Int, _ body: (DatabasePool) async throws -> Void
  ) async throws {
    try await withPool(readerCount(count)) { pool async throws in
      try await pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER);
            INSERT INTO account VALUES (1, 1000), (2, 0);
            """)
      }
      try await body(pool)
    }
  }

  @Sendable private static func transfer(_ db: Database) throws {
    try db.execute(sql: "UPDATE account SET balance = balance - 1 WHERE id = 1")
    try db.execute(sql: "UPDATE account SET balance = balance + 1 WHERE id = 2")
  }

  @Sendable private static func sum(_ db: Database) throws -> Int {
    let first = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 1") ?? 0
    let second = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 2") ?? 0
    return first + second
  }

  /// An access of each kind, by number: also nested, blocking, and cancelled ones.
  @Sendable private static func run(_ index: Int, on pool: DatabasePool) async throws {
    switch index % 10 {
    case 0: try await pool.write { db in try transfer(db) }
    case 1: try pool.writeSynchronously { db in try transfer(db) }
    case 2, 3:
      let sum = try await pool.read(sum)
      #expect(sum == 1000)
    case 4:
      let sum = try pool.readSynchronously(sum)
      #expect(sum == 1000)
    case 5:
      // The reader waits for the writer.
      try pool.readSynchronously { db in
        try pool.write { db throws in try transfer(db) }
        #expect(try sum(db) == 1000)
      }
    case 6:
      // The writer waits for a reader.
      try pool.writeSynchronously { db in
        try transfer(db)
        #expect(try pool.read(sum) == 1000)
      }
    case 7:
      try await pool.writeWithoutTransaction { db in
        pool.spawnConcurrentRead { result in
          #expect((try? sum(result.get())) == 1000)
        }
      }
    case 8:
      if index % 100 == 8 {
        try await pool.barrierWriteWithoutTransaction { db in _ = try sum(db) }
      }
    default:
      let task = Task { try await pool.read(sum) }
      task.cancel()
      _ = try? await task.value
    }
  }

  @Test(arguments: [1, 2, 5])
  func `two thousand tasks wait for each other on few threads`(count: Int) async throws {
    try await withAccounts(count) { pool async throws in
      try await withThrowingTaskGroup { group in
        for index in 0..<2000 {
          group.addTask { try await Self.run(index, on: pool) }
        }
        try await group.waitForAll()
      }
      try await pool.barrierWriteWithoutTransaction { db in
        #expect(try Self.sum(db) == 1000)
        let balance = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 2")
        #expect(balance == 800)
      }
    }
  }

  @Test(arguments: [1, 2])
  func `readers that wait for the writer give way to the reader that the writer waits for`(
    count: Int
  ) throws {
    try withPool(readerCount(count)) { pool throws in
      let counts = Log<Int>()
      let end = DispatchSemaphore(value: 0)
      try pool.write { _ throws in
        let isInside = DispatchSemaphore(value: 0)
        for _ in 1...count {
          startThread {
            try? pool.read { _ throws in
              isInside.signal()
              try pool.insertNote()
            }
            end.signal()
          }
        }
        for _ in 1...count { isInside.wait() }
        counts.append(try pool.noteCount())
      }
      for _ in 1...count { end.wait() }
      #expect(counts.elements == [0])
      #expect(try pool.noteCount() == count)
    }
  }

  @Test func `a concurrent read in a write in a read gets a reader of its own`() throws {
    try withPool(readerCount(1)) { pool throws in
      let counts = Log<Int>()
      try pool.read { db throws in
        try pool.writeWithoutTransaction { db throws in
          try db.insertNote()
          pool.spawnConcurrentRead { result in
            counts.append((try? result.get().noteCount()) ?? -1)
          }
        }
        #expect(try db.noteCount() == 0)
      }
      try pool.barrierWriteWithoutTransaction { _ throws in }
      #expect(counts.elements == [1])
    }
  }

  @Test func `readers are invalidated while they are used`() async throws {
    try await withAccounts(2) { pool async throws in
      try await withThrowingTaskGroup { group in
        for index in 0..<300 {
          group.addTask {
            if index % 10 == 0 { pool.invalidateReadOnlyConnections() }
            if index % 10 == 5 { pool.releaseMemoryEventually() }
            let sum = try await pool.read(Self.sum)
            #expect(sum == 1000)
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

extension DatabasePool {
  // In asynchronous functions, Swift prefers the asynchronous methods.

  fileprivate func readSynchronously<T>(_ value: (Database) throws -> T) throws -> T {
    try read(value)
  }

  fileprivate func writeSynchronously<T>(_ updates: (Database) throws -> T) throws -> T {
    try write(updates)
  }
}
