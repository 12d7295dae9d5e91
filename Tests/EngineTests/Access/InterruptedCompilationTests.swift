import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// An interruption that comes while no statement is stepped, but a cursor is in the middle of its
/// rows: it hits the next statement, or its compilation.
struct InterruptedCompilationTests {
  private static func makeShelf() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE shelf (room); INSERT INTO shelf VALUES ('attic'), ('hall')")
    }
    return queue
  }

  private static func begunCursor(_ db: Database) throws -> RowCursor {
    let cursor = try Row.fetchCursor(db, sql: "SELECT room FROM shelf ORDER BY room")
    #expect(try cursor.next()?["room"] == "attic")
    return cursor
  }

  @Test func `An interrupted compilation ends the interruption`() throws {
    let queue = try Self.makeShelf()
    try queue.inDatabase { db in
      let cursor = try Self.begunCursor(db)
      queue.interrupt()
      #expect(
        errorText { try db.makeStatement(sql: "SELECT 17") }
          == "SQLite error 9: interrupted - while executing `SELECT 17`")
      #expect(try Int.fetchOne(db, sql: "SELECT 17") == 17)
      for _ in 1...2 {
        #expect(databaseError { try cursor.next() }?.resultCode == .SQLITE_INTERRUPT)
      }
    }
  }

  @Test func `An interruption never looks like several statements`() throws {
    let queue = try Self.makeShelf()
    try queue.inDatabase { db in
      let cursor = try Self.begunCursor(db)
      queue.interrupt()
      let error = databaseError { try db.makeStatement(sql: "SELECT 18; -- a comment") }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      withExtendedLifetime(cursor) {}
    }
  }

  @Test func `A write whose compilation is interrupted ends, and gives its lock back`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let other = try DatabaseQueue(path: path)
      try other.write { db in
        try db.execute(
          sql: "CREATE TABLE shelf (room); INSERT INTO shelf VALUES ('attic'), ('hall')")
      }
      // ROLLBACK was not compiled yet.
      let queue = try DatabaseQueue(path: path)
      let kept = Log<RowCursor>()
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO shelf VALUES ('roof')")
          kept.append(try Self.begunCursor(db))
          queue.interrupt()
          try db.execute(sql: "INSERT INTO shelf VALUES ('cellar')")
        }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(!queue.inDatabase(\.isInsideTransaction))
      try other.write { db in try db.execute(sql: "DELETE FROM shelf WHERE room = 'hall'") }
      try queue.write { db throws in
        #expect(try String.fetchAll(db, sql: "SELECT room FROM shelf") == ["attic"])
      }
    }
  }

  @Test func `A transaction that is left after an interruption is rolled back`() throws {
    let queue = try Self.makeShelf()
    let kept = Log<RowCursor>()
    let text = errorText {
      try queue.inDatabase { db in
        try db.beginTransaction()
        try db.execute(sql: "INSERT INTO shelf VALUES ('roof')")
        kept.append(try Self.begunCursor(db))
        queue.interrupt()
      }
    }
    #expect(
      text == """
        SQLite error 21: A transaction has been left opened at the end of a database access
        """)
    try queue.write { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM shelf") == 2)
    }
  }

  @Test func `A compilation in a cancelled task throws that it is cancelled`() async throws {
    let queue = try Self.makeShelf()
    let task = Task {
      try await queue.read { db in
        let cursor = try Self.begunCursor(db)
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try db.makeStatement(sql: "SELECT 19")
        withExtendedLifetime(cursor) {}
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 19") } == 19)
  }

  @Test func `A read whose closure succeeded succeeds, though it was interrupted at its end`()
    throws
  {
    let queue = try Self.makeShelf()
    let kept = Log<RowCursor>()
    let count = try queue.read { db in
      kept.append(try Self.begunCursor(db))
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM shelf")
      queue.interrupt()
      return count
    }
    #expect(count == 2)
    try queue.write { db in try db.execute(sql: "DELETE FROM shelf") }
  }

  @Test func `An interruption closes a stream, which would make it last`() throws {
    let queue = try Self.makeShelf()
    let kept = Log<DatabaseBlob>()
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "UPDATE shelf SET room = x'0102'")
        let blob = try db.openBlob(table: "shelf", column: "room", rowID: 1)
        kept.append(blob)
        queue.interrupt()
        #expect(databaseError { try db.execute(sql: "SELECT 1") }?.resultCode == .SQLITE_INTERRUPT)
        #expect(
          errorText { try blob.read() }
            == "SQLite error 9: interrupted - in column room of table shelf, row 1")
        queue.interrupt()
        try blob.close()
        throw DatabaseError(message: "no more")
      }
    }
    #expect(error?.message == "no more")
    #expect(
      try queue.read { db in try String.fetchAll(db, sql: "SELECT room FROM shelf") }
        == ["attic", "hall"])
  }

  @Test func `A rollback is not stopped by a stream that is open`() throws {
    let queue = try Self.makeShelf()
    let kept = Log<DatabaseBlob>()
    #expect(throws: DatabaseError.self) {
      try queue.write { db in
        try db.execute(sql: "UPDATE shelf SET room = x'0102'")
        kept.append(try db.openBlob(table: "shelf", column: "room", rowID: 1))
        queue.interrupt()
      }
    }
    #expect(!queue.inDatabase(\.isInsideTransaction))
    try queue.write { db in try db.execute(sql: "DELETE FROM shelf") }
  }

  @Test func `Interruptions at random moments leave a connection that reads and writes`() throws {
    let queue = try Self.makeShelf()
    let interrupter = Interrupter(queue)
    interrupter.start()
    var codes: [ResultCode] = []
    for round in 1...3000 {
      do {
        try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT \(round % 5) FROM shelf") }
        try queue.write { db in
          try db.execute(sql: "INSERT INTO shelf VALUES ('room \(round % 7)')")
        }
      } catch let error as DatabaseError {
        codes.append(error.resultCode)
      }
      #expect(!queue.inDatabase(\.isInsideTransaction))
    }
    interrupter.stop()
    #expect(codes.allSatisfy { [.SQLITE_INTERRUPT, .SQLITE_ABORT].contains($0) })
    try queue.write { db in try db.execute(sql: "DELETE FROM shelf") }
  }
}

/// Interrupts a queue again and again.
private final class Interrupter: @unchecked Sendable {
  private let lock = NSLock()
  private var isStopped = false
  private let queue: DatabaseQueue

  init(_ queue: DatabaseQueue) {
    self.queue = queue
  }

  func start() {
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isStopped }) {
        queue.interrupt()
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.00005))
      }
    }
  }

  func stop() {
    lock.withLock { isStopped = true }
  }
}
