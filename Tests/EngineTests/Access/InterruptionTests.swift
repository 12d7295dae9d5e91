import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Interruption")
struct InterruptionTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE t (a)") }
  }

  /// Interrupts the statements that begin while `body` runs.
  private func interrupting<T>(_ db: Database, _ body: () throws -> T) rethrows -> T {
    db.trace { [queue] _ in queue.interrupt() }
    defer { db.trace() }
    return try body()
  }

  @Test func `a statement that runs is interrupted`() throws {
    let error = databaseError {
      try queue.inDatabase { db in
        try interrupting(db) { try Int.fetchOne(db, sql: endlessSQL) }
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(error?.message == "interrupted")
    #expect(error?.sql == endlessSQL)
    #expect(error?.isInterruptionError == true)
  }

  @Test func `an interruption without statement does nothing`() throws {
    queue.interrupt()
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test func `an interrupted write is rolled back, and later statements of the block throw`() throws
  {
    let texts = Log<String?>()
    let text = errorText {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        let insertion = databaseError {
          try interrupting(db) {
            try db.execute(
              sql: "INSERT INTO t SELECT * FROM (\(endlessSQL.replacing("COUNT(*)", with: "i")))")
          }
        }
        #expect(insertion?.resultCode == .SQLITE_INTERRUPT)
        #expect(!db.isInsideTransaction)
        texts.append(errorText { try db.execute(sql: "SELECT 1") })
      }
    }
    #expect(
      texts.elements == [
        "SQLite error 4: Transaction was aborted - while executing `SELECT 1`"
      ])
    #expect(text == "SQLite error 4: Transaction was aborted")
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") } == 0)
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
  }

  @Test func `a cursor of an interrupted statement throws, for ever`() throws {
    try queue.inDatabase { db in
      let cursor = try Int.fetchCursor(
        db, sql: endlessSQL.replacing("COUNT(*)", with: "i"))
      #expect(try cursor.next() == 1)
      queue.interrupt()
      for _ in 1...2 {
        #expect(databaseError { try cursor.next() }?.resultCode == .SQLITE_INTERRUPT)
      }
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test func `a cursor between two rows is interrupted too, and the connection goes on`() throws {
    let numbers = endlessSQL.replacing("COUNT(*)", with: "i")
    try queue.inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: numbers)
      let row = try cursor.next()
      let error = databaseError {
        try interrupting(db) { try Int.fetchOne(db, sql: endlessSQL) }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(error?.message == "interrupted")
      // SQLite would interrupt all statements that begin before the last one has ended.
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
      for _ in 1...2 {
        #expect(
          errorText { try cursor.next() }
            == "SQLite error 9: interrupted - while executing `\(numbers)`")
      }
      #expect(row?[0] == 1)
      try db.execute(sql: "INSERT INTO t VALUES (2)")
    }
  }

  @Test func `the rollback of an interrupted transaction is not stopped by a cursor that is kept`()
    throws
  {
    let kept = Log<FastDatabaseValueCursor<Int>>()
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1), (2)")
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a")
        kept.append(cursor)
        #expect(try cursor.next() == 1)
        try interrupting(db) { _ = try Int.fetchOne(db, sql: endlessSQL) }
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") } == 0)
  }
}
