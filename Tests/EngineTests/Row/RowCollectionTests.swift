import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// A row with the same content, whatever its storage.
enum RowStorage: CaseIterable {
  case live, copied, fetchedOne, fetchedAll, detached

  /// Calls `body` with the row of a query.
  func withRow<T>(
    _ sql: String, arguments: StatementArguments = [], adapter: (any RowAdapter)? = nil,
    _ body: (Row) throws -> T
  ) throws -> T {
    try DatabaseQueue().read { db in
      let cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
      let row: Row?
      switch self {
      case .live: row = try cursor.next()
      case .copied: row = try cursor.next()?.copy()
      case .fetchedOne:
        row = try Row.fetchOne(db, sql: sql, arguments: arguments, adapter: adapter)
      case .fetchedAll:
        row = try Row.fetchAll(db, sql: sql, arguments: arguments, adapter: adapter).first
      case .detached:
        row = try cursor.next()
        _ = try cursor.next()
      }
      return try withExtendedLifetime(cursor) { try body(#require(row)) }
    }
  }
}

@Suite("Rows as collections")
struct RowCollectionTests {
  private static let sql = "SELECT 1 AS a, 'x' AS B, NULL AS c, 2 AS A, 1.5 AS d"

  @Test(arguments: RowStorage.allCases)
  func `A row is a collection of names and values in order`(storage: RowStorage) throws {
    try storage.withRow(Self.sql) { row in
      #expect(row.count == 5)
      #expect(Array(row.columnNames) == ["a", "B", "c", "A", "d"])
      let values: [any DatabaseValueConvertible] = [1, "x", DatabaseValue.null, 2, 1.5]
      #expect(Array(row.databaseValues) == values.map(\.databaseValue))
      #expect(row.map(\.0) == ["a", "B", "c", "A", "d"])
      #expect(row.map(\.1) == Array(row.databaseValues))
      #expect(row.first?.0 == "a")
      #expect(row.last?.1 == 1.5.databaseValue)
      #expect(row.reversed().map(\.0) == ["d", "A", "c", "B", "a"])
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Indexes go from the first column to the last one`(storage: RowStorage) throws {
    try storage.withRow(Self.sql) { row in
      let second = row.index(after: row.startIndex)
      #expect(row[second].0 == "B")
      #expect(row[row.index(before: row.endIndex)].0 == "d")
      #expect(row.distance(from: row.startIndex, to: row.endIndex) == 5)
      #expect(row[row.index(row.startIndex, offsetBy: 2)].1 == .null)
      #expect(row.startIndex < second)
      #expect(second == row.startIndex.advanced(by: 1))
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Columns are found without regard to case, leftmost first`(storage: RowStorage) throws {
    try storage.withRow(Self.sql) { row throws in
      for name in ["a", "A"] {
        #expect(row[name] as Int == 1)
        #expect(try row.decode(Int.self, forColumn: name) == 1)
        #expect(row[Column(name)] as Int == 1)
        #expect(row[name] as (any DatabaseValueConvertible)? as? Int64 == 1)
      }
      #expect(row["b"] as String == "x")
      for name in ["a", "A", "b", "B", "C", "D"] { #expect(row.hasColumn(name)) }
      for name in ["e", "", "a "] { #expect(!row.hasColumn(name)) }
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `In rows with many columns too`(storage: RowStorage) throws {
    let columns = (0..<40).map { "\($0) AS column\($0)" }
    let sql = "SELECT " + (columns + ["40 AS Column7", "41 AS LAST"]).joined(separator: ", ")
    try storage.withRow(sql) { row in
      #expect(row.count == 42)
      for index in 0..<40 {
        #expect(row["column\(index)"] as Int == index)
        #expect(row["COLUMN\(index)"] as Int == index)
      }
      for index in (0..<40).reversed() { #expect(row["Column\(index)"] as Int == index) }
      #expect(row["last"] as Int == 41)
      #expect(row["column40"] as Int? == nil)
      #expect(!row.hasColumn("column40"))
    }
  }

  @Test(arguments: [2, 8, 9, 20])
  func `Names that differ by case only are duplicates`(count: Int) throws {
    let columns = (0..<count).map { "\($0) AS \($0.isMultiple(of: 2) ? "NAME" : "name")" }
    let sql = "SELECT " + columns.joined(separator: ", ")
    for storage in RowStorage.allCases {
      try storage.withRow(sql) { row in
        for name in ["NAME", "name", "Name", "NAME", "name"] {
          #expect(row[name] as Int == 0)
        }
      }
    }
  }

  @Test func `Columns without name, and with strange names, are found`() throws {
    try RowStorage.live.withRow(#"SELECT 1 AS "", 2 AS "a ""b""", 3 AS "été", 4"#) { row in
      #expect(Array(row.columnNames) == ["", #"a "b""#, "été", "4"])
      #expect(row[""] as Int == 1)
      #expect(row[#"A "B""#] as Int == 2)
      #expect(row["été"] as Int == 3)
      #expect(row["4"] as Int == 4)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `NULL values are seen`(storage: RowStorage) throws {
    try storage.withRow("SELECT 1, NULL, ''") { row in
      #expect(!row.hasNull(atIndex: 0))
      #expect(row.hasNull(atIndex: 1))
      #expect(!row.hasNull(atIndex: 2))
      #expect(row.containsNonNullValue)
    }
    try storage.withRow("SELECT NULL, NULL") { row in #expect(!row.containsNonNullValue) }
    try storage.withRow("SELECT NULL, 0") { row in #expect(row.containsNonNullValue) }
  }

  @Test(arguments: RowStorage.allCases)
  func `coalesce gives the first value that is not NULL`(storage: RowStorage) throws {
    try storage.withRow("SELECT NULL AS a, 'b' AS b, 'c' AS c") { row in
      #expect(row.coalesce(["a", "b", "c"]) as String? == "b")
      #expect(row.coalesce(["missing", "c", "b"]) as String? == "c")
      #expect(row.coalesce(["A", "C"]) as String? == "c")
      #expect(row.coalesce(["a", "missing"]) as String? == nil)
      #expect(row.coalesce([] as [String]) as String? == nil)
      let columns: [any ColumnExpression] = [Column("a"), Column("b")]
      #expect(row.coalesce(columns) as String? == "b")
    }
  }
}

@Suite("Rows made by hand")
struct RowInitialisationTests {
  @Test func `A literal keeps its order, and duplicates`() {
    let row: Row = ["b": 1, "a": nil, "B": "x"]
    #expect(Array(row.columnNames) == ["b", "a", "B"])
    #expect(Array(row.databaseValues) == [1.databaseValue, .null, "x".databaseValue])
    #expect(row["B"] as Int == 1)
  }

  @Test func `A dictionary makes a row`() {
    let values: [String: (any DatabaseValueConvertible)?] = ["a": 1, "b": nil, "c": Data([1, 2])]
    let row = Row(values)
    #expect(Set(row.columnNames) == ["a", "b", "c"])
    #expect(row["a"] as Int == 1)
    #expect(row["b"] as Int? == nil)
    #expect(row["c"] as Data == Data([1, 2]))
  }

  @Test func `A dictionary of anything makes a row when all keys and values fit`() throws {
    let row = try #require(Row(["a": 1, "b": "x"] as [AnyHashable: Any]))
    #expect(row["a"] as Int == 1)
    #expect(row["b"] as String == "x")
    #expect(Row([1: "a"] as [AnyHashable: Any]) == nil)
    struct NotConvertible {}
    #expect(Row(["a": NotConvertible()] as [AnyHashable: Any]) == nil)
  }

  @Test func `An empty row is empty`() {
    let row = Row()
    #expect(row.isEmpty)
    #expect(Array(row.columnNames) == [])
    #expect(!row.containsNonNullValue)
    #expect(row["a"] as Int? == nil)
    #expect(!row.hasColumn("a"))
    #expect(row == [:])
    #expect(row.copy() == row)
  }
}
