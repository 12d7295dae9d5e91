import CSQLite
import Foundation
import QuarryBlobs
import QuarryTestSupport
import Testing

@testable import Quarry

/// SQLite keeps a connection as long as it has a statement. What the statement does at its end
/// concerns nobody any more.
@Suite("Statements that outlive their connection")
struct ReleasedConnectionTests {
  /// A queue on which the function has begun a cursor.
  private func begin<T>(
    _ configuration: Configuration = Configuration(), path: String = ":memory:",
    _ body: (Database) throws -> T
  ) throws -> (DatabaseQueue, T) {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    return (
      queue,
      try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS loan (id INTEGER PRIMARY KEY, days)")
        return try body(db)
      }
    )
  }

  /// A cursor on its first row.
  private func cursor(_ db: Database, _ sql: String) throws -> RowCursor {
    let cursor = try Row.fetchCursor(db, sql: sql)
    _ = try cursor.next()
    return cursor
  }

  /// Statements of ours end with their access: this one is the application's.
  @Test func `the end of a statement is not traced`() throws {
    let events = Log<String>()
    var queue: DatabaseQueue?
    let statement: OpaquePointer?
    (queue, statement) = try begin { db in
      db.trace(options: [.profile, .statement]) { events.append("\($0)") }
      var statement: OpaquePointer?
      sqlite3_prepare_v2(db.sqliteConnection, "SELECT 1 UNION ALL SELECT 2", -1, &statement, nil)
      #expect(sqlite3_step(statement) == SQLITE_ROW)
      return statement
    }
    #expect(events.elements == ["SELECT 1 UNION ALL SELECT 2"])
    #expect(queue != nil)
    queue = nil
    #expect(sqlite3_finalize(statement) == SQLITE_OK)
    #expect(events.elements == ["SELECT 1 UNION ALL SELECT 2"])
  }

  @Test func `the end of a transaction is not notified`() throws {
    let ends = Log<String>()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    var queue: DatabaseQueue?
    var cursor: RowCursor?
    (queue, cursor) = try begin(configuration) { db in
      db.afterNextTransaction { _ in
        ends.append("commit")
      } onRollback: { _ in
        ends.append("rollback")
      }
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO loan VALUES (1, 14)")
      return try self.cursor(db, "SELECT * FROM loan UNION ALL SELECT * FROM loan")
    }
    #expect(queue != nil)
    queue = nil
    #expect(cursor?.columnCount == 2)
    cursor = nil
    #expect(ends.elements == [])
  }

  @Test func `a commit that meets a lock does not ask the busy callback`() throws {
    try withTemporaryDirectory { directory in
      let tries = Log<Int>()
      var configuration = Configuration()
      configuration.busyMode = .callback { count in
        tries.append(count)
        return false
      }
      let path = directory + "/library.sqlite"
      var queue: DatabaseQueue?
      var cursor: RowCursor?
      (queue, cursor) = try begin(configuration, path: path) { db in
        try self.cursor(db, "INSERT INTO loan VALUES (1, 14), (2, 21) RETURNING id")
      }
      let reader = try DatabaseQueue(path: path)
      try reader.inDatabase { db throws -> Void in
        let rows = try Row.fetchCursor(db, sql: "SELECT 1 FROM sqlite_master UNION ALL SELECT 2")
        _ = try rows.next()
        #expect(queue != nil)
        queue = nil
        #expect(cursor?.columnCount == 1)
        cursor = nil
        #expect(tries.elements == [])
        withExtendedLifetime(rows) {}
      }
    }
  }

  @Test func `functions go with the last statement`() throws {
    let log = Log<String>()
    var queue: DatabaseQueue?
    var cursor: RowCursor?
    (queue, cursor) = try begin { db in
      db.add(function: Self.function(log))
      return try self.cursor(db, "SELECT f() UNION ALL SELECT f()")
    }
    #expect(queue != nil)
    queue = nil
    #expect(log.elements == [])
    #expect(cursor?.columnCount == 1)
    cursor = nil
    #expect(log.elements == ["closed"])
  }

  /// A thread that cleans up after a connection for a while.
  private func startCleaning(_ owner: ConnectionOwner, _ log: Log<String>) {
    let isCleaning = DispatchSemaphore(value: 0)
    let cleaner = Thread {
      owner.perform {
        isCleaning.signal()
        Thread.sleep(forTimeInterval: 0.05)
        log.append("cleaned up")
      } orLater: {
        {}
      }
    }
    cleaner.start()
    isCleaning.wait()
  }

  @Test func `the release of a connection waits for the thread that cleans up after it`() throws {
    let log = Log<String>()
    var queue: DatabaseQueue? = try DatabaseQueue()
    let owner = try #require(queue).inDatabase { db in
      db.add(function: Self.function(log))
      return db.owner
    }
    startCleaning(owner, log)
    #expect(queue != nil)
    queue = nil
    #expect(log.elements == ["cleaned up", "closed"])
    #expect(owner.isConnectionGone)
  }

  @Test func `a blob that is kept does not keep its connection`() throws {
    let log = Log<String>()
    var queue: DatabaseQueue?
    var blob: DatabaseBlob?
    (queue, blob) = try begin { db in
      db.add(function: Self.function(log))
      try db.execute(sql: "INSERT INTO loan VALUES (1, x'14')")
      return try db.openBlob(table: "loan", column: "days", rowID: 1)
    }
    #expect(queue != nil)
    queue = nil
    #expect(log.elements == ["closed"])
    #expect(databaseError { try blob?.read() }?.message == "Connection is closed")
    try blob?.close()
    blob = nil
  }

  /// A function that logs the end of its registration.
  private static func function(_ log: Log<String>) -> DatabaseFunction {
    let end = End { log.append("closed") }
    return DatabaseFunction("f", argumentCount: 0) { _ in end.value }
  }
}

/// Calls a function at its end.
private final class End: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  var value: Int { 1 }
}
