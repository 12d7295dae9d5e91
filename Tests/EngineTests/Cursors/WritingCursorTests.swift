import QuarryTestSupport
import Testing

@testable import Quarry

/// Cursors over the rows that a writing statement returns, left in their middle.
struct WritingCursorTests {
  private static let insertion = "INSERT INTO loan (book) VALUES ('Maps'), ('Tides') RETURNING book"

  private static func makeLoans() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE member (id INTEGER PRIMARY KEY);
          CREATE TABLE loan (
            id INTEGER PRIMARY KEY, book TEXT,
            memberId INTEGER REFERENCES member(id) DEFERRABLE INITIALLY DEFERRED);
          """)
    }
    return queue
  }

  private static func begunCursor(
    _ db: Database, _ sql: String = insertion
  ) throws -> FastDatabaseValueCursor<String> {
    let cursor = try String.fetchCursor(db, sql: sql)
    #expect(try cursor.next() == "Maps")
    return cursor
  }

  private static func loanCount(_ queue: DatabaseQueue) throws -> Int? {
    try queue.inDatabase { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan") }
  }

  /// The lock has ended when the statement is released.
  @Test(arguments: [false, true])
  func `a statement that was refused is not executed at its end`(isInTransaction: Bool) throws {
    try withTemporaryDirectory { directory in
      var open = Configuration()
      open.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: directory + "/library.sqlite", configuration: open)
      try other.inDatabase { db in
        try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY, days INTEGER NOT NULL)")
        try db.execute(sql: "INSERT INTO loan VALUES (1, 0)")
      }
      open.busyMode = .callback { _ in
        try? other.inDatabase { db in if db.isInsideTransaction { try db.rollback() } }
        return false
      }
      let queue = try DatabaseQueue(path: other.path, configuration: open)
      try queue.inDatabase { db in
        if isInTransaction { try db.beginTransaction(.deferred) }
        try other.inDatabase { db in try db.beginTransaction(.exclusive) }
        let error = databaseError {
          _ = try Row.fetchAll(db, sql: "UPDATE loan SET days = days + 1 RETURNING *")
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(try Int.fetchOne(db, sql: "SELECT days FROM loan") == 0)
        if isInTransaction { try db.commit() }
      }
      let days = try other.inDatabase { db in try Int.fetchOne(db, sql: "SELECT days FROM loan") }
      #expect(days == 0)
    }
  }

  @Test func `a commit ends the statement of a cursor that writes`() throws {
    let queue = try Self.makeLoans()
    try queue.inDatabase { db in
      let cursor = try Self.begunCursor(db)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO loan (book) VALUES ('Ferns')")
        return .commit
      }
      for _ in 1...2 {
        #expect(
          errorText { try cursor.next() } == """
            SQLite error 21: the statement of the cursor was ended by a commit \
            - while executing `\(Self.insertion)`
            """)
      }
    }
    #expect(try Self.loanCount(queue) == 3)
  }

  @Test func `a write, a savepoint and a hand-written commit are not stopped by a cursor`() throws {
    let queue = try Self.makeLoans()
    let kept = Log<FastDatabaseValueCursor<String>>()
    try queue.write { db in kept.append(try Self.begunCursor(db)) }
    try queue.write { db in
      try db.inSavepoint {
        kept.append(try Self.begunCursor(db))
        return .commit
      }
    }
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN")
      kept.append(try Self.begunCursor(db))
      try db.execute(sql: "COMMIT")
    }
    #expect(try Self.loanCount(queue) == 6)
    try queue.inDatabase { db in try db.execute(sql: "DROP TABLE loan") }
  }

  @Test
  func `what waits for the end of the transaction runs in the access, and can use the database`()
    throws
  {
    let queue = try Self.makeLoans()
    let counts = Log<Int?>()
    let cursor = try queue.inDatabase { db in
      db.afterNextTransaction { db in
        counts.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan"))
      }
      return try Self.begunCursor(db)
    }
    #expect(counts.elements == [2])
    withExtendedLifetime(cursor) {}
  }

  private static let orphan =
    "INSERT INTO loan (book, memberId) VALUES ('Maps', 1), ('Tides', 1) RETURNING book"

  @Test func `the error at the end of the statement is thrown by the access`() throws {
    let queue = try Self.makeLoans()
    let kept = Log<FastDatabaseValueCursor<String>>()
    let error = databaseError {
      try queue.inDatabase { db in kept.append(try Self.begunCursor(db, Self.orphan)) }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(error?.sql == Self.orphan)
    #expect(try Self.loanCount(queue) == 0)
  }

  @Test func `the error of the access is the first one`() throws {
    let queue = try Self.makeLoans()
    let kept = Log<FastDatabaseValueCursor<String>>()
    let error = databaseError {
      try queue.inDatabase { db in
        kept.append(try Self.begunCursor(db, Self.orphan))
        throw DatabaseError(message: "first")
      }
    }
    #expect(error?.message == "first")
    #expect(try Self.loanCount(queue) == 0)
  }

  @Test func `the error at the end of the statement is thrown by its next execution`() throws {
    let queue = try Self.makeLoans()
    try queue.inDatabase { db in
      let statement = try db.makeStatement(sql: Self.orphan)
      let cursor = try String.fetchCursor(statement)
      #expect(try cursor.next() == "Maps")
      #expect(
        databaseError { try String.fetchAll(statement) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
    }
    #expect(try Self.loanCount(queue) == 0)
  }

  @Test func `the error at the end of a released cursor is thrown by the access`() throws {
    let queue = try Self.makeLoans()
    let error = databaseError {
      try queue.inDatabase { db throws -> Void in _ = try Self.begunCursor(db, Self.orphan) }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(try Self.loanCount(queue) == 0)
  }
}
