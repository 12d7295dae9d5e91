import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Functions called after a transaction", .onQueueAndPool)
struct AfterNextTransactionTests {
  private let log = Log<String>()
  private let queue: AnyDatabaseWriter

  init() throws {
    queue = try makeEmptyDatabase()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
          CREATE TABLE child (t INTEGER REFERENCES t(id) DEFERRABLE INITIALLY DEFERRED)
          """)
    }
  }

  private func watch(_ db: Database, _ name: String = "") {
    db.afterNextTransaction { [log] db in
      log.append("\(name)commit\(db.isInsideTransaction ? " inside" : "")")
    } onRollback: { [log] db in
      log.append("\(name)rollback\(db.isInsideTransaction ? " inside" : "")")
    }
  }

  private func ends(_ body: (Database) throws -> Void) throws -> [String] {
    try queue.writeWithoutTransaction { db in
      log.removeAll()
      try body(db)
      return log.elements
    }
  }

  @Test func `the commit of the current transaction is reported once, after the transaction`()
    throws
  {
    try queue.write { db in
      watch(db)
      try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
      #expect(log.elements == [])
    }
    #expect(log.elements == ["commit"])
    try queue.write { db in try db.execute(sql: "INSERT INTO t DEFAULT VALUES") }
    #expect(log.elements == ["commit"])
  }

  @Test func `the rollback of the current transaction is reported once, after the transaction`()
    throws
  {
    #expect(throws: CancellationError.self) {
      try queue.write { db in
        watch(db)
        try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
        throw CancellationError()
      }
    }
    try queue.write { db in try db.execute(sql: "INSERT INTO t DEFAULT VALUES") }
    #expect(log.elements == ["rollback"])
  }

  @Test(arguments: [
    ("INSERT INTO t DEFAULT VALUES", "commit"), ("CREATE TABLE u (a)", "commit"),
    ("BEGIN; COMMIT", "commit"), ("BEGIN; ROLLBACK", "rollback"),
    ("BEGIN; SELECT * FROM t; END", "commit"), ("BEGIN IMMEDIATE; COMMIT", "commit"),
    ("BEGIN IMMEDIATE; ROLLBACK", "rollback"), ("SAVEPOINT s; RELEASE s", "commit"),
    ("SAVEPOINT s; INSERT INTO t DEFAULT VALUES; RELEASE s", "commit"),
    ("SAVEPOINT s; INSERT INTO t DEFAULT VALUES; ROLLBACK TO s; RELEASE s", "commit"),
    ("SAVEPOINT s; INSERT INTO t DEFAULT VALUES; ROLLBACK", "rollback"),
    ("BEGIN; INSERT INTO t DEFAULT VALUES; SAVEPOINT s; RELEASE s; COMMIT", "commit"),
  ])
  func `outside of a transaction, the next one counts`(sql: String, end: String) throws {
    let ends = try ends { db in
      watch(db)
      #expect(log.elements == [])
      try db.execute(sql: sql)
    }
    #expect(ends == [end])
  }

  @Test func `a statement that only reads, or that fails, is no transaction`() throws {
    let ends = try ends { db throws in
      watch(db)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO t VALUES ('no integer', 1)")
      }
      try db.readOnly {
        try db.inTransaction { .commit }
      }
    }
    #expect(ends == [])
    let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
    #expect(count == 0)
    #expect(log.elements == [])
    try queue.write { _ in }
    #expect(log.elements == ["commit"])
  }

  @Test(arguments: [
    ("BEGIN; INSERT INTO t DEFAULT VALUES", "ROLLBACK", "rollback"),
    ("BEGIN", "ROLLBACK", "rollback"), ("BEGIN", "COMMIT", "commit"),
  ])
  func `a transaction that may write is notified, also when it ends where only reads are possible`(
    beginning: String, ending: String, end: String
  ) throws {
    let ends = try ends { db in
      try db.execute(sql: beginning)
      watch(db)
      try db.readOnly { try db.execute(sql: ending) }
      try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
    }
    #expect(ends == [end])
  }

  @Test func `a savepoint is not the end of a transaction, however it ends`() throws {
    let ends = try ends { db in
      try db.inTransaction {
        try db.inSavepoint {
          watch(db, "1 ")
          return .commit
        }
        try db.inSavepoint {
          watch(db, "2 ")
          try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
          return .rollback
        }
        #expect(log.elements == [])
        return .commit
      }
    }
    #expect(ends == ["1 commit", "2 commit"])
  }

  @Test func `a savepoint outside of a transaction is a transaction`() throws {
    let ends = try ends { db in
      try db.inSavepoint {
        watch(db)
        return .rollback
      }
    }
    #expect(ends == ["rollback"])
  }

  @Test func `a function registered by a function waits for the next transaction`() throws {
    try queue.write { db in
      db.afterNextTransaction { [log] db in
        log.append("first")
        db.afterNextTransaction { db in
          log.append("second")
          db.afterNextTransaction { _ in log.append("third") }
        }
      }
    }
    #expect(log.elements == ["first"])
    try queue.write { _ in }
    #expect(log.elements == ["first", "second"])
    try queue.write { _ in }
    #expect(log.elements == ["first", "second", "third"])
  }

  @Test func `functions use the database, and may write`() throws {
    let rowID = try queue.write { db in
      db.afterNextTransaction { [log] db in
        log.append("\(db.isInsideTransaction)")
        #expect(throws: Never.self) {
          try db.inTransaction {
            try db.execute(sql: "INSERT INTO t VALUES (100, 2)")
            return .commit
          }
        }
      }
      try db.execute(sql: "INSERT INTO t VALUES (7, 1)")
      return db.lastInsertedRowID
    }
    #expect(rowID == 7)
    #expect(log.elements == ["false"])
    let ids = try queue.read { db in try Int.fetchAll(db, sql: "SELECT id FROM t ORDER BY id") }
    #expect(ids == [7, 100])
  }

  @Test func `the identifier of an inserted row is not the one that a function inserts`() throws {
    try queue.writeWithoutTransaction { db in
      db.afterNextTransaction { db in
        #expect(throws: Never.self) { try db.execute(sql: "INSERT INTO t VALUES (100, 2)") }
      }
      try db.execute(sql: "INSERT INTO t VALUES (7, 1)")
      #expect(db.lastInsertedRowID == 7)
    }
  }

  @Test(arguments: [
    "INSERT OR ROLLBACK INTO t VALUES (1, 1), (1, 2)", "ROLLBACK",
    "CREATE TRIGGER g INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'no'); END; INSERT INTO t VALUES (1, 1)",
  ])
  func `a rollback by SQLite itself is reported`(sql: String) throws {
    let error = databaseError {
      try queue.write { db in
        watch(db)
        try? db.execute(sql: sql)
        #expect(log.elements == ["rollback"])
      }
    }
    #expect(error?.message == "Transaction was aborted")
    #expect(log.elements == ["rollback"])
  }

  @Test func `a commit that fails is no end: the rollback that follows is`() throws {
    let error = databaseError {
      try queue.write { db in
        watch(db)
        try db.execute(sql: "INSERT INTO child VALUES (1)")
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(log.elements == ["rollback"])
  }

  @Test func `a commit that fails because the database is locked is no end`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/db.sqlite"
      let writer = try DatabaseQueue(path: path)
      try writer.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      }
      let reader = try DatabaseQueue(path: path)
      try reader.read { db in
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        _ = try cursor.next()
        try writer.inDatabase { db in
          try db.beginTransaction()
          watch(db)
          try db.execute(sql: "INSERT INTO t VALUES (3)")
          let error = databaseError { try db.commit() }
          #expect(error?.resultCode == .SQLITE_BUSY)
          #expect(log.elements == [])
          try db.rollback()
          #expect(log.elements == ["rollback"])
        }
        withExtendedLifetime(cursor) {}
      }
    }
  }

  @Test
  func `the commit of an insertion whose rows are fetched is reported when its statement ends`()
    throws
  {
    let ends = try ends { db in
      watch(db)
      let id = try Int.fetchOne(db, sql: "INSERT INTO t VALUES (1, 1), (2, 2) RETURNING id")
      #expect(id == 1)
    }
    #expect(ends == ["commit"])
  }

  @Test
  func
    `a cursor that reached its end, but is still there, does not hide the commit from the next statement`()
    throws
  {
    let ends = try ends { db in
      watch(db)
      let cursor = try Int.fetchCursor(db, sql: "INSERT INTO t VALUES (1, 1) RETURNING id")
      while try cursor.next() != nil {}
      try db.execute(sql: "SELECT 1")
      withExtendedLifetime(cursor) {}
    }
    #expect(ends == ["commit"])
  }

  @Test func `functions are called in the order of their registration`() throws {
    let ends = try ends { db in
      for name in ["a ", "b ", "c "] { watch(db, name) }
      try db.inTransaction { .rollback }
    }
    #expect(ends == ["a rollback", "b rollback", "c rollback"])
  }

  @Test func `without function for the rollback, nothing is called`() throws {
    let ends = try ends { db in
      db.afterNextTransaction { [log] _ in log.append("commit") }
      try db.inTransaction { .rollback }
      try db.inTransaction { .commit }
    }
    #expect(ends == [])
  }

  @Test func `cancelled tasks don't stop the functions`() async throws {
    let log = log
    let queue = queue
    let task = Task {
      try await queue.write { db in
        db.afterNextTransaction { _ in
          log.append("commit")
        } onRollback: { db in
          let count = try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
          log.append("rollback \(count ?? -1)")
        }
        try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
        withUnsafeCurrentTask { $0?.cancel() }
        try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.elements == ["rollback 0"])
  }

  @Test func `an interruption that rolls back is reported`() throws {
    let error = databaseError {
      try queue.write { [queue] db in
        watch(db)
        db.add(
          // The connection has the function: it must not have the connection.
          function: DatabaseFunction("stop", argumentCount: 0) { [weak queue] _ in
            queue?.interrupt()
            return nil
          })
        try db.execute(sql: "INSERT INTO t VALUES (1, 1)")
        try db.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT 1 FROM n LIMIT 100000)
            INSERT INTO t (a) SELECT i FROM n
            """)
      }
    }
    #expect(error?.resultCode == .SQLITE_INTERRUPT)
    #expect(log.elements == ["rollback"])
  }

  @Test func `the closed connection reports nothing any more`() throws {
    queue.writeWithoutTransaction { db in watch(db) }
    try queue.close()
    queue.writeWithoutTransaction { db in watch(db) }
    #expect(log.elements == [])
  }

  @Test func `read-only connections stop the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try makeEmptyDatabase(configuration: configuration)
      queue.writeWithoutTransaction { db in db.afterNextTransaction { _ in } }
    }
    expectPrecondition("Read-only transactions are not notified", in: result)
  }
}
