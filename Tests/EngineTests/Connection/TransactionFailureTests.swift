import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Failures inside transactions", .onQueueAndPool)
struct TransactionFailureTests {
  private struct Failure: Error {}

  private let queue: AnyDatabaseWriter

  init() throws {
    queue = try makeEmptyDatabase()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    }
  }

  private func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  private func values() throws -> [Int] { try queue.read(values) }

  private func fill() throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE big (a)")
      _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = 20")
    }
  }

  @Test func `a full database is an error, after a rollback`() throws {
    try fill()
    let text = errorText {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
        try db.execute(sql: "INSERT INTO big VALUES (zeroblob(1000000))")
      }
    }
    #expect(
      text == """
        SQLite error 13: database or disk is full - while executing \
        `INSERT INTO big VALUES (zeroblob(1000000))`
        """)
    #expect(try values() == [])
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2, 'x')") }
    #expect(try values() == [2])
  }

  @Test func `where SQLite only undoes the statement, the transaction of a full database goes on`()
    throws
  {
    try fill()
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      let error = databaseError {
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t VALUES (2, 'y')")
          try db.execute(
            sql: "INSERT OR IGNORE INTO t SELECT 3, zeroblob(1000000) UNION VALUES (4, 5)")
          return .commit
        }
      }
      #expect(error?.resultCode == .SQLITE_FULL)
      if db.isInsideTransaction {
        #expect(try values(db) == [1])
      } else {
        #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT 1") }
        throw Failure()
      }
    }
    #expect(try values() == [1])
  }

  @Test func `where SQLite undoes the transaction of a full database, the block fails`() throws {
    try fill()
    let text = errorText {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
        try? db.inSavepoint {
          try db.execute(sql: "INSERT INTO big VALUES (zeroblob(1000000))")
          return .commit
        }
        #expect(!db.isInsideTransaction)
        try db.execute(sql: "INSERT INTO t VALUES (2, 'y')")
      }
    }
    #expect(
      text == """
        SQLite error 4: Transaction was aborted - while executing \
        `INSERT INTO t VALUES (2, 'y')`
        """)
    #expect(try values() == [])
  }

  @Test func `a trigger that rolls back ends the transaction of the block`() throws {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER no BEFORE INSERT ON t WHEN new.a = 7
          BEGIN SELECT RAISE(ROLLBACK, 'not seven'); END
          """)
    }
    let uncaught = databaseError {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t (a) VALUES (7)")
          return .commit
        }
      }
    }
    #expect(uncaught?.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER)
    #expect(uncaught?.message == "not seven")
    let caught = errorText {
      try queue.write { db in
        try? db.inSavepoint {
          try db.execute(sql: "INSERT INTO t (a) VALUES (7)")
          return .commit
        }
        #expect(!db.isInsideTransaction)
        try db.execute(sql: "INSERT INTO t (a) VALUES (2)")
      }
    }
    #expect(
      caught == """
        SQLite error 4: Transaction was aborted - while executing \
        `INSERT INTO t (a) VALUES (2)`
        """)
    #expect(try values() == [])
  }

  @Test(arguments: [
    ("ABORT", [1]), ("FAIL", [1, 2]), ("IGNORE", [1, 2, 3]), ("REPLACE", [1, 2, 3]),
  ])
  func `the conflict resolution of a statement reports what it leaves in the transaction`(
    resolution: String, expected: [Int]
  ) throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
      let error = databaseError {
        try db.execute(sql: "INSERT OR \(resolution) INTO t (a) VALUES (2), (1), (3)")
      }
      #expect((error == nil) == (expected.count == 3))
    }
    #expect(try values() == expected)
  }

  @Test func `a savepoint undoes what a failing statement has left in it`() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
      let error = databaseError {
        try db.inSavepoint {
          try db.execute(sql: "INSERT OR FAIL INTO t (a) VALUES (2), (1), (3)")
          return .commit
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(try values(db) == [1])
    }
  }

  @Test func `a savepoint is kept when the error of its statement is caught in its block`() throws {
    try queue.write { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
        }
        try db.execute(sql: "INSERT INTO t (a) VALUES (2)")
        return .commit
      }
    }
    #expect(try values() == [1, 2])
  }

  @Test func `a commit in the middle of a block keeps what came before, and the block fails`()
    throws
  {
    let error = errorText {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
        try db.execute(sql: "COMMIT")
        try db.execute(sql: "INSERT INTO t (a) VALUES (2)")
      }
    }
    #expect(
      error == """
        SQLite error 4: Transaction was aborted - while executing \
        `INSERT INTO t (a) VALUES (2)`
        """)
    #expect(try values() == [1])
  }

  @Test func `a savepoint of plain SQL that holds the transaction ends with it`() throws {
    try queue.writeWithoutTransaction { db throws in
      try db.execute(sql: "SAVEPOINT mine; INSERT INTO t (a) VALUES (1)")
      try db.rollback()
      #expect(!db.isInsideTransaction)
      #expect(
        errorText { try db.execute(sql: "RELEASE mine") }
          == "SQLite error 1: no such savepoint: mine - while executing `RELEASE mine`")
      #expect(try values(db) == [])
    }
  }

  @Test func `a rollback is reported to the rows that are being fetched`() throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO t (a) VALUES (1), (2), (3)")
      try db.beginTransaction()
      let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a")
      #expect(try cursor.next() == 1)
      try db.execute(sql: "CREATE TABLE other (a)")
      try db.rollback()
      let error = databaseError { try cursor.next() }
      #expect(error == nil || error?.extendedResultCode == .SQLITE_ABORT_ROLLBACK)
      #expect(try values(db) == [1, 2, 3])
      #expect(try !db.tableExists("other"))
    }
  }

  @Test func `the first error is thrown when the rollback fails, too`() throws {
    #expect(throws: Failure.self) {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.execute(sql: "ROLLBACK")
          throw Failure()
        }
      }
    }
    #expect(throws: Failure.self) {
      try queue.write { db in
        try db.inSavepoint {
          try db.execute(sql: "RELEASE grdb")
          throw Failure()
        }
      }
    }
    try queue.write { db in try db.execute(sql: "INSERT INTO t (a) VALUES (1)") }
    #expect(try values() == [1])
  }

  @Test func `a deferred constraint is checked by the outermost block only`() throws {
    try queue.writeWithoutTransaction { db throws in
      try db.execute(
        sql: "CREATE TABLE c (p INTEGER REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED)")
      try db.inTransaction { () throws in
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO c VALUES (1)")
          return .commit
        }
        try db.execute(sql: "INSERT INTO t (a) VALUES (1)")
        return .commit
      }
      let error = databaseError {
        try db.inSavepoint {
          try db.inSavepoint {
            try db.execute(sql: "INSERT INTO c VALUES (2)")
            return .commit
          }
          return .commit
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(!db.isInsideTransaction)
      #expect(try Int.fetchAll(db, sql: "SELECT p FROM c") == [1])
    }
  }
}

@Suite("Transactions of several connections")
struct ConcurrentTransactionTests {
  /// Two queues on one file, which has a table.
  private func withQueues(
    _ mode: Configuration.JournalModeConfiguration,
    _ body: (DatabaseQueue, DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.journalMode = mode
      let path = directory + "/library.sqlite"
      let first = try DatabaseQueue(path: path, configuration: configuration)
      try first.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      try body(first, DatabaseQueue(path: path, configuration: configuration))
    }
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `a write that finds the database locked throws, and succeeds later`(
    mode: Configuration.JournalModeConfiguration
  ) throws {
    try withQueues(mode) { first, second in
      try first.write { _ in
        for kind in [Database.TransactionKind.immediate, .exclusive] {
          let error = errorText { try second.inTransaction(kind) { _ in .commit } }
          #expect(
            error == """
              SQLite error 5: database is locked
              \(lockedDetails)
              - while executing \
              `BEGIN \(kind.rawValue) TRANSACTION`
              """)
        }
        let error = databaseError {
          try second.inTransaction(.deferred) { db in
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return .commit
          }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.sql == "INSERT INTO t VALUES (1)")
        #expect(second.inDatabase { $0.isInsideTransaction } == false)
      }
      try second.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(try first.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [2])
    }
  }

  @Test func `a transaction that has read can't write after another one has written`() throws {
    try withQueues(.wal) { first, second in
      let error = databaseError {
        try second.inTransaction(.deferred) { db in
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
          try first.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          return .commit
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_BUSY_SNAPSHOT)
      #expect(DatabaseError.SQLITE_BUSY ~= (error ?? DatabaseError()))
      try second.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
      #expect(try first.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [1, 3])
    }
  }
}
