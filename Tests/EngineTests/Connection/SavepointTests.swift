import Quarry
import QuarryTestSupport
import Testing

@Suite("Savepoints", .onQueueAndPool)
struct SavepointTests {
  private struct Failure: Error {}

  private let recorder = SQLRecorder()
  private let queue: AnyDatabaseWriter

  init() throws {
    queue = try makeEmptyDatabase(configuration: recorder.recording())
    try queue.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  private func values() throws -> [Int] {
    try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  @Test func `outside of a transaction, a savepoint is a transaction`() throws {
    try queue.writeWithoutTransaction { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        return .commit
      }
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        return .rollback
      }
    }
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (1)", "COMMIT TRANSACTION",
        "BEGIN IMMEDIATE TRANSACTION", "INSERT INTO t VALUES (2)", "ROLLBACK TRANSACTION",
      ])
    #expect(try values() == [1])
  }

  @Test func `savepoints nest, with the same name at every depth`() throws {
    try queue.writeWithoutTransaction { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          try db.inSavepoint {
            try db.execute(sql: "INSERT INTO t VALUES (3)")
            return .rollback
          }
          return .commit
        }
        return .commit
      }
    }
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION",
        "INSERT INTO t VALUES (1)",
        "SAVEPOINT grdb",
        "INSERT INTO t VALUES (2)",
        "SAVEPOINT grdb",
        "INSERT INTO t VALUES (3)",
        "ROLLBACK TRANSACTION TO SAVEPOINT grdb",
        "RELEASE SAVEPOINT grdb",
        "RELEASE SAVEPOINT grdb",
        "COMMIT TRANSACTION",
      ])
    #expect(try values() == [1, 2])
  }

  @Test
  func `an error of the block undoes the savepoint, and the transaction goes on when it is caught`()
    throws
  {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      #expect(throws: Failure.self) {
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          throw Failure()
        }
      }
      #expect(db.isInsideTransaction)
      try db.execute(sql: "INSERT INTO t VALUES (3)")
    }
    #expect(
      recorder.take() == [
        "BEGIN IMMEDIATE TRANSACTION",
        "INSERT INTO t VALUES (1)",
        "SAVEPOINT grdb",
        "INSERT INTO t VALUES (2)",
        "ROLLBACK TRANSACTION TO SAVEPOINT grdb",
        "RELEASE SAVEPOINT grdb",
        "INSERT INTO t VALUES (3)",
        "COMMIT TRANSACTION",
      ])
    #expect(try values() == [1, 3])
  }

  @Test func `an error that goes through all savepoints undoes everything`() throws {
    #expect(throws: Failure.self) {
      try queue.write { db in
        try db.inSavepoint {
          try db.inSavepoint {
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            throw Failure()
          }
          return .commit
        }
      }
    }
    #expect(try values() == [])
  }

  @Test func `a rolled back outer savepoint undoes a committed inner one`() throws {
    try queue.write { db in
      try db.inSavepoint {
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          return .commit
        }
        return .rollback
      }
    }
    #expect(try values() == [])
  }

  @Test func `a savepoint inside a savepoint of plain SQL nests`() throws {
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "SAVEPOINT mine")
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        return .commit
      }
      try db.execute(sql: "RELEASE mine")
    }
    #expect(
      recorder.take() == [
        "SAVEPOINT mine", "SAVEPOINT grdb", "INSERT INTO t VALUES (1)", "RELEASE SAVEPOINT grdb",
        "RELEASE mine",
      ])
  }

  @Test func `in a read-only block, the outermost savepoint is a deferred transaction`() throws {
    try queue.writeWithoutTransaction { db in
      try db.readOnly { try db.inSavepoint { .commit } }
    }
    #expect(recorder.take() == ["BEGIN DEFERRED TRANSACTION", "COMMIT TRANSACTION"])
  }
}
