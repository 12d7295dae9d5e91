import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A full-text table keeps a statement running until the end of the transaction that has written to it: an interruption
/// meanwhile lasts.
struct InterruptedFullTextTests {
  private static func makePages() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE page USING fts5(body);
          INSERT INTO page VALUES ('kept');
          """)
    }
    return queue
  }

  private static func insert(_ db: Database, _ body: String) throws {
    try db.execute(sql: "INSERT INTO page VALUES (?)", arguments: [body])
  }

  private static func expectUsable(_ queue: DatabaseQueue, _ bodies: [String] = ["kept"]) throws {
    #expect(!queue.inDatabase(\.isInsideTransaction))
    #expect(
      try queue.read { db in try String.fetchAll(db, sql: "SELECT body FROM page") } == bodies)
    #expect(
      try queue.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM page WHERE page MATCH 'lost'")
      } == 0)
    try queue.write { db in try insert(db, "later") }
    #expect(
      try queue.read { db in
        try String.fetchAll(db, sql: "SELECT body FROM page WHERE page MATCH 'later'")
      } == ["later"])
  }

  @Test func `A write that is interrupted before its commit is undone`() throws {
    let queue = try Self.makePages()
    let error = databaseError {
      try queue.write { db in
        try Self.insert(db, "lost")
        queue.interrupt()
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    try Self.expectUsable(queue)
  }

  @Test func `A statement after the interruption throws, and the next one is executed`() throws {
    let queue = try Self.makePages()
    try queue.write { db in
      try Self.insert(db, "more")
      queue.interrupt()
      #expect(
        databaseError { try Int.fetchOne(db, sql: "SELECT 1") }?.resultCode == .SQLITE_INTERRUPT)
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
      try Self.insert(db, "again")
    }
    try Self.expectUsable(queue, ["kept", "more", "again"])
  }

  @Test func `An interrupted transaction is rolled back`() throws {
    let queue = try Self.makePages()
    try queue.inTransaction { db in
      try Self.insert(db, "lost")
      queue.interrupt()
      return .rollback
    }
    try Self.expectUsable(queue)
  }

  @Test func `An interrupted savepoint is rolled back, and its transaction is not`() throws {
    let queue = try Self.makePages()
    try queue.write { db in
      try Self.insert(db, "more")
      try db.inSavepoint {
        try Self.insert(db, "lost")
        queue.interrupt()
        return .rollback
      }
    }
    try Self.expectUsable(queue, ["kept", "more"])
  }

  @Test func `A savepoint whose release is interrupted is rolled back`() throws {
    let queue = try Self.makePages()
    try queue.write { db in
      try Self.insert(db, "more")
      let error = databaseError {
        try db.inSavepoint {
          try Self.insert(db, "lost")
          queue.interrupt()
          return .commit
        }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    try Self.expectUsable(queue, ["kept", "more"])
  }

  @Test func `A transaction that is left is rolled back`() throws {
    let queue = try Self.makePages()
    let error = databaseError {
      try queue.inDatabase { db in
        try db.beginTransaction()
        try Self.insert(db, "lost")
        queue.interrupt()
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    try Self.expectUsable(queue)
  }

  @Test func `A cancelled task writes nothing, and the connection goes on`() async throws {
    let queue = try Self.makePages()
    let task = Task {
      try await queue.write { db in
        try Self.insert(db, "lost")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try Self.expectUsable(queue)
  }
}
