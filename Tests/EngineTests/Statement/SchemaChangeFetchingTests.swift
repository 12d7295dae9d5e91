import Quarry
import QuarryTestSupport
import Testing

/// Who changes the schema.
enum SchemaChanger: CaseIterable {
  case sameConnection, otherConnection
}

@Suite("Statements and changes of the schema")
struct SchemaChangeFetchingTests {
  private struct Item: FetchableRecord, Equatable {
    var a: Int
    var b: String?
    var names: [String]

    init(row: Row) {
      a = row["a"]
      b = row["b"]
      names = Array(row.columnNames)
    }
  }

  private static let sql = "SELECT * FROM t"

  /// Calls `body` with a connection, and a function that changes the schema.
  private func withTable(
    _ changer: SchemaChanger, _ body: (Database, (String) throws -> Void) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      let other = try DatabaseQueue(path: path)
      try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE t (z, a); INSERT INTO t VALUES (0, 1)")
        try body(db) { sql in
          switch changer {
          case .sameConnection: try db.execute(sql: sql)
          case .otherConnection: try other.inDatabase { db in try db.execute(sql: sql) }
          }
        }
      }
    }
  }

  @Test(arguments: SchemaChanger.allCases)
  func `new columns are seen by statements of the cache`(changer: SchemaChanger) throws {
    try withTable(changer) { db, change in
      #expect(try Row.fetchAll(db, sql: Self.sql) == [["z": 0, "a": 1]])
      #expect(try Row.fetchOne(db, sql: Self.sql) == ["z": 0, "a": 1])
      #expect(try Row.fetchCursor(db, sql: Self.sql).next()?.count == 2)
      #expect(try Item.fetchAll(db, sql: Self.sql).first?.names == ["z", "a"])
      try change("ALTER TABLE t ADD COLUMN b DEFAULT 'new'")
      #expect(try Row.fetchAll(db, sql: Self.sql) == [["z": 0, "a": 1, "b": "new"]])
    }
    try withTable(changer) { db, change in
      #expect(try Row.fetchOne(db, sql: Self.sql) == ["z": 0, "a": 1])
      try change("ALTER TABLE t ADD COLUMN b DEFAULT 'new'")
      #expect(try Row.fetchOne(db, sql: Self.sql) == ["z": 0, "a": 1, "b": "new"])
    }
    try withTable(changer) { db, change in
      #expect(try Row.fetchCursor(db, sql: Self.sql).next()?.count == 2)
      try change("ALTER TABLE t ADD COLUMN b DEFAULT 'new'")
      #expect(try Row.fetchCursor(db, sql: Self.sql).next()?.count == 3)
    }
  }

  @Test(arguments: SchemaChanger.allCases)
  func `records see new columns, and the new places of others`(changer: SchemaChanger) throws {
    try withTable(changer) { db, change in
      let before = try Item.fetchAll(db, sql: Self.sql)
      #expect(before.map(\.a) == [1])
      #expect(before.map(\.b) == [nil])
      try change("ALTER TABLE t ADD COLUMN b DEFAULT 'new'; ALTER TABLE t DROP COLUMN z")
      let after = try Item.fetchAll(db, sql: Self.sql)
      #expect(after.map(\.a) == [1])
      #expect(after.map(\.b) == ["new"])
      #expect(after.map(\.names) == [["a", "b"]])
    }
  }

  @Test(arguments: SchemaChanger.allCases)
  func `a statement that is kept sees new columns`(changer: SchemaChanger) throws {
    try withTable(changer) { db, change in
      let statement = try db.makeStatement(sql: Self.sql)
      #expect(try Row.fetchAll(statement) == [["z": 0, "a": 1]])
      try change("ALTER TABLE t RENAME COLUMN a TO renamed; ALTER TABLE t ADD COLUMN b DEFAULT 2")
      #expect(try Row.fetchAll(statement) == [["z": 0, "renamed": 1, "b": 2]])
      #expect(statement.columnNames == ["z", "renamed", "b"])
      #expect(statement.columnCount == 3)
      #expect(statement.index(ofColumn: "b") == 2)
      #expect(try Row.fetchCursor(statement).next()?["b"] == 2)
    }
  }

  @Test(arguments: SchemaChanger.allCases)
  func `adapters are applied to the new columns`(changer: SchemaChanger) throws {
    try withTable(changer) { db, change in
      let adapter = ScopeAdapter(["rest": SuffixRowAdapter(fromIndex: 1)])
      func rest() throws -> Row? {
        try Row.fetchOne(db, sql: Self.sql, adapter: adapter)?.scopes["rest"]
      }
      #expect(try rest() == ["a": 1])
      try change("ALTER TABLE t ADD COLUMN b DEFAULT 2")
      #expect(try rest() == ["a": 1, "b": 2])
      let valueAdapter = ColumnMapping(["value": "b"])
      #expect(try Int.fetchAll(db, sql: Self.sql, adapter: valueAdapter) == [2])
      try change("ALTER TABLE t DROP COLUMN z")
      #expect(try Int.fetchAll(db, sql: Self.sql, adapter: valueAdapter) == [2])
    }
  }

  @Test func `a change that is rolled back is seen as well`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      try db.inTransaction {
        try db.execute(sql: "ALTER TABLE t ADD COLUMN b")
        #expect(try Row.fetchOne(db, sql: Self.sql)?.count == 2)
        return .rollback
      }
      #expect(try Row.fetchOne(db, sql: Self.sql)?.count == 1)
    }
  }

  @Test(arguments: SchemaChanger.allCases)
  func `a table that disappears is an error`(changer: SchemaChanger) throws {
    try withTable(changer) { db, change in
      #expect(try Row.fetchAll(db, sql: Self.sql).count == 1)
      try change("DROP TABLE t")
      #expect(
        databaseError { try Row.fetchAll(db, sql: Self.sql) }?.message == "no such table: t")
      try change("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
      #expect(try Row.fetchAll(db, sql: Self.sql) == [["a": 5]])
    }
  }

  @Test(
    arguments: [
      "INSERT INTO t (z) VALUES (2)", "UPDATE t SET z = 3", "DELETE FROM t",
      "SELECT * FROM t WHERE z = 99",
    ])
  func `a statement that returns no row reports that another connection changed the schema`(
    sql: String
  ) throws {
    try withTable(.otherConnection) { db, change in
      let statement = try db.makeStatement(sql: sql)
      try statement.execute()
      #expect(try db.columns(in: "t").map(\.name) == ["z", "a"])
      try change("ALTER TABLE t ADD COLUMN b")
      try statement.execute()
      #expect(try db.columns(in: "t").map(\.name) == ["z", "a", "b"])
    }
  }

  @Test func `a statement that fails reports that another connection changed the schema`() throws {
    try withTable(.otherConnection) { db, change in
      let statement = try db.makeStatement(sql: "INSERT INTO t (z) VALUES (2)")
      #expect(try db.tableExists("t"))
      try change("DROP TABLE t")
      #expect(databaseError { try statement.execute() }?.message == "no such table: t")
      #expect(try !db.tableExists("t"))
      try change("CREATE TABLE t (b)")
      #expect(databaseError { try db.execute(sql: "SELECT a FROM t") }?.sqlOffset == 7)
      #expect(try db.columns(in: "t").map(\.name) == ["b"])
    }
  }

  @Test func `records are inserted in a table that another connection has changed`() throws {
    struct Line: Codable, PersistableRecord, FetchableRecord, Equatable {
      static let databaseTableName = "t"
      var z: Int
    }
    try withTable(.otherConnection) { db, change in
      try Line(z: 1).insert(db)
      try change("DROP TABLE t; CREATE TABLE t (z INTEGER PRIMARY KEY, b)")
      try Line(z: 2).insert(db)
      #expect(try db.primaryKey("t").columns == ["z"])
      #expect(try Line.fetchOne(db, key: 2) == Line(z: 2))
    }
  }
}
