import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("What a connection knows")
struct ConnectionStateTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)")
    }
  }

  @Test func `the rowid of the last inserted row is known`() throws {
    try queue.inDatabase { db in
      #expect(db.lastInsertedRowID == 0)
      try db.execute(sql: "INSERT INTO t (a) VALUES ('x')")
      #expect(db.lastInsertedRowID == 1)
      try db.execute(sql: "INSERT INTO t (id, a) VALUES (-7, 'y')")
      #expect(db.lastInsertedRowID == -7)
      try db.execute(sql: "UPDATE t SET a = 'z'")
      #expect(db.lastInsertedRowID == -7)
    }
  }

  @Test func `changed rows are counted, per statement and in all`() throws {
    try queue.inDatabase { db in
      try db.execute(sql: "INSERT INTO t (a) VALUES ('x'), ('y'), ('z')")
      #expect(db.changesCount == 3)
      #expect(db.totalChangesCount == 3)
      try db.execute(sql: "UPDATE t SET a = 'a' WHERE id > 1")
      #expect(db.changesCount == 2)
      try db.execute(sql: "DELETE FROM t WHERE id = 42")
      #expect(db.changesCount == 0)
      try db.execute(sql: "DELETE FROM t")
      #expect(db.changesCount == 3)
      #expect(db.totalChangesCount == 8)
    }
  }

  @Test func `the last error is known`() throws {
    try queue.inDatabase { db in
      try db.execute(sql: "SELECT 1")
      #expect(db.lastErrorCode.primaryResultCode != .SQLITE_CONSTRAINT)
      let error = databaseError { try db.execute(sql: "INSERT INTO t (a) VALUES (NULL)") }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      #expect(error?.message == "NOT NULL constraint failed: t.a")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT * FROM missing") }
      #expect(db.lastErrorCode == .SQLITE_ERROR)
      #expect(db.lastErrorMessage == "no such table: missing")
    }
  }

  @Test(
    arguments: [
      (
        "INSERT INTO c (a) VALUES (NULL)", .SQLITE_CONSTRAINT_NOTNULL,
        "NOT NULL constraint failed: c.a", nil
      ),
      (
        "INSERT INTO c (a) VALUES (1)", .SQLITE_CONSTRAINT_UNIQUE, "UNIQUE constraint failed: c.a",
        nil
      ),
      (
        "INSERT INTO c (a) VALUES (-1)", .SQLITE_CONSTRAINT_CHECK,
        "CHECK constraint failed: positive", "CHECK (a > 0) of the table c"
      ),
      (
        "INSERT INTO c (id, a) VALUES (1, 2)", .SQLITE_CONSTRAINT_PRIMARYKEY,
        "UNIQUE constraint failed: c.id", nil
      ),
      (
        "INSERT INTO c (a, p) VALUES (3, 9)", .SQLITE_CONSTRAINT_FOREIGNKEY,
        "FOREIGN KEY constraint failed", "foreign key from c(p) to t(id)"
      ),
    ] as [(String, ResultCode, String, String?)])
  func `a violated constraint is an error with the extended code`(
    sql: String, code: ResultCode, message: String, details: String?
  ) throws {
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE c (
            id INTEGER PRIMARY KEY,
            a INTEGER NOT NULL UNIQUE CONSTRAINT positive CHECK (a > 0),
            p INTEGER REFERENCES t(id));
          INSERT INTO c (id, a) VALUES (1, 1);
          """)
      let error = databaseError { try db.execute(sql: sql) }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      #expect(error?.extendedResultCode == code)
      let details = details.map { "\n\($0)\n" } ?? " "
      #expect(
        error?.description == "SQLite error 19: \(message)\(details)- while executing `\(sql)`")
    }
  }

  @Test func `the limits and the version of SQLite are known`() throws {
    #expect(Database.sqliteLibVersionNumber >= 3_035_000)
    let maximum = queue.inDatabase { $0.maximumStatementArgumentCount }
    #expect(maximum >= 999)
    let text = repeatElement("?", count: maximum + 1).joined(separator: ", ")
    let error = databaseError {
      try queue.read { db in try db.makeStatement(sql: "SELECT 1 IN (\(text))") }
    }
    #expect(error?.message == "too many SQL variables")
  }
}
