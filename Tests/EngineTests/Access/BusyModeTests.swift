import Dispatch
import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Locked databases")
struct BusyModeTests {
  private func configuration(
    _ busyMode: Database.BusyMode, readonly: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = busyMode
    configuration.readonly = readonly
    return configuration
  }

  private func values(_ queue: DatabaseQueue) throws -> [Int] {
    try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  /// Calls `body` with a queue on a file that another connection has locked.
  private func withLockedDatabase(
    _ configuration: Configuration, _ body: (DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let locking = try DatabaseQueue(path: path)
      try locking.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try locking.inTransaction(.exclusive) { _ in
        try body(queue)
        return .commit
      }
      // The lock left no trace.
      #expect(try values(queue) == [])
      guard !configuration.readonly else { return }
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      try locking.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    }
  }

  @Test func `by default, a locked database is an error at once`() throws {
    try withLockedDatabase(Configuration()) { queue in
      for _ in 1...2 {
        #expect(
          errorText { try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") } }
            == """
            SQLite error 5: database is locked
            \(lockedDetails)
            - while executing `BEGIN IMMEDIATE TRANSACTION`
            """)
        #expect(
          errorText { try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } }
            == "SQLite error 5: database is locked\n\(lockedDetails)\n- while executing `SELECT a FROM t`"
        )
      }
    }
  }

  @Test func `a cancelled task waits no longer for a lock`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path, configuration: configuration(.timeout(3600)))
      try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let lock = try Lock(DatabaseQueue(path: path))
      let task = Task {
        try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      }
      try await Task.sleep(for: .milliseconds(100))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      lock.release()
      #expect(try values(queue) == [])
    }
  }

  @Test func `a timeout that is set by SQL in an access with a time limit stays`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = configuration(.immediateError)
      configuration.accessTimeLimit = .seconds(3600)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = 3600000")
      }
      for value in 1...2 {
        let lock = try Lock(DatabaseQueue(path: path))
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 0.1)
          lock.release()
        }
        try queue.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
        }
      }
      #expect(try values(queue) == [1, 2])
    }
  }

  @Test func `a commit that another reader keeps from ending is rolled back`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let writer = try DatabaseQueue(path: path)
      try writer.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      }
      let insert = { try writer.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") } }
      try DatabaseQueue(path: path).inDatabase { db in
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        #expect(try cursor.next() == 1)
        #expect(
          errorText(insert)
            == "SQLite error 5: database is locked\n\(lockedDetails)\n- while executing `COMMIT TRANSACTION`"
        )
        #expect(try cursor.next() == 2)
      }
      try insert()
      #expect(try values(writer) == [1, 2, 3])
    }
  }

  @Test func `the callback is called with the number of tries until it gives up`() throws {
    let tries = Log<Int>()
    let busyMode = Database.BusyMode.callback { count in
      tries.append(count)
      return count < 3
    }
    try withLockedDatabase(configuration(busyMode)) { queue in
      let error = databaseError { try queue.write { _ in } }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(tries.elements == [0, 1, 2, 3])
    }
  }

  @Test func `a read-only queue has the busy mode of its configuration`() throws {
    let tries = Log<Int>()
    let busyMode = Database.BusyMode.callback { count in
      tries.append(count)
      return count < 1
    }
    try withLockedDatabase(configuration(busyMode, readonly: true)) { queue in
      tries.removeAll()
      let error = databaseError {
        try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") }
      }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(tries.elements == [0, 1])
    }
  }

  @Test func `with a timeout, a locked database is an error after that time`() throws {
    try withLockedDatabase(configuration(.timeout(0.15))) { queue in
      let start = Date()
      let error = databaseError { try queue.write { _ in } }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(Date().timeIntervalSince(start) >= 0.14)
    }
  }

  @Test(
    arguments: [
      (0, 0), (-1, 0), (-.infinity, 0), (.nan, 0), (0.0001, 0), (0.25, 250),
      (2_147_483.647, 2_147_483_647), (2_147_484, 2_147_483_647), (1e300, 2_147_483_647),
      (.infinity, 2_147_483_647),
    ] as [(TimeInterval, Int)])
  func `timeouts that SQLite does not know are the nearest that it knows`(
    seconds: TimeInterval, milliseconds: Int
  ) throws {
    let queue = try DatabaseQueue(configuration: configuration(.timeout(seconds)))
    #expect(
      try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA busy_timeout") } == milliseconds)
  }

  @Test func `with a timeout, a write waits for the end of another one`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let first = try DatabaseQueue(path: path)
      try first.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let second = try DatabaseQueue(path: path, configuration: configuration(.timeout(60)))
      let isLocked = DispatchSemaphore(value: 0)
      first.asyncWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        isLocked.signal()
        Thread.sleep(forTimeInterval: 0.1)
      } completion: { _, _ in
      }
      isLocked.wait()
      try second.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      let values = try second.read { db in
        try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
      }
      #expect(values == [1, 2])
    }
  }
}
