import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Backup")
struct BackupTests {
  private struct Failure: Error {}

  private let source: DatabaseQueue
  private let destination: DatabaseQueue

  init() throws {
    source = try DatabaseQueue()
    destination = try DatabaseQueue()
    try source.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50)
          INSERT INTO t SELECT i, zeroblob(1000) FROM n;
          """)
    }
    try destination.write { db in
      try db.execute(sql: "CREATE TABLE t (old); INSERT INTO t VALUES (1)")
    }
  }

  private func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
  }

  @Test func `the content of the destination is replaced`() throws {
    #expect(
      try destination.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") } == [["old": 1]])
    try source.backup(to: destination)
    #expect(try count(destination) == 50)
    let row = try destination.read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM t LIMIT 1")
    }
    #expect(row.map { Array($0.columnNames) } == ["a", "b"])
    #expect(try destination.read { db in try db.columns(in: "t").map(\.name) } == ["a", "b"])
  }

  @Test func `connections can be copied as well`() throws {
    try source.inDatabase { from in
      try destination.inDatabase { to in try from.backup(to: to) }
    }
    #expect(try count(destination) == 50)
  }

  @Test func `a backup goes to a file and back`() throws {
    try withTemporaryDirectory { directory in
      let file = try DatabaseQueue(path: directory + "/backup.sqlite")
      try source.backup(to: file)
      let copy = try DatabaseQueue()
      try file.backup(to: copy)
      #expect(try count(copy) == 50)
    }
  }

  @Test func `the progress is reported after each step`() throws {
    var steps: [DatabaseBackupProgress] = []
    try source.backup(to: destination, pagesPerStep: 4) { steps.append($0) }
    let total = try #require(steps.first?.totalPageCount)
    #expect(total > 10)
    #expect(steps.allSatisfy { $0.totalPageCount == total })
    #expect(steps.first?.completedPageCount == 4)
    #expect(steps.first?.remainingPageCount == total - 4)
    #expect(steps.last?.remainingPageCount == 0)
    #expect(steps.last?.completedPageCount == total)
    #expect(steps.filter(\.isCompleted).count == 1)
    #expect(steps.last?.isCompleted == true)
    #expect(steps.count == (total + 3) / 4)
  }

  @Test func `by default, there is one step`() throws {
    var steps: [Bool] = []
    try source.backup(to: destination) { steps.append($0.isCompleted) }
    #expect(steps == [true])
  }

  @Test
  func `an error of the progress function stops the backup, and leaves the destination as it was`()
    throws
  {
    var count = 0
    #expect(throws: Failure.self) {
      try source.backup(to: destination, pagesPerStep: 1) { _ in
        count += 1
        if count == 3 { throw Failure() }
      }
    }
    #expect(count == 3)
    #expect(
      try destination.read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") } == [["old": 1]])
    try source.backup(to: destination)
    #expect(try self.count(destination) == 50)
  }

  @Test func `an error of the progress function is ignored once all is copied`() throws {
    try source.backup(to: destination) { progress in
      if progress.isCompleted { throw Failure() }
    }
    #expect(try count(destination) == 50)
  }

  @Test func `the progress function reads the source, and can't use the destination`() throws {
    var errors: [DatabaseError?] = []
    var counts: [Int?] = []
    try destination.inDatabase { to in
      let compiled = try to.makeStatement(sql: "SELECT COUNT(*) FROM t")
      try source.inDatabase { from in
        try from.backup(to: to, pagesPerStep: 1000) { _ in
          errors.append(databaseError { try Int.fetchOne(to, sql: "SELECT 1") })
          errors.append(databaseError { try Int.fetchOne(compiled) })
          errors.append(databaseError { try from.backup(to: to) })
          counts.append(try Int.fetchOne(from, sql: "SELECT COUNT(*) FROM t"))
        }
      }
      counts.append(try Int.fetchOne(compiled))
    }
    #expect(counts == [50, 50])
    #expect(errors.map { $0?.resultCode } == [.SQLITE_MISUSE, .SQLITE_MISUSE, .SQLITE_MISUSE])
    let message = "the destination of a backup can't be used before the backup has ended"
    #expect(errors.map { $0?.message } == [message, message, message])
    #expect(errors.map { $0?.sql } == [nil, "SELECT COUNT(*) FROM t", nil])
  }

  @Test func `the destination can be used after a backup that has failed`() throws {
    try destination.inDatabase { to throws in
      #expect(throws: Failure.self) {
        try source.inDatabase { from in
          try from.backup(to: to, pagesPerStep: 1) { _ in throw Failure() }
        }
      }
      #expect(try Int.fetchOne(to, sql: "SELECT old FROM t") == 1)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `copies in opposite directions don't wait for each other`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (from, to) in [(source, destination), (destination, source)] {
        group.addTask { try await onOwnThread { for _ in 1...200 { try from.backup(to: to) } } }
      }
      try await group.waitForAll()
    }
    #expect(try count(source) == count(destination))
  }

  @Test(.timeLimit(.minutes(10)))
  func `copies in a circle don't wait for each other`() async throws {
    let third = try DatabaseQueue()
    // Any of the three may be the last one that is copied to all.
    try source.backup(to: third)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (from, to) in [(source, destination), (destination, third), (third, source)] {
        group.addTask { try await onOwnThread { for _ in 1...200 { try from.backup(to: to) } } }
      }
      try await group.waitForAll()
    }
    try third.backup(to: source)
    #expect(try count(third) == count(source))
  }

  /// The order of two queues is that of their addresses: each is the source once.
  @Test(.timeLimit(.minutes(10)))
  func `the source of a copy can be used while the copy waits for its destination`() async throws {
    for (from, to) in [(source, destination), (destination, source)] {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await onOwnThread { for _ in 1...100 { try from.backup(to: to) } } }
        group.addTask {
          try await onOwnThread {
            for _ in 1...100 {
              try to.inDatabase { _ in
                try from.read { db in try db.execute(sql: "SELECT COUNT(*) FROM t") }
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a copy into the queue that it is made from is an error`() throws {
    #expect(databaseError { try source.backup(to: source) }?.resultCode == .SQLITE_MISUSE)
    try source.inDatabase { _ throws in
      #expect(databaseError { try source.backup(to: destination) }?.resultCode == .SQLITE_MISUSE)
      #expect(databaseError { try destination.backup(to: source) }?.resultCode == .SQLITE_MISUSE)
    }
    try source.backup(to: destination)
    #expect(try count(destination) == 50)
  }

  @Test func `a backup into a closed queue is an error`() throws {
    try destination.close()
    #expect(
      errorText { try source.backup(to: destination) } == "SQLite error 21: Connection is closed")
  }

  @Test func `a backup into a read-only database is an error`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try source.backup(to: DatabaseQueue(path: path))
      var configuration = Configuration()
      configuration.readonly = true
      let readonly = try DatabaseQueue(path: path, configuration: configuration)
      let error = databaseError { try source.backup(to: readonly) }
      #expect(error?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test func `a backup stops when its task is cancelled, and leaves the destination as it was`()
    async throws
  {
    let source = try DatabaseQueue()
    try await source.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))")
    }
    let destination = try DatabaseQueue()
    try await destination.write { db in try db.execute(sql: "CREATE TABLE former (a)") }
    let steps = Log<Int>()
    let task = Task {
      try await source.read { db in
        try destination.inDatabase { copy in
          try db.backup(to: copy, pagesPerStep: 1) { progress in
            steps.append(progress.completedPageCount)
            if steps.elements.count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
          }
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(steps.elements == [1, 2, 3])
    let exists = try await destination.read { db in try db.tableExists("former") }
    #expect(exists)
  }
}
