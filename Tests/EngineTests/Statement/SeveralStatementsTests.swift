import Quarry
import QuarryTestSupport
import Testing

@Suite("Several statements in one text")
struct SeveralStatementsTests {
  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
      return try body(db)
    }
  }

  private func rows(_ db: Database) throws -> [[DatabaseValue]] {
    try Row.fetchAll(db, sql: "SELECT a, b FROM t ORDER BY a").map { Array($0.databaseValues) }
  }

  @Test func `statements run in order, each compiled after the former ones ran`() throws {
    try inDatabase { db in
      try db.execute(
        sql: """
          ;; -- First of all
          CREATE TABLE u (c);
          INSERT INTO u VALUES (1); ;
          /* and then */ INSERT INTO u SELECT c + 1 FROM u;
          -- That's all
          """)
      #expect(try Int.fetchAll(db, sql: "SELECT c FROM u") == [1, 2])
    }
  }

  @Test(arguments: ["", ";", " -- nothing", "\n;;\n"])
  func `a text without statement does nothing`(sql: String) throws {
    try inDatabase { db in
      try db.execute(sql: sql)
      #expect(try db.allStatements(sql: sql).next() == nil)
    }
  }

  @Test func `a pragma behind the only statement does not act`() throws {
    try inDatabase { db in
      for sql in [
        "SELECT 1; PRAGMA foreign_keys = OFF", "SELECT 1; -- and\nPRAGMA foreign_keys = 0",
      ] {
        let error = databaseError { try db.makeStatement(sql: sql) }
        #expect(error?.message?.hasPrefix("Multiple statements found") == true)
      }
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      for sql in ["SELECT 1;", "SELECT 1 -- all", "SELECT 1; /* all", "SELECT 1;\n;; -- all\n"] {
        try #expect(Int.fetchOne(db, sql: sql) == 1)
      }
    }
  }

  @Test func `positional arguments are consumed in sequence`() throws {
    try inDatabase { db in
      try db.execute(
        sql: "INSERT INTO t VALUES (?, ?); SELECT 1; INSERT INTO t VALUES (?, ?)",
        arguments: [1, 2, 3, nil])
      #expect(try rows(db) == [[1.databaseValue, 2.databaseValue], [3.databaseValue, .null]])
    }
  }

  @Test func `named arguments are for all statements`() throws {
    try inDatabase { db in
      try db.execute(
        sql: "INSERT INTO t VALUES (:a, :b); INSERT INTO t VALUES (?, :b)",
        arguments: ["a": 1, "b": 2] + [3])
      #expect(try rows(db) == [[1, 2], [3, 2]].map { $0.map(\.databaseValue) })
    }
  }

  @Test
  func
    `too few arguments are an error of the statement that lacks them, with the number left for it`()
    throws
  {
    try inDatabase { db throws in
      #expect(
        errorText {
          try db.execute(
            sql: "INSERT INTO t VALUES (?, ?);INSERT INTO t VALUES (3, ?)", arguments: [1, 2])
        } == """
          SQLite error 21: wrong number of statement arguments: 0
          the statement has 1 parameter
          - while executing `INSERT INTO t VALUES (3, ?)`
          """)
      #expect(try rows(db) == [[1, 2].map(\.databaseValue)])
      #expect(
        errorText {
          try db.execute(
            sql: "INSERT INTO t VALUES (4, ?);INSERT INTO t VALUES (?, ?)", arguments: [1, 2])
        } == """
          SQLite error 21: wrong number of statement arguments: 1
          the statement has 2 parameters
          - while executing `INSERT INTO t VALUES (?, ?)`
          """)
    }
  }

  @Test func `too many arguments are an error at the end`() throws {
    try inDatabase { db throws in
      #expect(
        errorText {
          try db.execute(
            sql: "INSERT INTO t VALUES (?, ?); INSERT INTO t VALUES (?, ?)",
            arguments: [1, 2, 3, 4, 5])
        } == """
          SQLite error 21: wrong number of statement arguments: 5
          the statements have 4 parameters
          """)
      #expect(try rows(db).count == 2)
    }
  }

  @Test func `a missing named argument is an error`() throws {
    try inDatabase { db in
      #expect(
        errorText {
          try db.execute(
            sql: "INSERT INTO t VALUES (:a, 1); INSERT INTO t VALUES (:b, 1)",
            arguments: ["a": 1])
        } == """
          SQLite error 21: missing statement argument: b - while executing \
          `INSERT INTO t VALUES (:b, 1)`
          """)
    }
  }

  @Test func `a statement that fails is reported, and the former ones have run`() throws {
    try inDatabase { db throws in
      let error = databaseError {
        try db.execute(
          sql: "INSERT INTO t VALUES (1, 1);INSERT INTO t VALUES (1, 2);INSERT INTO t VALUES (3, 3)"
        )
      }
      #expect(error?.sql == "INSERT INTO t VALUES (1, 2)")
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(try rows(db) == [[1, 1].map(\.databaseValue)])
    }
  }

  @Test func `a mistake is reported with the rest of the text`() throws {
    try inDatabase { db throws in
      let error = databaseError {
        try db.execute(sql: "INSERT INTO t VALUES (1, 1);SELECT * FORM t;SELECT 2")
      }
      #expect(error?.sql == "SELECT * FORM t;SELECT 2")
      #expect(error?.message == #"near "FORM": syntax error"#)
      #expect(error?.sqlOffset == 9)
      #expect(try rows(db).count == 1)
    }
  }

  @Test func `the statements can be had one by one, with their arguments`() throws {
    try inDatabase { db in
      let cursor = try db.allStatements(
        sql: "SELECT ? AS a; ; SELECT ?, ? ;SELECT 3", arguments: [1, 2, 3])
      let first = try #require(try cursor.next())
      #expect(first.sql == "SELECT ? AS a")
      #expect(try Row.fetchAll(first) == [["a": 1]])
      let second = try #require(try cursor.next())
      #expect(second.arguments == [2, 3])
      let row = try #require(try Row.fetchOne(second))
      #expect(Array(row.databaseValues) == [2, 3].map(\.databaseValue))
      #expect(try cursor.next()?.sql == "SELECT 3")
      #expect(try cursor.next() == nil)
      #expect(try cursor.next() == nil)
      #expect(try Row.fetchAll(first) == [["a": 1]])
    }
  }

  @Test func `without arguments, the statements are left to be bound`() throws {
    try inDatabase { db in
      let cursor = try db.allStatements(sql: "SELECT ?; SELECT ?")
      var values: [Int?] = []
      while let statement = try cursor.next() {
        values.append(try Int.fetchOne(statement, arguments: [values.count]))
      }
      #expect(values == [0, 1])
    }
  }

  @Test func `a mistake is reported when the cursor gets to it`() throws {
    try inDatabase { db in
      let cursor = try db.allStatements(sql: "SELECT 1; SELECT missing; SELECT 3")
      #expect(try cursor.next()?.sql == "SELECT 1")
      #expect(databaseError { try cursor.next() }?.message == "no such column: missing")
    }
  }

  @Test func `SQL literals run with their values`() throws {
    try inDatabase { db in
      let name = "O'Brien"
      try db.execute(literal: "INSERT INTO t VALUES (1, \(name)); INSERT INTO t VALUES (2, \(3))")
      let values = [[1.databaseValue, name.databaseValue], [2, 3].map(\.databaseValue)]
      #expect(try rows(db) == values)
      let query: SQL = "SELECT b FROM t WHERE a = \(1)"
      #expect(try String.fetchOne(db.makeStatement(literal: query)) == name)
      #expect(try String.fetchOne(db.cachedStatement(literal: query)) == name)
      #expect(try db.cachedStatement(literal: query) === db.cachedStatement(literal: query))
      let statements = try db.allStatements(literal: "SELECT \(1); SELECT \(2)")
      #expect(try Int.fetchOne(#require(try statements.next())) == 1)
      #expect(try Int.fetchOne(#require(try statements.next())) == 2)
      #expect(try statements.next() == nil)
    }
  }

  @Test func `literals without values leave their parameters free`() throws {
    try inDatabase { db throws in
      let made = try db.makeStatement(literal: "SELECT ? + ?")
      #expect(try Int.fetchOne(made, arguments: [1, 2]) == 3)
      #expect(
        databaseError { try Int.fetchOne(db.makeStatement(literal: "SELECT ?")) }?.resultCode
          == .SQLITE_MISUSE)

      let cached = try db.cachedStatement(literal: "SELECT :number")
      #expect(try Int.fetchOne(cached, arguments: ["number": 4]) == 4)
      #expect(try Int.fetchOne(db.cachedStatement(literal: "SELECT :number")) == 4)

      let statements = try db.allStatements(literal: "SELECT ?; SELECT 2; SELECT ? - ?")
      #expect(try Int.fetchOne(#require(try statements.next()), arguments: [5]) == 5)
      #expect(try Int.fetchOne(#require(try statements.next())) == 2)
      #expect(try Int.fetchOne(#require(try statements.next()), arguments: [9, 2]) == 7)
      #expect(try statements.next() == nil)
    }
  }

  @Test func `literals with values need one for each parameter`() throws {
    try inDatabase { db throws in
      let literal: SQL = "SELECT \(1), ?"
      let uses: [() throws -> Void] = [
        { _ = try db.makeStatement(literal: literal) },
        { _ = try db.cachedStatement(literal: literal) },
        { _ = try db.allStatements(literal: literal).next() },
        { try db.execute(literal: literal) },
        { try db.execute(literal: "SELECT ?") },
      ]
      for use in uses {
        #expect(databaseError(use)?.resultCode == .SQLITE_MISUSE)
      }
    }
  }
}
