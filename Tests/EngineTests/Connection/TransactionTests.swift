import Quarry
import QuarryTestSupport
import Testing

@Suite("Transactions", .onQueueAndPool)
struct TransactionTests {
  private struct Failure: Error {}

  private let recorder = SQLRecorder()
  private let queue: AnyDatabaseWriter

  init() throws {
    queue = try makeEmptyDatabase(configuration: recorder.recording())
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a INTEGER PRIMARY KEY);
          CREATE TABLE child (
            parent INTEGER REFERENCES t(a) DEFERRABLE INITIALLY DEFERRED);
          """)
    }
    _ = recorder.take()
  }

  private func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  @Test(
    arguments: [
      (nil, "BEGIN IMMEDIATE TRANSACTION"),
      (.deferred, "BEGIN DEFERRED TRANSACTION"),
      (.immediate, "BEGIN IMMEDIATE TRANSACTION"),
      (.exclusive, "BEGIN EXCLUSIVE TRANSACTION"),
    ] as [(Database.TransactionKind?, String)])
  func `a transaction begins with its kind, immediate by default`(
    kind: Database.TransactionKind?, begin: String
  ) throws {
    try queue.writeWithoutTransaction { db in
      try db.inTransaction(kind) {
        #expect(db.isInsideTransaction)
        return .commit
      }
      try db.beginTransaction(kind)
      try db.commit()
      #expect(!db.isInsideTransaction)
    }
    #expect(recorder.take() == [begin, "COMMIT TRANSACTION", begin, "COMMIT TRANSACTION"])
  }

  @Test func `where only reads are possible, a transaction is deferred by default`() throws {
    try queue.writeWithoutTransaction { db in
      try db.readOnly { try db.inTransaction { .commit } }
    }
    #expect(recorder.take().contains("BEGIN DEFERRED TRANSACTION"))
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      var configuration = recorder.recording()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = recorder.take()
      try queue.writeWithoutTransaction { db in try db.inTransaction { .commit } }
      #expect(recorder.take() == ["BEGIN DEFERRED TRANSACTION", "COMMIT TRANSACTION"])
      _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
      #expect(
        recorder.take() == ["BEGIN DEFERRED TRANSACTION", "SELECT 1", "COMMIT TRANSACTION"])
    }
  }

  @Test func `the kinds have the names of SQL`() {
    #expect(Database.TransactionKind(rawValue: "DEFERRED") == .deferred)
    #expect(Database.TransactionKind(rawValue: "IMMEDIATE") == .immediate)
    #expect(Database.TransactionKind(rawValue: "EXCLUSIVE") == .exclusive)
    #expect(Database.TransactionKind(rawValue: "OTHER") == nil)
  }

  @Test func `an error of the block rolls back, and is thrown`() throws {
    try queue.writeWithoutTransaction { db throws -> Void in
      #expect(throws: Failure.self) {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          throw Failure()
        }
      }
      #expect(!db.isInsideTransaction)
      #expect(
        recorder.take() == [
          "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (1)", "ROLLBACK TRANSACTION",
        ])
      #expect(try values(db) == [])
    }
  }

  @Test func `a caught error of a statement does not end the transaction`() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      let text = errorText { try db.execute(sql: "INSERT INTO t VALUES (1)") }
      #expect(
        text == """
          SQLite error 19: UNIQUE constraint failed: t.a - while executing \
          `INSERT INTO t VALUES (1)`
          """)
      try db.execute(sql: "INSERT INTO t VALUES (2)")
    }
    #expect(try queue.read(values) == [1, 2])
  }

  @Test func `a commit that a deferred foreign key refuses is rolled back`() throws {
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1); INSERT INTO child VALUES (2)")
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(
      error?.description == """
        SQLite error 19: FOREIGN KEY constraint failed
        a deferred foreign key: `checkForeignKeys()` identifies it before the commit
        - while executing `COMMIT TRANSACTION`
        """)
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (1)",
        "INSERT INTO child VALUES (2)", "COMMIT TRANSACTION", "ROLLBACK TRANSACTION",
      ])
    #expect(try queue.read(values) == [])
    try queue.write { db in
      try db.execute(sql: "INSERT INTO child VALUES (1); INSERT INTO t VALUES (1)")
    }
    #expect(try queue.read(values) == [1])
  }

  @Test func `a transaction inside a transaction is an error, which rolls back`() throws {
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try db.inTransaction { .commit }
      }
    }
    #expect(error?.message == "cannot start a transaction within a transaction")
    #expect(try queue.read(values) == [])
  }

  @Test func `commit without transaction is an error, rollback is not`() throws {
    try queue.writeWithoutTransaction { db in
      try db.rollback()
      #expect(recorder.take() == [])
      #expect(
        errorText { try db.commit() } == """
          SQLite error 1: cannot commit - no transaction is active - while executing \
          `COMMIT TRANSACTION`
          """)
    }
  }

  @Test func `transactions in plain SQL are seen`() throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN")
      #expect(db.isInsideTransaction)
      try db.execute(sql: "COMMIT")
      #expect(!db.isInsideTransaction)
      try db.execute(sql: "SAVEPOINT mine")
      #expect(db.isInsideTransaction)
      try db.execute(sql: "RELEASE mine")
      #expect(!db.isInsideTransaction)
    }
  }
}
