import Quarry
import Testing

// The changes of savepoints are notified when no savepoint can undo them any more.

@Suite struct SavepointEventTests {
  /// `iN` inserts author N.
  static let runs: [(String, [String])] = [
    (
      "BEGIN; i1; SAVEPOINT a; i2; SAVEPOINT b; i3; RELEASE b; i4; RELEASE a; i5; COMMIT",
      [
        "i1: insert author 1", "RELEASE a: insert author 2", "RELEASE a: insert author 3",
        "RELEASE a: insert author 4", "i5: insert author 5", "COMMIT: willCommit",
        "COMMIT: didCommit",
      ]
    ),
    (
      "BEGIN; SAVEPOINT a; i12; SAVEPOINT b; i13; ROLLBACK TO b; i14; RELEASE b; RELEASE a; COMMIT",
      [
        "RELEASE a: insert author 12", "RELEASE a: insert author 14", "COMMIT: willCommit",
        "COMMIT: didCommit",
      ]
    ),
    (
      "BEGIN; SAVEPOINT a; i22; SAVEPOINT b; i23; ROLLBACK TO a; i24; RELEASE a; COMMIT",
      ["RELEASE a: insert author 24", "COMMIT: willCommit", "COMMIT: didCommit"]
    ),
    (
      "BEGIN; SAVEPOINT a; i32; COMMIT",
      ["COMMIT: insert author 32", "COMMIT: willCommit", "COMMIT: didCommit"]
    ),
    (
      "SAVEPOINT a; i42; SAVEPOINT b; i43; RELEASE b; RELEASE a",
      [
        "RELEASE a: insert author 42", "RELEASE a: insert author 43", "RELEASE a: willCommit",
        "RELEASE a: didCommit",
      ]
    ),
    (
      "SAVEPOINT a; i52; ROLLBACK TO a; RELEASE a",
      ["RELEASE a: willCommit", "RELEASE a: didCommit"]
    ),
    ("SAVEPOINT a; i62; ROLLBACK", ["ROLLBACK: didRollback"]),
    (
      "SAVEPOINT \"\u{e9}\"; i66; SAVEPOINT \"e\u{301}\"; i67; ROLLBACK TO \"\u{e9}\"; COMMIT",
      ["COMMIT: willCommit", "COMMIT: didCommit"]
    ),
    (
      """
      BEGIN; SAVEPOINT a; i71; SAVEPOINT A; i72; ROLLBACK TO a; RELEASE A; i73; release a; COMMIT
      """,
      [
        "release a: insert author 71", "release a: insert author 73", "COMMIT: willCommit",
        "COMMIT: didCommit",
      ]
    ),
  ]

  @Test(arguments: runs)
  func `the changes of savepoints`(statements: String, calls: [String]) throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      var lines: [String] = []
      for statement in statements.split(separator: "; ").map(String.init) {
        let sql =
          statement.first == "i"
          ? "INSERT INTO author (id) VALUES (\(statement.dropFirst()))" : statement
        try db.execute(sql: sql)
        lines += log.take().map { "\(statement): \($0)" }
      }
      #expect(lines == calls)
    }
  }

  @Test func `the first inSavepoint outside of a transaction is a transaction`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO note VALUES ('a')")
        #expect(log.take() == ["insert note 1"])
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO note VALUES ('b')")
          #expect(log.take() == [])
          return .commit
        }
        #expect(log.take() == ["insert note 2"])
        return .commit
      }
      #expect(log.take() == ["willCommit", "didCommit"])
    }
  }

  @Test func `an observer that comes while a savepoint is open gets later events only`() throws {
    try withShop { db throws in
      let log = EventLog()
      try db.execute(sql: "BEGIN; SAVEPOINT a; INSERT INTO note VALUES ('a')")
      db.add(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('b')")
      #expect(log.take() == [])
      try db.execute(sql: "RELEASE a; COMMIT")
      #expect(log.take() == ["insert note 2", "willCommit", "didCommit"])
    }
  }

  @Test func `an observer that goes meanwhile gets the events of earlier statements`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.execute(sql: "BEGIN; SAVEPOINT a; INSERT INTO note VALUES ('a')")
      db.remove(transactionObserver: log)
      try db.execute(sql: "INSERT INTO note VALUES ('b')")
      try db.execute(sql: "RELEASE a; COMMIT")
      #expect(log.take() == ["insert note 1"])
    }
  }

  @Test func `unspecified changes don't wait for the savepoint`() throws {
    try withShop { db throws in
      let log = EventLog()
      db.add(transactionObserver: log)
      try db.execute(sql: "BEGIN; SAVEPOINT a")
      try db.notifyChanges(in: Table("note"))
      #expect(log.take() == ["change"])
      try db.execute(sql: "ROLLBACK TO a; RELEASE a; COMMIT")
      #expect(log.take() == ["willCommit", "didCommit"])
    }
  }
}
