import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// SQLite ends no stream that only reads: after a rollback, it went on with another row, or with
/// other bytes.
@Suite("Streams that read, and rollbacks")
struct RolledBackReadTests {
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB);
          INSERT INTO file VALUES (1, x'0102'), (2, x'0304')
          """)
      try body(db)
    }
  }

  private static let changes = [
    "INSERT INTO file VALUES (3, x'0506')", "UPDATE file SET content = zeroblob(10)",
    "UPDATE file SET content = x'0807'", "REPLACE INTO file VALUES (3, x'')",
  ]

  private func checkIsOver(_ blob: DatabaseBlob, _ db: Database) throws {
    let error = databaseError { _ = try blob.read(at: 0, count: 0) }
    #expect(error?.resultCode == .SQLITE_ABORT)
    #expect(error?.message?.hasPrefix("a rollback has ended the stream") == true)
    #expect(databaseError { _ = try blob.chunks(size: 1).next() }?.resultCode != .SQLITE_OK)
    try blob.reopen(rowID: 2)
    #expect(try blob.read() == Data([3, 4]))
    try blob.close()
  }

  @Test(arguments: changes)
  func `a stream of an uncommitted row is over after a rollback`(change: String) throws {
    try inDatabase { db throws in
      try db.execute(sql: "BEGIN; \(change)")
      let id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM file") ?? 0
      let blob = try openContent(db, id)
      try db.execute(sql: "ROLLBACK")
      if id == 3 { #expect(databaseError { try blob.reopen(rowID: 3) } != nil) }
      try checkIsOver(blob, db)
    }
  }

  @Test(arguments: changes, [false, true])
  func `a stream of an uncommitted row is over after the rollback of a savepoint`(
    change: String, isOuter: Bool
  ) throws {
    try inDatabase { db throws in
      try db.execute(sql: "SAVEPOINT a; \(isOuter ? "SAVEPOINT b;" : "") \(change)")
      let id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM file") ?? 0
      let blob = try openContent(db, id)
      // What was inside of a savepoint that is released can be undone with the one around it.
      if isOuter { try db.execute(sql: "RELEASE b") }
      try db.execute(sql: "ROLLBACK TO a")
      try checkIsOver(blob, db)
      try db.execute(sql: "RELEASE a")
    }
  }

  @Test func `a stream is over after a rollback by SQLite, also one that was moved`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "BEGIN; INSERT INTO file VALUES (3, x'0506')")
      let blob = try openContent(db, 3)
      #expect(
        databaseError { try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (1, x'')") } != nil
      )
      try checkIsOver(blob, db)
      try db.execute(sql: "BEGIN; INSERT INTO file VALUES (3, x'0506')")
      let moved = try openContent(db, 1)
      try moved.reopen(rowID: 3)
      try db.rollback()
      try checkIsOver(moved, db)
    }
  }

  /// What other statements write beside a stream that writes is committed with it.
  @Test func `a stream is over after a rollback outside of transactions`() throws {
    try inDatabase { db throws in
      let writing = try openContent(db, 1, .readWrite)
      try db.execute(sql: "INSERT INTO file VALUES (3, x'0506')")
      let blob = try openContent(db, 3)
      #expect(
        databaseError { try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (1, x'')") } != nil
      )
      try checkIsOver(blob, db)
      try writing.close()
    }
  }

  @Test func `a stream of a committed row lives on after rollbacks`() throws {
    try inDatabase { db throws in
      let before = try openContent(db, 1)
      try db.execute(sql: "BEGIN")
      let inside = try openContent(db, 2)
      try db.execute(sql: "INSERT INTO file VALUES (3, x'0506'); ROLLBACK")
      #expect(try before.read() == Data([1, 2]))
      #expect(try inside.read() == Data([3, 4]))
      // Committed since it was opened.
      try db.execute(sql: "BEGIN; INSERT INTO file VALUES (3, x'0506')")
      let committed = try openContent(db, 3)
      try db.execute(sql: "COMMIT")
      #expect(databaseError { try db.execute(sql: "INSERT INTO file (id) VALUES (1)") } != nil)
      try db.execute(sql: "BEGIN; DELETE FROM file WHERE id = 2; ROLLBACK")
      #expect(try committed.read() == Data([5, 6]))
      #expect(databaseError { try inside.read() }?.resultCode == .SQLITE_ABORT)
      // Beside a stream that writes.
      let writing = try openContent(db, 1, .readWrite)
      let reading = try openContent(db, 3)
      try writing.close()
      #expect(databaseError { try db.execute(sql: "INSERT INTO file (id) VALUES (1)") } != nil)
      #expect(try reading.read() == Data([5, 6]))
    }
  }

  /// SQLite commits where it ends a stream that writes.
  @Test(arguments: ["DELETE FROM file WHERE id = 1", "SELECT 1"])
  func `a stream lives on when the one that writes beside it is over`(change: String) throws {
    try inDatabase { db throws in
      let writing = try openContent(db, 1, .readWrite)
      try db.execute(sql: "INSERT INTO file VALUES (3, x'0506')")
      let blob = try openContent(db, 3)
      try db.execute(sql: change)
      #expect(databaseError { try writing.reopen(rowID: 9) } != nil)
      #expect(databaseError { try openContent(db, 9) } != nil)
      #expect(databaseError { try db.execute(sql: "INSERT INTO file (id) VALUES (2)") } != nil)
      #expect(try blob.read() == Data([5, 6]))
    }
  }

  @Test func `a stream that was opened before a savepoint lives on after its rollback`() throws {
    try inDatabase { db throws in
      try db.inTransaction { () throws in
        try db.execute(sql: "INSERT INTO file VALUES (3, x'0506')")
        let blob = try openContent(db, 3)
        for id in 1...2 {
          try db.inSavepoint {
            try db.execute(sql: "UPDATE file SET content = x'' WHERE id = ?", arguments: [id])
            return .rollback
          }
          #expect(try blob.read() == Data([5, 6]))
        }
        // A statement that fails undoes itself only.
        #expect(databaseError { try db.execute(sql: "INSERT INTO file (id) VALUES (1)") } != nil)
        #expect(try blob.read() == Data([5, 6]))
        return .commit
      }
    }
  }

  @Test func `a stream goes on after the rollback of a savepoint inside of its own`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "SAVEPOINT a; INSERT INTO file VALUES (3, x'0506')")
      let blob = try openContent(db, 3)
      try db.execute(sql: "SAVEPOINT b; INSERT INTO file VALUES (4, x'07'); ROLLBACK TO b")
      #expect(try blob.read() == Data([5, 6]))
      try db.execute(sql: "RELEASE b; ROLLBACK TO a")
      try checkIsOver(blob, db)
      try db.execute(sql: "RELEASE a")
    }
  }
}
