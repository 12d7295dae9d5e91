import Quarry
import QuarryTestSupport
import Testing

@Suite("Row adapters")
struct RowAdapterTests {
  private static let sql = "SELECT 0 AS a, 1 AS b, 2 AS c, 3 AS d"

  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var adapter: any RowAdapter
    var row: String

    init(_ description: String, _ adapter: any RowAdapter, _ row: String) {
      testDescription = description
      self.adapter = adapter
      self.row = row
    }
  }

  private static let cases = [
    Example("empty", EmptyRowAdapter(), "[]"),
    Example("suffix", SuffixRowAdapter(fromIndex: 2), "[c:2 d:3]"),
    Example("whole suffix", SuffixRowAdapter(fromIndex: 0), "[a:0 b:1 c:2 d:3]"),
    Example("empty suffix", SuffixRowAdapter(fromIndex: 4), "[]"),
    Example("range", RangeRowAdapter(1..<3), "[b:1 c:2]"),
    Example("closed range", RangeRowAdapter(1...3), "[b:1 c:2 d:3]"),
    Example("empty range", RangeRowAdapter(1..<1), "[]"),
    Example("mapping", ColumnMapping(["x": "c", "y": "A"]), "[y:0 x:2]"),
    Example("swapping", ColumnMapping(["a": "b", "b": "a"]), "[b:0 a:1]"),
    Example("no mapping", ColumnMapping([:]), "[]"),
    Example("renaming", RenameColumnAdapter { $0 + "x" }, "[ax:0 bx:1 cx:2 dx:3]"),
    Example("scopes", ScopeAdapter(["s": SuffixRowAdapter(fromIndex: 1)]), "[a:0 b:1 c:2 d:3]"),
    Example(
      "scopes on a base",
      ScopeAdapter(base: RangeRowAdapter(0..<1), scopes: ["s": EmptyRowAdapter()]), "[a:0]"),
    Example(
      "adding scopes", RangeRowAdapter(0..<2).addingScopes(["s": EmptyRowAdapter()]),
      "[a:0 b:1]"),
    Example("adding no scope", RangeRowAdapter(0..<2).addingScopes([:]), "[a:0 b:1]"),
  ]

  @Test(arguments: cases)
  func `An adapter shows columns in its way`(example: Example) throws {
    for storage in RowStorage.allCases {
      try storage.withRow(Self.sql, adapter: example.adapter) { row in
        #expect(row.description == example.row)
        #expect(row.unadapted.description == "[a:0 b:1 c:2 d:3]")
        for (name, value) in row {
          #expect(row[name] as DatabaseValue == value)
          #expect(row.hasColumn(name.uppercased()))
        }
        for (index, value) in row.databaseValues.enumerated() {
          #expect(row[index] as DatabaseValue == value)
          #expect(row[index] as Int == Int.fromDatabaseValue(value))
        }
        #expect(row.copy() == row)
        #expect(row["missing"] as Int? == nil)
      }
    }
  }

  @Test func `A mapping to a missing column is an error`() throws {
    try DatabaseQueue().read { db throws in
      let adapter = ColumnMapping(["x": "zz"])
      let text = """
        SQLite error 21: Mapping references missing column zz. Valid column names are: a, b, c, d.
        """
      let fetches: [() throws -> Any] = [
        { try Row.fetchAll(db, sql: Self.sql, adapter: adapter) },
        { try Row.fetchOne(db, sql: Self.sql, adapter: adapter) as Any },
        { try Row.fetchCursor(db, sql: Self.sql, adapter: adapter).next() as Any },
        { try Int.fetchAll(db, sql: Self.sql, adapter: adapter) },
      ]
      for fetch in fetches {
        #expect(errorText(fetch)?.hasPrefix(text) == true)
      }
      #expect(try Row.fetchAll(db, sql: Self.sql).count == 1)
    }
  }

  @Test func `A range beyond the columns of the query is an error, and not a crash`() throws {
    try DatabaseQueue().read { db in
      for adapter in [RangeRowAdapter(2..<5), RangeRowAdapter(4...4), RangeRowAdapter(7..<9)] {
        #expect(throws: (any Error).self) {
          try Row.fetchAll(db, sql: Self.sql, adapter: adapter)
        }
      }
    }
  }

  @Test(
    arguments: [
      ([], ["[a:0 b:1 c:2 d:3]"]),
      ([1, 2], ["[a:0]", "[b:1 c:2]", "[d:3]"]),
      ([0, 4], ["[]", "[a:0 b:1 c:2 d:3]", "[]"]),
    ] as [([Int], [String])])
  func `Splitting gives one range per count, and the rest`(counts: [Int], rows: [String]) throws {
    let adapters = splittingRowAdapters(columnCounts: counts)
    #expect(
      try adapters.map { adapter in
        try RowStorage.live.withRow(Self.sql, adapter: adapter) { $0.description }
      } == rows)
  }

  @Test func `The adapter of a request sees what the request's own adapter shows`() throws {
    try DatabaseQueue().read { db throws in
      let request = SQLRequest<Row>(sql: Self.sql, adapter: SuffixRowAdapter(fromIndex: 1))
      let adapted = request.adapted { _ in RangeRowAdapter(1..<3) }
      #expect(try Row.fetchAll(db, adapted) == [["c": 2, "d": 3]])
      let renamed = SQLRequest<Row>(
        sql: Self.sql, adapter: ColumnMapping(["x": "d", "y": "b"])
      ).adapted { _ in RangeRowAdapter(1..<2) }
      #expect(try Row.fetchOne(db, renamed) == ["x": 3])
      #expect(try Row.fetchCursor(db, renamed).next() == ["x": 3])
    }
  }
}
