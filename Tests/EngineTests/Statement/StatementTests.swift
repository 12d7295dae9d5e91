import Quarry
import QuarryTestSupport
import Testing

@Suite("Prepared statements")
struct StatementTests {
  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
      return try body(db)
    }
  }

  private static let severalStatements = """
    Multiple statements found. To execute multiple statements, \
    use Database.execute(sql:) or Database.allStatements(sql:) instead.
    """

  @Test(
    arguments: [
      "SELECT 1", "SELECT 1;", "  SELECT 1 ; ", "\n\tSELECT 1;;\n ; \n",
      "SELECT 1; -- the end", "SELECT 1; /* the end */",
    ])
  func `the text of a statement has no white space and semicolons at its ends`(sql: String) throws {
    try inDatabase { db throws in
      #expect(try db.makeStatement(sql: sql).sql == "SELECT 1")
      #expect(try Int.fetchOne(db.makeStatement(sql: sql)) == 1)
      #expect(try Int.fetchOne(db, sql: sql) == 1)
      #expect(try db.cachedStatement(sql: sql).sql == "SELECT 1")
    }
  }

  @Test(
    arguments: ["", " ", ";", " ;; ", "-- nothing", "/* nothing */ ;\n"])
  func `a text without statement is an error`(sql: String) throws {
    try inDatabase { db in
      let makers = [db.makeStatement(sql:), db.cachedStatement(sql:)]
      for make in makers {
        let error = databaseError { try make(sql) }
        #expect(error?.resultCode == .SQLITE_ERROR)
        #expect(error?.message == "empty statement")
      }
    }
  }

  @Test(
    arguments: ["SELECT 1; SELECT 2", "SELECT 1;; -- one\n SELECT 2;", "SELECT 1; NO SQL AT ALL"])
  func `a text with several statements is an error`(sql: String) throws {
    try inDatabase { db in
      let makers = [db.makeStatement(sql:), db.cachedStatement(sql:)]
      for make in makers {
        let error = databaseError { try make(sql) }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message == Self.severalStatements)
      }
      let error = databaseError { try Int.fetchOne(db, sql: sql) }
      #expect(error?.message == Self.severalStatements)
    }
  }

  @Test(
    arguments: [
      ("SELECT * FORM t", #"near "FORM": syntax error"#, 9),
      ("SELECT id, nam FROM t", "no such column: nam", 11),
      ("SELECT missing(1)", "no such function: missing", 7),
      ("SELEC", #"near "SELEC": syntax error"#, 0),
    ])
  func `a mistake is an error that shows where it is`(sql: String, message: String, offset: Int)
    throws
  {
    try inDatabase { db in
      let error = databaseError { try db.makeStatement(sql: sql) }
      #expect(error?.resultCode == .SQLITE_ERROR)
      #expect(error?.message == message)
      #expect(error?.sql == sql)
      #expect(error?.sqlOffset == offset)
      #expect(
        error?.description.hasPrefix("SQLite error 1: \(message)") == true)
      #expect(error?.description.contains("- while executing `\(sql)`") == true)
      #expect(error?.description.contains("at offset \(offset)") == true)
    }
  }

  @Test func `a missing table is an error`() throws {
    try inDatabase { db in
      #expect(
        databaseError { try db.execute(sql: "DELETE FROM missing") }?.message
          == "no such table: missing")
    }
  }

  @Test func `an incomplete statement is an error`() throws {
    try inDatabase { db in
      #expect(
        databaseError { try db.makeStatement(sql: "SELECT (") }?.message == "incomplete input")
    }
  }

  @Test(
    arguments: [
      ("SELECT * FROM t", true), ("INSERT INTO t VALUES (1, 'a')", false), ("BEGIN", true),
      ("CREATE TABLE u (a)", false), ("PRAGMA user_version = 1", false),
      ("SELECT id FROM t UNION SELECT 2", true), ("DELETE FROM t RETURNING id", false),
    ])
  func `a statement knows whether it only reads`(sql: String, isReadonly: Bool) throws {
    #expect(try inDatabase { db in try db.makeStatement(sql: sql).isReadonly } == isReadonly)
  }

  @Test func `a statement knows its columns`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT id, name AS Title, 1 AS title, 2 FROM t")
      #expect(statement.columnCount == 4)
      #expect(statement.columnNames == ["id", "Title", "title", "2"])
      #expect(statement.index(ofColumn: "id") == 0)
      #expect(statement.index(ofColumn: "ID") == 0)
      #expect(statement.index(ofColumn: "title") == 1)
      #expect(statement.index(ofColumn: "TITLE") == 1)
      #expect(statement.index(ofColumn: "name") == nil)
      let insertion = try db.makeStatement(sql: "INSERT INTO t VALUES (1, 'a')")
      #expect(insertion.columnCount == 0)
      #expect(insertion.columnNames == [])
    }
  }

  @Test func `columns can be given other names`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT 1 AS a, 2 AS b")
      statement.columnNames = ["x", "y"]
      #expect(try Row.fetchAll(statement) == [["x": 1, "y": 2]])
      #expect(try Row.fetchCursor(statement).next()?["Y"] == 2)
      #expect(statement.index(ofColumn: "a") == nil)
    }
  }

  @Test func `other names of columns last until the schema gives other columns to the statement`()
    throws
  {
    try inDatabase { db in
      try db.execute(sql: "CREATE TABLE named (a, b); INSERT INTO named VALUES (1, 2)")
      let statement = try db.makeStatement(sql: "SELECT * FROM named")
      statement.columnNames = ["x", "y"]
      // SQLite compiles all statements again.
      let rows = try db.readOnly { try Row.fetchAll(statement) }
      #expect(rows == [["x": 1, "y": 2]])
      #expect(try Row.fetchAll(statement) == [["x": 1, "y": 2]])
      try db.execute(sql: "ALTER TABLE named RENAME COLUMN b TO c")
      #expect(try Row.fetchAll(statement) == [["a": 1, "c": 2]])
    }
  }

  @Test func `a statement is described by its text`() throws {
    try inDatabase { db throws in
      #expect("\(try db.makeStatement(sql: "SELECT 1;"))" == "SQL: SELECT 1")
    }
  }

  @Test func `a statement runs as often as one likes`() throws {
    try inDatabase { db in
      let insertion = try db.makeStatement(sql: "INSERT INTO t (name) VALUES (?)")
      for name in ["a", "b", "c"] { try insertion.execute(arguments: [name]) }
      try insertion.execute()
      let query = try db.makeStatement(sql: "SELECT name FROM t WHERE id >= ? ORDER BY id")
      #expect(try String.fetchAll(query, arguments: [1]) == ["a", "b", "c", "c"])
      #expect(try String.fetchAll(query, arguments: [3]) == ["c", "c"])
      #expect(try String.fetchAll(query) == ["c", "c"])
      #expect(try String.fetchOne(query, arguments: [2]) == "b")
    }
  }

  @Test func `a statement that failed runs again`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: "INSERT INTO t (id) VALUES (?)")
      try statement.execute(arguments: [1])
      let error = databaseError { try statement.execute(arguments: [1]) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(error?.sql == "INSERT INTO t (id) VALUES (?)")
      #expect(error?.arguments == [1])
      try statement.execute(arguments: [2])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM t") == [1, 2])
    }
  }

  @Test func `execute ignores the rows of a query, and RETURNING changes all rows`() throws {
    try inDatabase { db in
      try db.execute(sql: "SELECT 1; INSERT INTO t VALUES (1, 'a'), (2, 'b')")
      try db.makeStatement(sql: "UPDATE t SET name = 'c' RETURNING id").execute()
      #expect(try String.fetchAll(db, sql: "SELECT name FROM t") == ["c", "c"])
    }
  }
}
