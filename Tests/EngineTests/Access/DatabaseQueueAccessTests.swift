import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Accesses to a database queue")
struct DatabaseQueueAccessTests {
  private struct Failure: Error {}

  private let recorder = SQLRecorder()
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  private func values() throws -> [Int] {
    try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  @Test(arguments: SyncAccess.allCases)
  func `an access runs its statements, and returns the result`(access: SyncAccess) throws {
    let result = try access.run(on: queue) { db in
      try Int.fetchOne(db, sql: "SELECT 41 + 1")
    }
    #expect(result == 42)
    let expected = access.statements
    #expect(recorder.take() == expected.before + ["SELECT 41 + 1"] + expected.after)
  }

  @Test func `a concurrent read is at once, and not in a transaction`() throws {
    let results = Log<String>()
    let read = { @Sendable (result: Result<Database, any Error>) in
      do {
        results.append("\(try Int.fetchAll(result.get(), sql: "SELECT a FROM t"))")
      } catch {
        results.append("\(error)")
      }
    }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO t VALUES (7)")
      queue.spawnConcurrentRead(read)
      #expect(results.elements == ["[7]"])
    }
    try queue.write { _ in queue.spawnConcurrentRead(read) }
    let refusal = "SQLite error 21: must not be called from inside a transaction."
    #expect(results.elements == ["[7]", refusal])
  }

  @Test(arguments: SyncAccess.allCases)
  func `an error of the closure is thrown again`(access: SyncAccess) throws {
    #expect(throws: Failure.self) {
      try access.run(on: queue) { _ in throw Failure() }
    }
    #expect(recorder.take() == access.statements.before + access.statements.afterError)
    #expect(try values() == [])
  }

  @Test(arguments: AsyncAccess.allCases)
  func `asynchronous accesses run the same statements`(access: AsyncAccess) async throws {
    let result = try await access.run(on: queue) { db in
      try Int.fetchOne(db, sql: "SELECT 41 + 1")
    }
    #expect(result == 42)
    let expected = access.sync.statements
    #expect(recorder.take() == expected.before + ["SELECT 41 + 1"] + expected.after)
    await #expect(throws: Failure.self) {
      try await access.run(on: queue) { _ in throw Failure() }
    }
    #expect(recorder.take() == expected.before + expected.afterError)
  }

  @Test func `a write commits what it writes, and undoes it when the closure throws`() throws {
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    #expect(try values() == [1])
    #expect(throws: Failure.self) {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        throw Failure()
      }
    }
    #expect(try values() == [1])
  }

  @Test func `without transaction, statements before an error are kept`() throws {
    #expect(throws: Failure.self) {
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(try values() == [1])
  }

  @Test func `a read can't write, and the connection can write afterwards`() throws {
    let text = errorText {
      try queue.read { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(
      text == """
        SQLite error 8: attempt to write a readonly database
        \(readOnlyDetails)
        - while executing \
        `INSERT INTO t VALUES (1)`
        """)
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try values() == [2])
  }

  @Test func `inTransaction commits or rolls back, with the requested kind`() throws {
    try queue.inTransaction { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      return .commit
    }
    try queue.inTransaction(.exclusive) { db in
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      return .rollback
    }
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (1)", "COMMIT TRANSACTION",
        "BEGIN EXCLUSIVE TRANSACTION", "INSERT INTO t VALUES (2)", "ROLLBACK TRANSACTION",
      ])
    #expect(try values() == [1])
  }

  @Test func `a closure that does not throw needs no try`() {
    #expect(queue.inDatabase { $0.isInsideTransaction } == false)
    #expect(queue.writeWithoutTransaction { $0.isInsideTransaction } == false)
  }

  @Test func `accesses run one after the other`() throws {
    let log = Log<String>()
    DispatchQueue.concurrentPerform(iterations: 20) { index in
      queue.inDatabase { _ in
        log.append("begin \(index)")
        log.append("end \(index)")
      }
    }
    let elements = log.elements
    #expect(elements.count == 40)
    for pair in stride(from: 0, to: elements.count, by: 2) {
      #expect(elements[pair].dropFirst(6) == elements[pair + 1].dropFirst(4))
    }
  }

  @Test func `memory can be released at any time`() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      db.releaseMemory()
    }
    queue.releaseMemory()
    #expect(try values() == [1])
  }
}
