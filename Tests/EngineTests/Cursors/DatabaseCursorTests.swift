import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Database cursors")
struct DatabaseCursorTests {
  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
      return try body(db)
    }
  }

  private let sql = "SELECT a, b FROM t ORDER BY a"

  @Test func `a cursor gives the elements, and then nil for ever`() throws {
    try inDatabase { db in
      let cursor = try Int.fetchCursor(db, sql: sql)
      for expected in [1, 2, 3, nil, nil, nil] {
        #expect(try cursor.next() == expected)
      }
      let rows = try Row.fetchCursor(db, sql: sql)
      for expected in ["x", "y", "z", nil, nil] {
        #expect(try rows.next()?["b"] as String? == expected)
      }
    }
  }

  @Test func `a cursor reports its query`() throws {
    try inDatabase { db in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT a, b AS Name FROM t WHERE a > ?;", arguments: [1])
      #expect(cursor.sql == "SELECT a, b AS Name FROM t WHERE a > ?")
      #expect(cursor.arguments == [1])
      #expect(cursor.columnNames == ["a", "Name"])
      #expect(cursor.columnCount == 2)
    }
  }

  @Test func `a cursor steps lazily`() throws {
    let recorder = SQLRecorder()
    let queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in
      _ = recorder.take()
      let cursor = try Int.fetchCursor(
        db, sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
      #expect(recorder.take() == [])
      #expect(try Array(cursor.prefix(3)) == [1, 2, 3])
      #expect(recorder.take().count == 1)
    }
  }

  @Test func `a cursor whose query fails throws, for ever`() throws {
    try inDatabase { db in
      let failingSQL = "SELECT a, abs(CASE a WHEN 2 THEN -9223372036854775808 ELSE a END) FROM t"
      let rows = try Row.fetchCursor(db, sql: failingSQL)
      #expect(try rows.next()?[0] == 1)
      for _ in 1...3 {
        let error = databaseError { try rows.next() }
        #expect(error?.message == "integer overflow")
        #expect(error?.sql == failingSQL)
      }
      // The statement has ended.
      try db.execute(sql: "DROP TABLE t")
    }
  }

  @Test func `a cursor that can't begin throws, for ever`() throws {
    try inDatabase { db in
      let cursor = try Int.fetchCursor(db, sql: "SELECT abs(-9223372036854775808)")
      for _ in 1...2 {
        #expect(databaseError { try cursor.next() }?.message == "integer overflow")
      }
    }
  }

  @Test func `a cursor goes on after an element that can't be decoded`() throws {
    try inDatabase { db in
      let values = try Int.fetchCursor(db, sql: "SELECT NULLIF(a, 2) FROM t ORDER BY a")
      #expect(try values.next() == 1)
      #expect(throws: RowDecodingError.self) { try values.next() }
      #expect(try values.next() == 3)
      #expect(try values.next() == nil)
    }
  }

  @Test func `a cursor that is released ends its query`() throws {
    try inDatabase { db in
      var cursor: FastDatabaseValueCursor<Int>? = try Int.fetchCursor(db, sql: sql)
      _ = try cursor?.next()
      let error = databaseError { try db.execute(sql: "DROP TABLE t") }
      #expect(error?.message == "database table is locked")
      cursor = nil
      try db.execute(sql: "DROP TABLE t")
    }
  }

  @Test func `a statement that is fetched again starts from its first row`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      let cursor = try Int.fetchCursor(statement)
      #expect(try cursor.next() == 1)
      #expect(try Int.fetchAll(statement) == [1, 2, 3])
      #expect(try Int.fetchCursor(statement).next() == 1)
    }
  }

  @Test func `a cursor whose statement is executed again throws`() throws {
    let executions: [(Statement) throws -> Void] = [
      { try $0.execute() },
      { _ = try Int.fetchAll($0) },
      { _ = try Row.fetchOne($0) },
      { _ = try Row.fetchCursor($0) },
      { try $0.setArguments([1]) },
    ]
    try inDatabase { db in
      for execution in executions {
        let statement = try db.cachedStatement(sql: "SELECT a FROM t WHERE a >= ? ORDER BY a")
        let cursor = try Int.fetchCursor(statement, arguments: [1])
        let rows: [Int?] = [try cursor.next()]
        try execution(statement)
        #expect(rows == [1])
        for _ in 1...2 {
          let error = databaseError { try cursor.next() }
          #expect(error?.resultCode == .SQLITE_MISUSE)
          #expect(error?.message == "the statement of the cursor was executed again")
        }
        #expect(try Int.fetchAll(statement, arguments: [2]) == [2, 3])
      }
    }
  }

  @Test func `two cursors on different statements advance side by side`() throws {
    try inDatabase { db in
      let up = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a")
      let down = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a DESC")
      var sums: [Int] = []
      while let left = try up.next(), let right = try down.next() { sums.append(left * 10 + right) }
      #expect(sums == [13, 22, 31])
    }
  }

  @Test func `a cursor on a statement that returns no row is empty`() throws {
    try inDatabase { db throws in
      #expect(try Row.fetchCursor(db, sql: "INSERT INTO t VALUES (4, NULL)").next() == nil)
      #expect(try Row.fetchAll(db, sql: "DELETE FROM t WHERE a < 3") == [])
      #expect(try Int.fetchOne(db, sql: "DELETE FROM t WHERE a = 3") == nil)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [4])
    }
  }
}

@Suite("Fetching values")
struct ValueFetchingTests {
  private enum Color: String, DatabaseValueConvertible {
    case red, green
  }

  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().read(body)
  }

  @Test func `values are the first column, whatever the others are`() throws {
    try inDatabase { db throws in
      let sql = "SELECT 1, 'a' UNION ALL SELECT 2, 'b' UNION ALL SELECT 1, 'c'"
      #expect(try Int.fetchAll(db, sql: sql) == [1, 2, 1])
      #expect(try Int.fetchSet(db, sql: sql) == [1, 2])
      #expect(try Int.fetchOne(db, sql: sql) == 1)
      #expect(try Array(Int.fetchCursor(db, sql: sql)) == [1, 2, 1])
      #expect(try DatabaseValue.fetchAll(db, sql: sql) == [1, 2, 1].map(\.databaseValue))
    }
  }

  @Test func `an adapter chooses the column`() throws {
    try inDatabase { db throws in
      let sql = "SELECT 1 AS a, 2 AS b, 'red' AS c"
      let adapters: [any RowAdapter] = [
        SuffixRowAdapter(fromIndex: 1), RangeRowAdapter(1..<2), ColumnMapping(["x": "b"]),
      ]
      for adapter in adapters {
        #expect(try Int.fetchOne(db, sql: sql, adapter: adapter) == 2)
        #expect(try Int.fetchAll(db, sql: sql, adapter: adapter) == [2])
        #expect(try Int.fetchSet(db, sql: sql, adapter: adapter) == [2])
        #expect(try Int.fetchCursor(db, sql: sql, adapter: adapter).next() == 2)
      }
      let last = SuffixRowAdapter(fromIndex: 2)
      #expect(try Color.fetchAll(db, sql: sql, adapter: last) == [.red])
      let error = errorText {
        try Int.fetchAll(db, sql: "SELECT 1 AS a, NULL AS b", adapter: adapters[0])
      }
      #expect(
        error == """
          could not decode Int from database value NULL - column: "b", column index: 0, \
          row: [b:NULL], sql: `SELECT 1 AS a, NULL AS b`, arguments: []
          """)
    }
  }

  @Test func `an adapter without column has no value`() throws {
    try inDatabase { db -> Void in
      #expect(throws: (any Error).self) {
        try Int.fetchAll(db, sql: "SELECT 1", adapter: EmptyRowAdapter())
      }
    }
  }

  @Test func `fetchOne is nil without row, and for NULL`() throws {
    try inDatabase { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
      #expect(try Int.fetchOne(db, sql: "SELECT NULL UNION ALL SELECT 1") == nil)
      #expect(try Color.fetchOne(db, sql: "SELECT 'red' WHERE 0") == nil)
      #expect(try Color.fetchOne(db, sql: "SELECT NULL") == nil)
    }
  }

  @Test func `NULL is an error for types that are not optional`() throws {
    try inDatabase { db throws in
      let sql = "SELECT ? AS n"
      let text = """
        from database value NULL - column: "n", column index: 0, row: [n:NULL], \
        sql: `SELECT ? AS n`, arguments: [NULL]
        """
      let fetches: [(String, () throws -> Any)] = [
        ("Int", { try Int.fetchAll(db, sql: sql, arguments: [nil]) }),
        ("Int", { try Int.fetchSet(db, sql: sql, arguments: [nil]) }),
        ("Int", { try Int.fetchCursor(db, sql: sql, arguments: [nil]).next() as Any }),
        ("String", { try String.fetchAll(db, sql: sql, arguments: [nil]) }),
        ("Date", { try Date.fetchAll(db, sql: sql, arguments: [nil]) }),
        ("Color", { try Color.fetchAll(db, sql: sql, arguments: [nil]) }),
        ("Color", { try Color.fetchCursor(db, sql: sql, arguments: [nil]).next() as Any }),
      ]
      for (type, fetch) in fetches {
        #expect(errorText(fetch) == "could not decode \(type) " + text)
      }
      #expect(try Int?.fetchAll(db, sql: sql, arguments: [nil]) == [nil])
      #expect(try Color?.fetchAll(db, sql: sql, arguments: [nil]) == [nil])
      #expect(try Int?.fetchAll(db, sql: "SELECT 1 UNION ALL SELECT NULL") == [1, nil])
    }
  }

  @Test func `a value that does not convert is an error`() throws {
    try inDatabase { db in
      #expect(
        errorText { try Int8.fetchAll(db, sql: "SELECT 1000 AS n, ? AS m", arguments: ["x"]) }
          == """
          could not decode Int8 from database value 1000 - column: "n", column index: 0, \
          row: [n:1000 m:"x"], sql: `SELECT 1000 AS n, ? AS m`, arguments: ["x"]
          """)
      let sql = "SELECT 'purple' AS c"
      let details = """
        from database value "purple" - column: "c", column index: 0, row: [c:"purple"], \
        sql: `SELECT 'purple' AS c`, arguments: []
        """
      #expect(errorText { try Color.fetchAll(db, sql: sql) } == "could not decode Color " + details)
      #expect(
        errorText { try Color?.fetchAll(db, sql: sql) }
          == "could not decode Optional<Color> " + details)
      #expect(throws: RowDecodingError.self) { try Color.fetchOne(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Date.fetchOne(db, sql: "SELECT 'tomorrow'") }
    }
  }
}
