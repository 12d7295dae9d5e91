import Quarry
import QuarryTestSupport
import Testing

@Suite("Re-entrant accesses and connections used elsewhere")
struct ReentrancyTests {
  private static let closeMessage = """
    SQLite error 21: Database methods are not reentrant.
    `close` waits for all accesses: call it outside of `read` and `write`
    """

  private static let message = """
    SQLite error 21: Database methods are not reentrant.
    inside an access, use its `db` argument, or `unsafeReentrantRead` and `unsafeReentrantWrite`
    """

  @Test(arguments: SyncAccess.notReentrant)
  func `an access inside an access throws`(inner: SyncAccess) throws {
    let queue = try DatabaseQueue()
    for outer in SyncAccess.allCases {
      let text = try outer.run(on: queue) { _ in
        errorText { try inner.run(on: queue) { _ in } }
      }
      #expect(text == Self.message, "\(inner) inside \(outer)")
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test(arguments: AsyncAccess.allCases)
  func `an access inside an asynchronous access throws`(outer: AsyncAccess) async throws {
    let queue = try DatabaseQueue()
    let text = try await outer.run(on: queue) { _ in
      errorText { try SyncAccess.write.run(on: queue) { _ in } }
    }
    #expect(text == Self.message)
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test func `other methods of a queue are not reentrant either`() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db throws -> Void in
      #expect(errorText { try queue.close() } == Self.closeMessage)
      #expect(errorText { try queue.vacuum() } == Self.message)
      #expect(errorText { try queue.erase() } == Self.message)
      #expect(errorText { try queue.inTransaction { _ in .commit } } == Self.message)
    }
  }

  @Test func `unsafe reentrant accesses use the connection of the current access`() throws {
    let queue = try DatabaseQueue()
    try queue.write { outer in
      try outer.execute(sql: "CREATE TABLE t (a)")
      try queue.unsafeReentrantWrite { db in
        #expect(db === outer)
        #expect(db.isInsideTransaction)
        try db.execute(sql: "INSERT INTO t VALUES (1)")
      }
      let count = try queue.unsafeReentrantRead { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
      }
      #expect(count == 1)
    }
  }

  @Test func `outside of any access, unsafe reentrant accesses wait for the queue`() throws {
    let queue = try DatabaseQueue()
    try queue.unsafeReentrantWrite { db in try db.execute(sql: "CREATE TABLE t (a)") }
    #expect(
      try queue.unsafeReentrantRead { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
      } == 0)
  }

  @Test func `an access to another database keeps the outer one usable`() throws {
    let first = try DatabaseQueue()
    let second = try DatabaseQueue()
    let result = try first.write { db1 in
      try db1.execute(sql: "CREATE TABLE t (a)")
      return try second.write { db2 in
        try db2.execute(sql: "CREATE TABLE u (b)")
        try db1.execute(sql: "INSERT INTO t VALUES (1)")
        let text = errorText { try first.read { _ in } }
        #expect(text == Self.message)
        try db2.execute(sql: "INSERT INTO u VALUES (2)")
        return try Int.fetchOne(db1, sql: "SELECT a FROM t")
      }
    }
    #expect(result == 1)
    #expect(try second.read { db in try Int.fetchOne(db, sql: "SELECT b FROM u") } == 2)
  }

  @Test func `a connection used outside of its access throws`() throws {
    let queue = try DatabaseQueue()
    let (db, statement) = try queue.inDatabase { db in
      (db, try db.makeStatement(sql: "SELECT 1"))
    }
    let messages = [
      "the connection `db` was used outside of its access",
      "a statement or its cursor was used outside of its access",
    ]
    let uses: [() throws -> Void] = [
      { try db.execute(sql: "SELECT 1") },
      { _ = try db.makeStatement(sql: "SELECT 1") },
      { _ = try db.cachedStatement(sql: "SELECT 1") },
      { _ = try Int.fetchOne(db, sql: "SELECT 1") },
      { _ = try Row.fetchAll(db, sql: "SELECT 1") },
      { _ = try Int.fetchOne(statement) },
      { try statement.execute() },
      { try db.inTransaction { .commit } },
      { try db.inSavepoint { .commit } },
    ]
    for use in uses {
      let error = databaseError(use)
      #expect(error?.resultCode == .SQLITE_MISUSE)
      #expect(error?.message.map(messages.contains) == true)
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test func `a transaction left open is rolled back, and the access throws`() throws {
    let queue = try DatabaseQueue()
    let text = errorText {
      try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE t (a)")
        try db.beginTransaction()
        try db.execute(sql: "INSERT INTO t VALUES (1)")
      }
    }
    #expect(
      text == """
        SQLite error 21: A transaction has been left opened at the end of a database access
        """)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") } == 0)
  }

  @Test func `the error of an access is thrown before the one of its open transaction`() throws {
    struct Failure: Error {}
    let queue = try DatabaseQueue()
    #expect(throws: Failure.self) {
      try queue.inDatabase { db in
        try db.beginTransaction()
        throw Failure()
      }
    }
    #expect(queue.inDatabase { $0.isInsideTransaction } == false)
  }

  @Test func `a rollback on another thread is refused, and the transaction goes on`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)")
      nonisolated(unsafe) let connection = db
      let error = try onThread { databaseError { try connection.rollback() } }
      #expect(error?.message == "the connection `db` was used outside of its access")
      try db.execute(sql: "INSERT INTO loan VALUES (1)")
    }
    let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM loan") }
    #expect(count == 1)
  }

  @Test func `with unsafe transactions, a transaction spans accesses`() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { db in try db.beginTransaction() }
    try queue.inDatabase { db in
      #expect(db.isInsideTransaction)
      try db.execute(sql: "CREATE TABLE t (a)")
    }
    try queue.inDatabase { db in try db.rollback() }
    #expect(throws: DatabaseError.self) {
      try queue.inDatabase { db in try db.execute(sql: "SELECT * FROM t") }
    }
  }
}
