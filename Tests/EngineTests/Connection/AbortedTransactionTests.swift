import Quarry
import QuarryTestSupport
import Testing

@Suite("Transactions that SQLite ended", .onQueueAndPool)
struct AbortedTransactionTests {
  private let queue: AnyDatabaseWriter

  init() throws {
    queue = try makeEmptyDatabase()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    }
  }

  /// What ends a transaction behind the back of its block.
  private static let endings = ["ROLLBACK", "INSERT OR ROLLBACK INTO t VALUES (1)"]

  private static func aborted(_ sql: String) -> String {
    "SQLite error 4: Transaction was aborted - while executing `\(sql)`"
  }

  /// The block goes on after the end of its transaction.
  private func endTransaction(_ db: Database, _ sql: String) {
    try? db.execute(sql: sql)
    #expect(!db.isInsideTransaction)
  }

  @Test(arguments: endings)
  func `later statements of the block throw, and so does the commit`(ending: String) throws {
    let texts = Log<String?>()
    let commit = errorText {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        endTransaction(db, ending)
        texts.append(errorText { try db.execute(sql: "INSERT INTO t VALUES (3)") })
        texts.append(errorText { try Int.fetchOne(db, sql: "SELECT 1") })
        texts.append(errorText { try db.execute(sql: "BEGIN") })
      }
    }
    #expect(
      texts.elements == ["INSERT INTO t VALUES (3)", "SELECT 1", "BEGIN"].map(Self.aborted))
    #expect(commit == "SQLite error 4: Transaction was aborted")
    try expectUsable()
  }

  @Test(arguments: endings)
  func `a block that only notices at its end throws`(ending: String) throws {
    let text = errorText { try queue.write { db in endTransaction(db, ending) } }
    #expect(text == "SQLite error 4: Transaction was aborted")
    try expectUsable()
  }

  @Test func `the error of the statement that ends the transaction is thrown as it is`() throws {
    let error = databaseError {
      try queue.write { db in
        try db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
    try expectUsable()
  }

  @Test(arguments: endings)
  func `a block that rolls back has what it wants`(ending: String) throws {
    try queue.writeWithoutTransaction { db throws in
      try db.inTransaction {
        endTransaction(db, ending)
        return .rollback
      }
    }
    try expectUsable()
  }

  @Test(arguments: endings)
  func `a savepoint notices too`(ending: String) throws {
    let inner = Log<String?>()
    let outer = errorText {
      try queue.write { db in
        inner.append(
          errorText {
            try db.inSavepoint {
              endTransaction(db, ending)
              return .commit
            }
          })
        inner.append(errorText { try db.inSavepoint { .commit } })
      }
    }
    #expect(inner.elements.first == "SQLite error 4: Transaction was aborted")
    #expect(inner.elements.last??.contains("Transaction was aborted") == true)
    #expect(outer == "SQLite error 4: Transaction was aborted")
    try expectUsable()
  }

  @Test func `a read notices too, and the connection can write afterwards`() throws {
    let text = errorText { try queue.read { db in endTransaction(db, "ROLLBACK") } }
    #expect(text == "SQLite error 4: Transaction was aborted")
    try expectUsable()
  }

  @Test func `a read-only block in an aborted transaction leaves the connection able to write`()
    throws
  {
    let text = errorText {
      try queue.write { db in
        try db.readOnly { endTransaction(db, "ROLLBACK") }
      }
    }
    #expect(text?.contains("Transaction was aborted") == true)
    try expectUsable()
  }

  /// The connection has no transaction, and writes.
  private func expectUsable() throws {
    #expect(queue.writeWithoutTransaction { $0.isInsideTransaction } == false)
    try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (99)") }
    #expect(
      try queue.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [1, 99])
  }
}
