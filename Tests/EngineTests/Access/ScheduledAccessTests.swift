import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Accesses that run later")
struct ScheduledAccessTests {
  private struct Failure: Error {}

  private let recorder = SQLRecorder()
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  /// The elements of the log, once the accesses scheduled so far have run.
  private func elements<Element>(_ log: Log<Element>) -> [Element] {
    queue.inDatabase { _ in }
    return log.elements
  }

  private func insert(_ db: Database, _ value: Int) throws {
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
  }

  @Test func `asyncRead gives the connection once, in a transaction that can only read`() {
    let log = Log<String?>()
    queue.asyncRead { result in
      log.append(
        errorText {
          let db = try result.get()
          #expect(db.isInsideTransaction)
          try db.execute(sql: "INSERT INTO t VALUES (1)")
        })
    }
    #expect(
      elements(log) == [
        """
        SQLite error 8: attempt to write a readonly database
        \(readOnlyDetails)
        - while executing \
        `INSERT INTO t VALUES (1)`
        """
      ])
    // SQLite does not see the insertion.
    #expect(recorder.take() == ["BEGIN DEFERRED TRANSACTION", "COMMIT TRANSACTION"])
  }

  @Test func `asyncRead calls its closure once, also when the transaction ends badly`() throws {
    let log = Log<Bool>()
    queue.asyncRead { result in
      log.append((try? result.get()) != nil)
      try? result.get().execute(sql: "ROLLBACK")
    }
    #expect(elements(log) == [true])
    try queue.write { db in try insert(db, 1) }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT a FROM t") } == 1)
  }

  @Test func `asyncUnsafeRead gives the connection without a transaction`() {
    let log = Log<Int?>()
    queue.asyncUnsafeRead { result in
      log.append(try? Int.fetchOne(result.get(), sql: "SELECT 1"))
    }
    #expect(elements(log) == [1])
    #expect(recorder.take() == ["SELECT 1"])
  }

  @Test func `asyncWrite commits, and then calls its completion with the result`() throws {
    let log = Log<Int>()
    queue.asyncWrite { db in
      try insert(db, 1)
      return 42
    } completion: { db, result in
      #expect(!db.isInsideTransaction)
      if let value = try? result.get() { log.append(value) }
    }
    #expect(elements(log) == [42])
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (?)", "COMMIT TRANSACTION",
      ])
  }

  @Test func `asyncWrite rolls back when the closure throws, and then calls its completion`() throws
  {
    let log = Log<String>()
    queue.asyncWrite { db in
      try insert(db, 1)
      throw Failure()
    } completion: { (db, result: Result<Void, any Error>) in
      #expect(!db.isInsideTransaction)
      log.append(errorText { try result.get() } ?? "success")
    }
    #expect(elements(log) == ["Failure()"])
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") } == 0)
  }

  @Test func `writes without transaction run in the order in which they were scheduled`() throws {
    for value in 1...3 {
      queue.asyncWriteWithoutTransaction { db in try? insert(db, value) }
      queue.asyncBarrierWriteWithoutTransaction { result in
        try? insert(result.get(), value * 10)
      }
    }
    let values = try queue.read { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
    }
    #expect(values == [1, 10, 2, 20, 3, 30])
  }

  @Test func `a transaction that a later write leaves open is rolled back`() throws {
    queue.asyncWriteWithoutTransaction { db in
      try? db.beginTransaction()
      try? insert(db, 1)
    }
    #expect(queue.inDatabase { $0.isInsideTransaction } == false)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") } == 0)
  }

  @Test func `a concurrent read of a queue runs at once, on what was committed`() throws {
    let log = Log<Int?>()
    try queue.writeWithoutTransaction { db in
      try insert(db, 1)
      queue.spawnConcurrentRead { result in
        log.append(try? Int.fetchOne(result.get(), sql: "SELECT COUNT(*) FROM t"))
      }
      try insert(db, 2)
      #expect(log.elements == [1])
    }
    #expect(
      recorder.take() == [
        "INSERT INTO t VALUES (?)",
        "BEGIN DEFERRED TRANSACTION", "SELECT COUNT(*) FROM t", "COMMIT TRANSACTION",
        "INSERT INTO t VALUES (?)",
      ])
  }
}
