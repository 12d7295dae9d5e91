import Quarry
import QuarryTestSupport
import Testing

// Failures, rollbacks, and observers that refuse a commit.

@Suite struct ObservedFailureTests {
  /// Statements, some of which fail, and what an observer is notified of.
  static let failures: [([String], [String])] = [
    // A statement that fails has changed nothing.
    (["INSERT INTO country VALUES ('FR', 'x')"], []),
    (["INSERT INTO country VALUES ('IT', 'x'), ('FR', 'x')"], []),
    (
      ["BEGIN", "INSERT INTO country VALUES ('IT', 'x'), ('FR', 'x')", "COMMIT"],
      ["willCommit", "didCommit"]
    ),
    // OR FAIL keeps what it has done.
    (
      ["BEGIN", "INSERT OR FAIL INTO country VALUES ('IT', 'x'), ('FR', 'x')", "COMMIT"],
      ["insert country 2", "willCommit", "didCommit"]
    ),
    (
      ["INSERT OR FAIL INTO country VALUES ('IT', 'x'), ('FR', 'x')"],
      ["insert country 2", "willCommit", "didCommit"]
    ),
    // SQLite rolls the transaction back by itself.
    (
      [
        "BEGIN", "INSERT INTO note VALUES ('a')",
        "INSERT OR ROLLBACK INTO country VALUES ('FR', 'x')",
      ],
      ["insert note 1", "didRollback"]
    ),
    (
      ["BEGIN", "INSERT INTO note VALUES ('a')", "INSERT INTO refused VALUES (1)"],
      ["insert note 1", "didRollback"]
    ),
    // A deferred foreign key.
    (
      ["BEGIN", "INSERT INTO child VALUES (1, 99)", "COMMIT", "ROLLBACK"],
      ["insert child 1", "didRollback"]
    ),
    (["INSERT INTO child VALUES (1, 99)"], []),
    // Outside of transactions, a statement that returns rows is committed at its end.
    (["INSERT INTO child VALUES (1, 99) RETURNING id"], []),
    (
      ["INSERT INTO child VALUES (1, 99) RETURNING id", "INSERT INTO note VALUES ('a')"],
      ["insert note 1", "willCommit", "didCommit"]
    ),
    (
      [
        "BEGIN", "INSERT INTO child VALUES (1, 99)", "COMMIT", "DELETE FROM child WHERE id = 1",
        "COMMIT",
      ],
      ["insert child 1", "delete child 1", "willCommit", "didCommit"]
    ),
  ]

  @Test(arguments: failures)
  func `statements that fail`(statements: [String], calls: [String]) throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          INSERT INTO country VALUES ('FR', 'France');
          CREATE TABLE refused (a);
          CREATE TRIGGER refuse BEFORE INSERT ON refused BEGIN
            SELECT RAISE(ROLLBACK, 'refused');
          END;
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (
            id INTEGER PRIMARY KEY, p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
          """)
      let log = EventLog()
      db.add(transactionObserver: log)
      for sql in statements { try? db.execute(sql: sql) }
      #expect(!db.isInsideTransaction)
      #expect(log.take() == calls, "\(statements)")
    }
  }

  @Test func `after a rollback by SQLite, a later commit is another transaction`() throws {
    try withShop { db throws in
      var ends: [String] = []
      let log = Log<String>()
      try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
      try db.execute(sql: "BEGIN; INSERT INTO note VALUES ('a')")
      db.afterNextTransaction { _ in
        log.append("commit")
      } onRollback: { _ in
        log.append("rollback")
      }
      try? db.execute(sql: "INSERT OR ROLLBACK INTO country VALUES ('FR', 'x')")
      ends = log.elements
      #expect(ends == ["rollback"])
      try db.execute(sql: "INSERT INTO note VALUES ('a')")
      #expect(log.elements == ["rollback"])
    }
  }

  @Test func `a rollback inside of a write is notified once`() throws {
    try withShop(.memory) { queue throws in
      let log = EventLog()
      queue.add(transactionObserver: log)
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
          try db.execute(sql: "ROLLBACK")
        }
      }
      #expect(error?.resultCode == .SQLITE_ABORT)
      #expect(error?.message == "Transaction was aborted")
      #expect(log.take() == ["insert note 1", "didRollback"])
    }
  }

  @Test func `the database can be used in didRollback of a write that failed`() throws {
    try withShop(.memory) { queue throws in
      let log = EventLog()
      var counts: [Int?] = []
      log.onRollback = { db in
        counts.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note"))
      }
      queue.add(transactionObserver: log)
      #expect(throws: Veto.self) {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
          throw Veto()
        }
      }
      #expect(counts == [0])
    }
  }

  @Test func `the database can be used in didRollback while the block of the write goes on`()
    throws
  {
    try withShop(.memory) { queue throws in
      let log = EventLog()
      var counts: [Int?] = []
      log.onRollback = { db in
        counts.append(try? Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note"))
      }
      queue.add(transactionObserver: log)
      let texts = Log<String?>()
      let error = databaseError {
        try queue.write { db in
          try db.execute(sql: "INSERT INTO note VALUES ('a'); ROLLBACK")
          texts.append(errorText { try db.execute(sql: "INSERT INTO note VALUES ('b')") })
        }
      }
      #expect(error?.message == "Transaction was aborted")
      #expect(texts.elements.first??.contains("Transaction was aborted") == true)
      #expect(counts == [0])
    }
  }

  @Test func `a cascade that is undone is not notified`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE p (id INTEGER PRIMARY KEY);
          CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);
          CREATE TABLE r (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE RESTRICT);
          INSERT INTO p VALUES (1), (2);
          INSERT INTO c VALUES (1, 1);
          INSERT INTO r VALUES (2, 2);
          """)
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.execute(sql: "BEGIN")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM p") }
      try db.execute(sql: "COMMIT")
      #expect(log.take() == ["willCommit", "didCommit"])
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM c") == 1)
    }
  }
}

@Suite struct VetoTests {
  /// How transactions are committed.
  static let commits: [[String]] = [
    ["BEGIN", "INSERT INTO note VALUES ('a')", "COMMIT"],
    ["BEGIN", "COMMIT"],
    ["BEGIN IMMEDIATE", "COMMIT"],
    ["INSERT INTO note VALUES ('a')"],
    ["PRAGMA user_version = 9"],
    ["SAVEPOINT a", "INSERT INTO note VALUES ('a')", "RELEASE a"],
    ["SAVEPOINT a", "RELEASE a"],
    ["INSERT INTO note VALUES ('a'), ('b') RETURNING text"],
  ]

  @Test(arguments: commits)
  func `an observer refuses a commit`(statements: [String]) throws {
    try withShop { db throws in
      let first = EventLog("o")
      first.onWillCommit = { throw Veto() }
      let second = EventLog("p", shared: first)
      db.add(transactionObserver: first)
      db.add(transactionObserver: second)
      for sql in statements.dropLast() { try db.execute(sql: sql) }
      #expect(throws: Veto.self) { try db.execute(sql: statements.last ?? "") }
      #expect(!db.isInsideTransaction)
      #expect(
        first.take().filter { !$0.contains("insert") }
          == ["o willCommit", "o didRollback", "p didRollback"])
      db.remove(transactionObserver: first)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") == 0)
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 0)
    }
  }

  @Test func `a refused statement is not mistaken for one that fails later`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.wants = { $0.tableName == "author" }
      log.onWillCommit = { throw Veto() }
      db.add(transactionObserver: log)
      #expect(throws: Veto.self) { try db.execute(sql: "INSERT INTO author DEFAULT VALUES") }
      log.onWillCommit = {}
      _ = log.take()
      try db.execute(sql: "BEGIN; SAVEPOINT a; INSERT INTO author DEFAULT VALUES")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO shelf (room, num) VALUES (NULL, 1)")
      }
      try db.execute(sql: "RELEASE a; COMMIT")
      #expect(log.take() == ["insert author 1", "willCommit", "didCommit"])
    }
  }

  @Test(arguments: ConnectionKind.allCases, [true, false])
  func `an observer refuses the commit of a write`(kind: ConnectionKind, isEmpty: Bool) throws {
    try withShop(kind) { writer throws in
      let log = EventLog()
      log.onWillCommit = { throw Veto() }
      writer.add(transactionObserver: log)
      #expect(throws: Veto.self) {
        try writer.write { db in
          if !isEmpty { try db.execute(sql: "INSERT INTO note VALUES ('a')") }
        }
      }
      #expect(log.take().suffix(2) == ["willCommit", "didRollback"])
      #expect(try writer.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM note") } == 0)
    }
  }

  @Test func `an error of the write wins`() throws {
    try withShop(.memory) { queue throws in
      let log = EventLog()
      log.onWillCommit = { throw Veto() }
      queue.add(transactionObserver: log)
      #expect(throws: CancellationError.self) { try queue.write { _ in throw CancellationError() } }
      #expect(log.take() == ["didRollback"])
    }
  }

  @Test func `a refused statement that returns rows throws, however many rows are read`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.onWillCommit = { throw Veto() }
      db.add(transactionObserver: log)
      let sql = "INSERT INTO note VALUES ('a'), ('b') RETURNING text"
      #expect(throws: Veto.self) { try String.fetchOne(db, sql: sql) }
      #expect(log.take() == ["insert note 1", "insert note 2", "willCommit", "didRollback"])
      #expect(throws: Veto.self) { try String.fetchAll(db, sql: sql) }
      log.onWillCommit = {}
      #expect(try String.fetchOne(db, sql: sql) == "a")
      #expect(log.take().suffix(2) == ["willCommit", "didCommit"])
    }
  }

  @Test func `a dropped cursor of a statement that writes commits`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      do {
        let sql = "INSERT INTO note VALUES ('a'), ('b') RETURNING text"
        let cursor = try String.fetchCursor(db, sql: sql)
        #expect(try cursor.next() == "a")
      }
      #expect(log.take() == ["insert note 1", "insert note 2", "willCommit", "didCommit"])
    }
  }
}

/// Statements outside of transactions, which are committed at their end.
@Suite struct ImplicitTransactionTests {
  static let insertion = "INSERT INTO note VALUES ('a'), ('b') RETURNING text"

  @Test func `the rows of a statement are reported when it commits`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      do {
        let cursor = try String.fetchCursor(db, sql: Self.insertion)
        #expect(try cursor.next() == "a")
        #expect(try cursor.next() == "b")
        #expect(log.take() == [])
        #expect(try cursor.next() == nil)
        #expect(log.take() == ["insert note 1", "insert note 2", "willCommit"])
      }
      #expect(log.take() == ["didCommit"])
    }
  }

  @Test func `the refused commit of a dropped cursor leaves the next transaction alone`() throws {
    try withShop(.memory) { queue throws in
      let log = EventLog()
      #expect(throws: Veto.self) {
        try queue.writeWithoutTransaction { db in
          db.add(transactionObserver: log)
          log.onWillCommit = { throw Veto() }
          #expect(try String.fetchCursor(db, sql: Self.insertion).next() == "a")
          #expect(log.take() == ["insert note 1", "insert note 2", "willCommit", "didRollback"])
          log.onWillCommit = {}
          try db.execute(sql: "SAVEPOINT z; INSERT INTO note VALUES ('c'); RELEASE z")
          #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
        }
      }
      #expect(try queue.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["c"])
    }
  }

  /// SQLite commits when the last one has ended.
  @Test func `statements that overlap are committed together`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      let other = EventLog("other", shared: log)
      do {
        let cursor = try String.fetchCursor(db, sql: Self.insertion)
        #expect(try cursor.next() == "a")
        try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
        db.add(transactionObserver: other)
        #expect(log.take() == [])
      }
      #expect(
        log.take() == [
          "insert note 1", "insert note 2", "insert country 1", "willCommit", "other willCommit",
          "didCommit", "other didCommit",
        ])
    }
  }

  @Test func `the rows of a commit that fails are not reported`() throws {
    try withTemporaryDirectory { folder throws in
      let path = "\(folder)/shop.sqlite"
      let other = try DatabaseQueue(path: path)
      try other.write { try $0.execute(sql: "CREATE TABLE note (text)") }
      let queue = try DatabaseQueue(path: path)
      let log = EventLog()
      queue.add(transactionObserver: log)
      try queue.writeWithoutTransaction { db in
        try other.unsafeReentrantRead { reader in
          let cursor = try Row.fetchCursor(reader, sql: "SELECT 1 FROM sqlite_master")
          #expect(try cursor.next() != nil)
          let error = #expect(throws: DatabaseError.self) {
            try String.fetchAll(db, sql: Self.insertion)
          }
          #expect(error?.resultCode == .SQLITE_BUSY)
        }
        #expect(log.take() == [])
        #expect(try String.fetchAll(db, sql: Self.insertion) == ["a", "b"])
        #expect(log.take() == ["insert note 1", "insert note 2", "willCommit", "didCommit"])
      }
    }
  }

  @Test func `a statement that reads and writes leaves the rows of others that have not ended`()
    throws
  {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("enter", argumentCount: 0, pure: false) { _ in
          try connection.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
          return 1
        })
      do {
        let cursor = try String.fetchCursor(db, sql: Self.insertion)
        #expect(try cursor.next() == "a")
        #expect(try Int.fetchOne(db, sql: "SELECT enter()") == 1)
      }
      #expect(
        log.take() == [
          "insert note 1", "insert note 2", "insert country 1", "willCommit", "didCommit",
        ])
    }
  }
}
