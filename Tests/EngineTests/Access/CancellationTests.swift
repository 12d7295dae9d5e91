import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

@Suite("Cancellation of tasks")
struct CancellationTests {
  private let recorder = SQLRecorder()
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  private static func cancelCurrentTask() {
    withUnsafeCurrentTask { task in task?.cancel() }
  }

  private func values() async throws -> [Int] {
    try await queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  /// The queue reads and writes.
  private func expectUsable() async throws {
    try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (99)") }
    #expect(try await values().last == 99)
    #expect(queue.inDatabase { $0.isInsideTransaction } == false)
  }

  @Test(arguments: AsyncAccess.allCases)
  func `cancelled before the access, the closure does not run`(access: AsyncAccess) async throws {
    let log = Log<Bool>()
    let task = Task {
      Self.cancelCurrentTask()
      try await access.run(on: queue) { _ in log.append(true) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.elements.isEmpty)
    #expect(recorder.take().isEmpty)
    try await expectUsable()
  }

  @Test(arguments: AsyncAccess.allCases)
  func `cancelled while a statement runs, it is interrupted`(access: AsyncAccess) async throws {
    let task = Task {
      try await access.run(on: queue) { db in
        db.trace { _ in Self.cancelCurrentTask() }
        defer { db.trace() }
        _ = try Int.fetchOne(db, sql: endlessSQL)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try await expectUsable()
  }

  /// SQLite forgets an interruption that comes before the first step.
  @Test func `cancelled before the first step of a statement, it is interrupted`() async throws {
    final class Canceling: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        CancellationTests.cancelCurrentTask()
        return false
      }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let observer = Canceling()
    queue.add(transactionObserver: observer)
    let task = Task {
      try await queue.writeWithoutTransaction { db in
        let numbers = endlessSQL.replacing("COUNT(*)", with: "i")
        try db.execute(sql: "INSERT INTO t SELECT * FROM (\(numbers))")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.remove(transactionObserver: observer)
    try await expectUsable()
  }

  @Test(arguments: AsyncAccess.allCases)
  func `a function that uses the database of a cancelled task ends its statement`(
    access: AsyncAccess
  ) async throws {
    let queue = queue
    let function = DatabaseFunction("count_all", argumentCount: 0) { [unowned queue] _ in
      Self.cancelCurrentTask()
      let count = try queue.unsafeReentrantRead { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
      }
      return count
    }
    queue.inDatabase { db in db.add(function: function) }
    let task = Task {
      try await access.run(on: queue) { db in try Int.fetchOne(db, sql: "SELECT count_all()") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try await expectUsable()
  }

  @Test func `a cancelled access leaves the next one alone where a stream is open`() async throws {
    let blob = try queue.inDatabase { db in
      try db.execute(sql: "INSERT INTO t VALUES (x'0102')")
      return try db.openBlob(table: "t", column: "a", rowID: db.lastInsertedRowID)
    }
    let task = Task { try await queue.unsafeRead { _ in Self.cancelCurrentTask() } }
    _ = await task.result
    try queue.inDatabase { db in try db.execute(sql: "DELETE FROM t") }
    try await expectUsable()
    withExtendedLifetime(blob) {}
  }

  @Test func `a cancelled write is rolled back`() async throws {
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        Self.cancelCurrentTask()
        try db.execute(sql: "INSERT INTO t VALUES (2)")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (1)", "ROLLBACK TRANSACTION",
      ])
    #expect(try await values() == [])
    try await expectUsable()
  }

  @Test(arguments: AsyncAccess.allCases)
  func `statements after the cancellation throw`(access: AsyncAccess) async throws {
    let task = Task {
      try await access.run(on: queue) { db in
        Self.cancelCurrentTask()
        return try Int.fetchOne(db, sql: "SELECT 1")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!recorder.take().contains("SELECT 1"))
    try await expectUsable()
  }

  @Test(arguments: [AsyncAccess.read, .unsafeRead])
  func `an access that runs no statement after the cancellation succeeds`(access: AsyncAccess)
    async throws
  {
    let task = Task {
      try await access.run(on: queue) { db in
        let value = try Int.fetchOne(db, sql: "SELECT 1")
        Self.cancelCurrentTask()
        return value
      }
    }
    #expect(try await task.value == 1)
    try await expectUsable()
  }

  @Test func `what was written without transaction before the cancellation is kept`() async throws {
    let task = Task {
      try await queue.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        Self.cancelCurrentTask()
      }
    }
    try await task.value
    #expect(try await values() == [1])
  }

  @Test func `a write whose closure succeeded does not commit after the cancellation`() async throws
  {
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        Self.cancelCurrentTask()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await values() == [])
    try await expectUsable()
  }

  @Test func `a savepoint of a cancelled task is undone`() async throws {
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try db.inSavepoint {
          Self.cancelCurrentTask()
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          return .commit
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await values() == [])
    try await expectUsable()
  }

  @Test func `a waiting access is cancelled without harm to the one that runs`() async throws {
    let mayEnd = DispatchSemaphore(value: 0)
    let log = Log<Int?>()
    queue.asyncWriteWithoutTransaction { db in
      mayEnd.wait()
      log.append(try? Int.fetchOne(db, sql: "SELECT 1"))
    }
    let task = Task { try await queue.read { _ in log.append(2) } }
    task.cancel()
    mayEnd.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    // After the write, which may go on when the read is over.
    try await expectUsable()
    #expect(log.elements == [1])
  }

  @Test func `the cancellation of one task leaves the accesses of others alone`() async throws {
    let cancelled = Task {
      try await queue.read { db in
        db.trace { _ in Self.cancelCurrentTask() }
        defer { db.trace() }
        return try Int.fetchOne(db, sql: endlessSQL)
      }
    }
    let others = (1...10).map { value in
      Task { try await queue.read { db in try Int.fetchOne(db, sql: "SELECT \(value)") } }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    for (index, other) in others.enumerated() {
      #expect(try await other.value == index + 1)
    }
  }
}

@Suite("Task-local values")
struct TaskLocalTests {
  @TaskLocal private static var user = "nobody"

  @Test(arguments: AsyncAccess.allCases)
  func `an asynchronous access sees the values of its task`(access: AsyncAccess) async throws {
    let queue = try DatabaseQueue()
    let user = try await Self.$user.withValue("Alice") {
      try await access.run(on: queue) { _ in Self.user }
    }
    #expect(user == "Alice")
    #expect(try await access.run(on: queue) { _ in Self.user } == "nobody")
  }

  @Test(arguments: SyncAccess.allCases)
  func `a synchronous access sees the values of its task`(access: SyncAccess) throws {
    let queue = try DatabaseQueue()
    let user = try Self.$user.withValue("Alice") {
      try access.run(on: queue) { _ in Self.user }
    }
    #expect(user == "Alice")
  }
}
