import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Closing a database queue")
struct ClosingTests {
  @Test(arguments: SyncAccess.allCases)
  func `after close, every access throws`(access: SyncAccess) throws {
    let queue = try DatabaseQueue()
    try queue.close()
    let bodies: [(Database) throws -> Void] = [
      { _ in },
      { db in try db.execute(sql: "SELECT 1") },
      { db in _ = try db.makeStatement(sql: "SELECT 1") },
    ]
    for body in bodies {
      let error = databaseError { try access.run(on: queue, body) }
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message == "Connection is closed")
    }
  }

  @Test(arguments: AsyncAccess.allCases)
  func `after close, every asynchronous access throws`(access: AsyncAccess) async throws {
    let queue = try DatabaseQueue()
    try queue.close()
    let text = await errorText { try await access.run(on: queue) { _ in 1 } }
    #expect(text == "SQLite error 21: Connection is closed")
  }

  @Test func `after close, accesses that run later get the error`() throws {
    let queue = try DatabaseQueue()
    try queue.close()
    let log = Log<String?>()
    queue.asyncRead { result in log.append(errorText { try result.get() }) }
    queue.asyncUnsafeRead { result in log.append(errorText { try result.get() }) }
    queue.asyncBarrierWriteWithoutTransaction { result in
      log.append(errorText { try result.get() })
    }
    queue.asyncWrite { _ in
    } completion: { _, result in
      log.append(errorText { try result.get() })
    }
    queue.inDatabase { _ in }
    #expect(
      log.elements == Array(repeating: "SQLite error 21: Connection is closed", count: 4))
  }

  @Test func `a queue can be closed twice`() throws {
    let queue = try DatabaseQueue()
    try queue.close()
    try queue.close()
  }

  @Test func `a closed connection reports what it can, and does not fail`() throws {
    let queue = try DatabaseQueue()
    let db = try queue.inDatabase { db throws -> Database in db }
    try queue.close()
    queue.interrupt()
    queue.releaseMemory()
    #expect(db.sqliteConnection == nil)
    #expect(!db.isInsideTransaction)
    #expect(db.changesCount == 0)
    #expect(db.totalChangesCount == 0)
    #expect(db.lastInsertedRowID == 0)
    #expect(db.description == "Quarry.DatabaseQueue")
  }

  @Test
  func `with a statement in use, close throws, logs the statement, and leaves the queue usable`()
    throws
  {
    let log = Log<String>()
    let formerLog = Database.logError
    Database.logError = { _, message in log.append(message) }
    defer { Database.logError = formerLog }
    let queue = try DatabaseQueue()
    var statement: Statement? = try queue.inDatabase { db in
      try db.makeStatement(sql: "SELECT 'unfinalized' AS closingTests")
    }
    let error = databaseError { try queue.close() }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(
      log.elements.contains("unfinalized statement: SELECT 'unfinalized' AS closingTests"))
    let value = try queue.read { _ in try statement.flatMap { try String.fetchOne($0) } }
    #expect(value == "unfinalized")
    statement = nil
    try queue.close()
  }

  @Test func `cached statements don't keep a queue from closing`() throws {
    let queue = try DatabaseQueue()
    try queue.read { db in
      _ = try db.cachedStatement(sql: "SELECT 1")
      _ = try Int.fetchOne(db, sql: "SELECT 2")
    }
    try queue.close()
  }

  @Test func `a queue can be interrupted while it is being closed`() throws {
    for _ in 1...50 {
      let queue = try DatabaseQueue()
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        if index == 0 { try? queue.close() }
        for _ in 1...100 { queue.interrupt() }
      }
    }
  }

  @Test func `a cursor outlives its access and its queue`() throws {
    var cursor: RowCursor? = try DatabaseQueue().inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: "SELECT 'x' AS a UNION ALL SELECT 'y'")
      #expect(try cursor.next() == ["a": "x"])
      return cursor
    }
    #expect(cursor?.columnNames == ["a"])
    cursor = nil
  }

  @Test func `a queue that is released closes its connection, whatever is still in use`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var statement: Statement?
      do {
        let queue = try DatabaseQueue(path: path)
        statement = try queue.inDatabase { db in
          try db.execute(sql: "CREATE TABLE t (a)")
          return try db.makeStatement(sql: "SELECT a FROM t")
        }
      }
      #expect(statement?.sql == "SELECT a FROM t")
      statement = nil
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "DROP TABLE t") }
    }
  }
}
