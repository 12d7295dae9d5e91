import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A record that keeps its row, against the advice of the documentation.
private struct Keeper: FetchableRecord {
  var row: Row
}

@Suite("Rows and their cursors")
struct LiveRowTests {
  private func inDatabase<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, NULL)")
      return try body(db)
    }
  }

  private let sql = "SELECT a, b FROM t ORDER BY a"
  private let rows: [Row] = [["a": 1, "b": "x"], ["a": 2, "b": "y"], ["a": 3, "b": nil]]

  @Test func `A row that is kept keeps its values`() throws {
    try inDatabase { db in
      #expect(try Array(Row.fetchCursor(db, sql: sql)) == rows)
      let cursor = try Row.fetchCursor(db, sql: sql)
      var kept: [Row] = []
      while let row = try cursor.next() {
        kept.append(row)
        #expect(kept == Array(rows.prefix(kept.count)))
      }
      #expect(kept == rows)
    }
  }

  @Test func `A row that nobody keeps is used again`() throws {
    try inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      var identities: Set<ObjectIdentifier> = []
      while let row = try cursor.next() { identities.insert(ObjectIdentifier(row)) }
      #expect(identities.count == 1)
    }
  }

  @Test func `A row whose scopes are read is used again when nobody keeps them`() throws {
    try inDatabase { db in
      let adapter = ScopeAdapter(["b": ScopeAdapter(["c": SuffixRowAdapter(fromIndex: 1)])])
      let cursor = try Row.fetchCursor(db, sql: sql, adapter: adapter)
      var rows: Set<ObjectIdentifier> = []
      var scopes: Set<ObjectIdentifier> = []
      while let row = try cursor.next() {
        rows.insert(ObjectIdentifier(row))
        let scope = try #require(row.scopes["b"]?.scopes["c"])
        scopes.insert(ObjectIdentifier(scope))
      }
      // A row that replaces another one is made before that one is freed: two addresses.
      #expect(rows.count == 1)
      #expect(scopes.count == 1)
    }
  }

  @Test func `The row of a fetch serves the next fetch when nobody keeps it`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      let used = try useRow(of: statement)
      #expect(used.row != nil)
      let cursor = try Row.fetchCursor(statement)
      #expect(try cursor.next() === used.row)
    }
  }

  private struct UsedRow {
    weak var row: Row?
  }

  // Neither function is inlined: optimizers release the row and the cursor when they return, and
  // not in another order.

  @inline(never) private func useRow(of statement: Statement) throws -> UsedRow {
    let cursor = try Row.fetchCursor(statement)
    return try withExtendedLifetime(cursor) { try nextRow(of: cursor) }
  }

  @inline(never) private func nextRow(of cursor: RowCursor) throws -> UsedRow {
    UsedRow(row: try cursor.next())
  }

  @Test func `A row outlives its cursor, its access, and its database`() throws {
    let row = try inDatabase { db in try Row.fetchCursor(db, sql: sql).next() }
    #expect(row == rows[0])
    #expect(row?["b"] as String? == "x")
    let last = try inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      var last: Row?
      while let row = try cursor.next() { last = row }
      return last
    }
    #expect(last == rows[2])
  }

  @Test func `A row outlives a cursor that fails`() throws {
    try inDatabase { db in
      let cursor = try Row.fetchCursor(
        db,
        sql: "SELECT a, abs(CASE a WHEN 2 THEN -9223372036854775808 ELSE a END) AS b FROM t")
      let row = try cursor.next()
      #expect(throws: DatabaseError.self) { try cursor.next() }
      #expect(row == ["a": 1, "b": 1])
    }
  }

  @Test func `A row outlives the next execution of its statement`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT a, b FROM t WHERE a = ?")
      let first = try Row.fetchCursor(statement, arguments: [1])
      let row = try #require(try first.next())
      let second = try Row.fetchCursor(statement, arguments: [2])
      #expect(try second.next() == rows[1])
      #expect(row == rows[0])
      #expect(try Row.fetchAll(statement, arguments: [3]) == [rows[2]])
      #expect(row == rows[0])
      try statement.setArguments([3])
      #expect(row == rows[0])
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test func `A cursor that is released leaves the next execution of its statement alone`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      var first: RowCursor? = try Row.fetchCursor(statement)
      let row = try first?.next()
      let second = try Row.fetchCursor(statement)
      #expect(try second.next() == rows[0])
      first = nil
      #expect(try second.next() == rows[1])
      #expect(row == rows[0])
      #expect(try second.next() == rows[2])
      #expect(try second.next() == nil)
    }
  }

  @Test func `A statement that is executed while a cursor is on it starts from its first row`()
    throws
  {
    try inDatabase { db in
      let statement = try db.makeStatement(
        sql: "INSERT INTO t VALUES (4, ?), (5, ?) RETURNING a, b")
      let cursor = try Row.fetchCursor(statement, arguments: ["v", "w"])
      let row = try cursor.next()
      try statement.execute(arguments: ["p", "q"])
      #expect(row == ["a": 4, "b": "v"])
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 7)
      withExtendedLifetime(cursor) {}
    }
  }

  @Test(arguments: [1, 100, 2_000_000])
  func `Texts of arguments in a row that is kept are copied`(length: Int) throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS text, ? AS data")
      var kept: [Row] = []
      var expected: [Row] = []
      for letter in ["a", "b", "c"] {
        let text = String(repeating: letter, count: length)
        let arguments: StatementArguments = [text, Data(text.utf8)]
        kept.append(try #require(try Row.fetchCursor(statement, arguments: arguments).next()))
        expected.append(["text": text, "data": Data(text.utf8)])
      }
      try statement.setArguments(["", Data()])
      #expect(kept == expected)
      #expect(try Row.fetchOne(statement) == ["text": "", "data": Data()])
    }
  }

  @Test func `A copy keeps its values`() throws {
    try inDatabase { db in
      let cursor = try Row.fetchCursor(db, sql: sql)
      var copies: [Row] = []
      while let row = try cursor.next() {
        let copy = row.copy()
        #expect(copy == row)
        #expect(copy !== row)
        copies.append(copy)
      }
      #expect(copies == rows)
      #expect(copies.map { $0.copy() } == rows)
    }
  }

  @Test func `Rows of different layouts come from one statement`() throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      #expect(try Row.fetchCursor(statement).next() == rows[0])
      let suffix = SuffixRowAdapter(fromIndex: 1)
      #expect(try Row.fetchCursor(statement, adapter: suffix).next() == ["b": "x"])
      #expect(try Row.fetchCursor(statement).next() == rows[0])
    }
  }

  @Test func `Scopes that are kept keep their values`() throws {
    try inDatabase { db in
      let adapter = ScopeAdapter([
        "all": ScopeAdapter(["b": SuffixRowAdapter(fromIndex: 1)])
      ])
      let cursor = try Row.fetchCursor(db, sql: sql, adapter: adapter)
      var scopes: [Row] = []
      var nested: [Row] = []
      var some: [Row] = []
      while let row = try cursor.next() {
        if row["a"] == 2 { some.append(row) }
        scopes.append(try #require(row.scopes["all"]))
        nested.append(try #require(row.scopesTree["b"]))
      }
      #expect(scopes.map(\.unscoped) == rows)
      #expect(nested == [["b": "x"], ["b": "y"], ["b": nil]])
      #expect(some.map(\.unscoped) == [rows[1]])
      #expect(some.first?.scopes["all"]?.scopes["b"] == ["b": "y"])
    }
  }

  @Test func `Scopes move with their row`() throws {
    try inDatabase { db in
      let adapter = ScopeAdapter(["b": SuffixRowAdapter(fromIndex: 1)])
      let cursor = try Row.fetchCursor(db, sql: sql, adapter: adapter)
      var values: [String?] = []
      while let row = try cursor.next() { values.append(row.scopes["b"]?["b"]) }
      #expect(values == ["x", "y", nil])
    }
  }

  @Test func `Records that keep their row keep its values`() throws {
    try inDatabase { db throws in
      #expect(try Keeper.fetchAll(db, sql: sql).map(\.row) == rows)
      #expect(try Keeper.fetchOne(db, sql: sql)?.row == rows[0])
      #expect(try Array(Keeper.fetchCursor(db, sql: sql)).map(\.row) == rows)
    }
  }
}

@Suite("Rows in memory")
struct RowBatchTests {
  private static let sql = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ?)
    SELECT i, 'text' || i AS t, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN i / 2.0 ELSE x'FF' END AS v
    FROM n
    """

  @Test(arguments: [0, 1, 2, 4, 5, 511, 512, 513, 1024, 1025, 3000])
  func `Rows are fetched in any number, with their own values`(count: Int) throws {
    let rows = try DatabaseQueue().read { db in
      try Row.fetchAll(db, sql: Self.sql, arguments: [count])
    }
    #expect(rows.count == count)
    for (index, row) in rows.enumerated() {
      let value: DatabaseValue =
        switch index % 3 {
        case 0: .null
        case 1: (Double(index) / 2).databaseValue
        default: Data([0xFF]).databaseValue
        }
      let expected = [index.databaseValue, "text\(index)".databaseValue, value]
      #expect(Array(row.databaseValues) == expected)
    }
  }

  @Test func `Distinct rows are fetched`() throws {
    let rows = try DatabaseQueue().read { db in
      try Row.fetchSet(db, sql: "SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 1")
    }
    #expect(rows == [["a": 1], ["a": 2]])
  }

  @Test func `Rows are read by several threads`() throws {
    let rows = try DatabaseQueue().read { db in
      try Row.fetchAll(db, sql: Self.sql, arguments: [2000])
    }
    nonisolated(unsafe) let shared = rows
    let sums = Log<Int>()
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      var sum = 0
      for index in stride(from: worker, to: shared.count, by: 4) {
        let value: Int = shared[index]["i"]
        sum += value
      }
      sums.append(sum)
    }
    #expect(sums.elements.reduce(0, +) == 1_999_000)
  }
}
