import Quarry
import QuarryTestSupport
import Testing

// The calls of a transaction, and their order.

@Suite struct TransactionCallTests {
  @Test(arguments: ConnectionKind.allCases)
  func `changes, then the commit`(kind: ConnectionKind) throws {
    try withShop(kind) { writer throws in
      let log = EventLog()
      log.asks = true
      writer.add(transactionObserver: log)
      try writer.write { db in
        try db.execute(sql: "INSERT INTO author (name) VALUES ('Ann'), ('Bob')")
        try db.execute(sql: "UPDATE author SET name = 'Bo' WHERE id = 2")
        try db.execute(sql: "DELETE FROM author WHERE id = 1")
      }
      #expect(
        log.take() == [
          "insert(author)?", "insert author 1", "insert author 2",
          "update(author, [\"name\"])?", "update author 2",
          "delete(author)?", "delete(book)?", "delete(review)?",
          "delete(author)?", "delete(book)?", "delete(review)?", "delete author 1",
          "willCommit", "didCommit",
        ])
      writer.remove(transactionObserver: log)
      try writer.write { db in try db.execute(sql: "DELETE FROM author") }
      #expect(log.take() == [])
    }
  }

  @Test(arguments: ConnectionKind.allCases)
  func `changes, then the rollback`(kind: ConnectionKind) throws {
    try withShop(kind) { writer throws in
      let log = EventLog()
      writer.add(transactionObserver: log)
      #expect(throws: Veto.self) {
        try writer.write { db in
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
          throw Veto()
        }
      }
      #expect(log.take() == ["insert note 1", "didRollback"])
      try writer.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
          return .rollback
        }
      }
      #expect(log.take() == ["insert note 1", "didRollback"])
    }
  }

  static let transactions: [([String], [String])] = [
    (["BEGIN", "COMMIT"], ["willCommit", "didCommit"]),
    (["BEGIN IMMEDIATE", "COMMIT"], ["willCommit", "didCommit"]),
    (["BEGIN", "SELECT * FROM note", "COMMIT"], ["willCommit", "didCommit"]),
    (["SAVEPOINT s", "RELEASE s"], ["willCommit", "didCommit"]),
    (["BEGIN", "ROLLBACK"], ["didRollback"]),
    (["SELECT * FROM note"], []),
    (["UPDATE note SET text = 'b' WHERE rowid = 99"], ["willCommit", "didCommit"]),
    (["INSERT OR IGNORE INTO country VALUES ('FR', 'x')"], ["willCommit", "didCommit"]),
    (["PRAGMA user_version = 9"], ["willCommit", "didCommit"]),
    (["REINDEX"], ["willCommit", "didCommit"]),
    (["CREATE TABLE t (a)"], ["willCommit", "didCommit"]),
    (["CREATE TABLE t AS SELECT * FROM country"], ["willCommit", "didCommit"]),
    (["DROP TABLE country"], ["willCommit", "didCommit"]),
    (["ALTER TABLE country DROP COLUMN name"], ["willCommit", "didCommit"]),
    (["INSERT INTO shelf VALUES ('A', 1, 'x')"], ["willCommit", "didCommit"]),
    (["VACUUM"], []),
    (["ATTACH ':memory:' AS att", "DETACH att"], []),
    (["PRAGMA foreign_keys = ON"], []),
  ]

  @Test(arguments: transactions)
  func `transactions that change no row`(statements: [String], calls: [String]) throws {
    try withShop { db throws in
      try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
      let log = EventLog()
      db.add(transactionObserver: log)
      for sql in statements { try db.execute(sql: sql) }
      #expect(log.take() == calls, "\(statements)")
    }
  }

  @Test func `erasures and backups are not notified`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: shopSchema) }
    let log = EventLog()
    queue.add(transactionObserver: log)
    try queue.erase()
    try DatabaseQueue().backup(to: queue)
    #expect(log.take() == [])
  }

  @Test(arguments: ConnectionKind.allCases)
  func `reads are not notified`(kind: ConnectionKind) throws {
    try withShop(kind) { writer throws in
      let log = EventLog()
      writer.add(transactionObserver: log)
      try writer.read { db in _ = try Row.fetchAll(db, sql: "SELECT * FROM note") }
      #expect(throws: Veto.self) { try writer.read { _ in throw Veto() } }
      try writer.writeWithoutTransaction { db in
        try db.readOnly { try db.inTransaction { .commit } }
        try db.readOnly { try db.inTransaction { .rollback } }
      }
      #expect(log.take() == [])
      try writer.write { db in
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
        try db.readOnly { _ = try Row.fetchAll(db, sql: "SELECT * FROM note") }
      }
      #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
    }
  }

  @Test func `read-only connections have no observers`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/shop.sqlite"
      try DatabaseQueue(path: path).write { db in try db.execute(sql: shopSchema) }
      var configuration = Configuration()
      configuration.readonly = true
      let log = EventLog()
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      queue.add(transactionObserver: log)
      try queue.writeWithoutTransaction { db in try db.inTransaction { .commit } }
      queue.remove(transactionObserver: log)
      #expect(log.take() == [])
    }
  }

  @Test func `observers are notified in the order of their registration, each event to all`() throws
  {
    try withShop { db throws in
      let first = EventLog("o")
      let second = EventLog("p", shared: first)
      db.add(transactionObserver: first)
      db.add(transactionObserver: second)
      try db.execute(sql: "INSERT INTO note VALUES ('a'), ('b')")
      #expect(
        first.take() == [
          "o insert note 1", "p insert note 1", "o insert note 2", "p insert note 2",
          "o willCommit", "p willCommit", "o didCommit", "p didCommit",
        ])
    }
  }

  @Test func `an observer that is added twice is called twice, and removed once`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(
        log.take() == [
          "insert note 1", "insert note 1", "willCommit", "willCommit", "didCommit", "didCommit",
        ])
      db.remove(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(log.take() == ["insert note 2", "willCommit", "didCommit"])
      db.remove(transactionObserver: log)
      db.remove(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(log.take() == [])
    }
  }

  @Test func `a transaction inside didCommit is notified completely before the next observer`()
    throws
  {
    try withShop { db throws in
      let first = EventLog("o")
      let second = EventLog("p", shared: first)
      var isDone = false
      first.onCommit = { db in
        guard !isDone else { return }
        isDone = true
        #expect(!db.isInsideTransaction)
        #expect(throws: Never.self) { try db.execute(sql: "INSERT INTO note VALUES ('b')") }
      }
      db.add(transactionObserver: first)
      db.add(transactionObserver: second)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(
        first.take() == [
          "o insert note 1", "p insert note 1", "o willCommit", "p willCommit", "o didCommit",
          "o insert note 2", "p insert note 2", "o willCommit", "p willCommit", "o didCommit",
          "p didCommit", "p didCommit",
        ])
    }
  }

  @Test func `an error of a transaction inside didCommit is its own`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.onCommit = { db in
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO nope VALUES (1)") }
      }
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") == 1)
    }
  }

  @Test func `the database can't be used before the end of the transaction`() throws {
    try withShop { db throws in
      let log = EventLog()
      var errors: [String] = []
      log.onChange = { errors.append(errorText { try Int.fetchOne(db, sql: "SELECT 1") } ?? "-") }
      log.onWillCommit = {
        errors.append(errorText { try Int.fetchOne(db, sql: "SELECT 1") } ?? "-")
      }
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(errors.count == 2)
      #expect(
        errors.allSatisfy {
          $0.hasPrefix("SQLite error 21: the database can't be used in databaseDidChange")
        })
      #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
    }
  }

  @Test func `a reader of the pool sees the old state before the commit`() throws {
    try withShop(.pool) { pool throws in
      let log = EventLog()
      var counts: [Int?] = []
      func count() throws -> Int? {
        try pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") }
      }
      log.onWillCommit = { counts.append(try count()) }
      log.onCommit = { _ in counts.append(try? count()) }
      pool.add(transactionObserver: log)
      try pool.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(counts == [0, 1])
    }
  }

  @Test func `a function that writes is notified`() throws {
    try withShop { db throws in
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("remember", argumentCount: 1) { values in
          try connection.execute(sql: "INSERT INTO note VALUES (?)", arguments: [values[0]])
          return nil
        })
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.execute(sql: "SELECT remember('a')")
      #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
    }
  }

  @Test func `changes of other connections are not notified`() throws {
    try withShop(.queue) { queue throws in
      let log = EventLog()
      queue.add(transactionObserver: log)
      let other = try DatabaseQueue(path: queue.path)
      try other.write { db in try db.execute(sql: "INSERT INTO note VALUES ('a')") }
      #expect(log.take() == [])
    }
  }

  @Test func `the rowid of the last insertion survives what observers insert`() throws {
    try withShop { db throws in
      let log = EventLog()
      var isDone = false
      log.onCommit = { db in
        guard !isDone else { return }
        isDone = true
        try? db.execute(sql: "INSERT INTO author (id) VALUES (77)")
      }
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(db.lastInsertedRowID == 1)
    }
  }
}
