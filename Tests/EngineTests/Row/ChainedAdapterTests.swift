import Quarry
import QuarryTestSupport
import Testing

/// Adapters of requests that have one already, and adapters that don't fit.
@Suite("Row adapters on row adapters")
struct ChainedAdapterTests {
  private static let sql = "SELECT 0 AS a, 1 AS b, 2 AS c, 3 AS d"

  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var adapters: [any RowAdapter]
    var row: String
    var scopes: [String: String]

    init(
      _ description: String, _ adapters: any RowAdapter..., row: String,
      scopes: [String: String] = [:]
    ) {
      testDescription = description
      self.adapters = adapters
      self.row = row
      self.scopes = scopes
    }
  }

  private static let examples = [
    Example(
      "suffixes", SuffixRowAdapter(fromIndex: 1), SuffixRowAdapter(fromIndex: 1),
      SuffixRowAdapter(fromIndex: 1), row: "[d:3]"),
    Example("ranges", RangeRowAdapter(1..<4), RangeRowAdapter(1...1), row: "[c:2]"),
    Example(
      "a mapping of renamed columns", RenameColumnAdapter { $0 + "x" },
      ColumnMapping(["first": "ax", "last": "DX"]), row: "[first:0 last:3]"),
    Example(
      "renamed columns of a mapping", ColumnMapping(["y": "d", "x": "b"]),
      RenameColumnAdapter { $0.uppercased() }, row: "[X:1 Y:3]"),
    Example(
      "a range of a mapping", ColumnMapping(["y": "d", "x": "b", "w": "c"]),
      RangeRowAdapter(1..<3), row: "[w:2 y:3]"),
    Example(
      "renamed twice", RenameColumnAdapter { $0 + "1" }, RenameColumnAdapter { $0 + "2" },
      row: "[a12:0 b12:1 c12:2 d12:3]"),
    Example("nothing of something", SuffixRowAdapter(fromIndex: 2), EmptyRowAdapter(), row: "[]"),
    Example(
      "scopes of a suffix", SuffixRowAdapter(fromIndex: 1),
      ScopeAdapter(["s": RangeRowAdapter(0..<1), "t": ColumnMapping(["z": "d"])]),
      row: "[b:1 c:2 d:3]", scopes: ["s": "[b:1]", "t": "[z:3]"]),
    Example(
      "scopes of renamed columns", RenameColumnAdapter { $0 + "x" },
      SuffixRowAdapter(fromIndex: 3).addingScopes(["s": SuffixRowAdapter(fromIndex: 2)]),
      row: "[dx:3]", scopes: ["s": "[cx:2 dx:3]"]),
    Example(
      "more scopes", ScopeAdapter(["s": RangeRowAdapter(0..<1)]),
      ScopeAdapter(["t": RangeRowAdapter(1..<2)]), row: "[a:0 b:1 c:2 d:3]",
      scopes: ["s": "[a:0]", "t": "[b:1]"]),
  ]

  @Test(arguments: examples)
  func `An adapter sees the columns that the one before shows`(example: Example) throws {
    try DatabaseQueue().read { db in
      var request = AnyFetchRequest(SQLRequest<Row>(sql: Self.sql))
      for adapter in example.adapters {
        request = AnyFetchRequest(request.adapted { _ in adapter })
      }
      let cursor = try request.fetchCursor(db)
      let rows = [
        try #require(try request.fetchOne(db)), try #require(try request.fetchAll(db).first),
        try #require(try cursor.next()),
      ]
      for row in rows {
        #expect(row.description == example.row)
        #expect(row.unadapted.description == "[a:0 b:1 c:2 d:3]")
        let scopes = row.scopes.map { ($0.name, $0.row.description) }
        #expect(Dictionary(uniqueKeysWithValues: scopes) == example.scopes)
        #expect(row.copy() == row)
      }
      #expect(try request.fetchCount(db) == 1)
    }
  }

  @Test func `The adapter of the SQL comes first`() throws {
    try DatabaseQueue().read { db throws in
      let first = SuffixRowAdapter(fromIndex: 1)
      let request = SQLRequest<Int>(sql: Self.sql, adapter: first)
      #expect(try request.fetchAll(db) == [1])
      #expect(try request.adapted { _ in first }.fetchAll(db) == [2])
      #expect(try request.adapted { _ in ColumnMapping(["x": "d"]) }.fetchOne(db) == 3)
    }
  }

  @Test
  func `The columns of a mapping are those of the query, leftmost first, and may be shown twice`()
    throws
  {
    try DatabaseQueue().read { db throws in
      let sql = "SELECT 0 AS A, 1 AS a, 2 AS b"
      let twice = ColumnMapping(["y": "a", "x": "A", "z": "b"])
      #expect(try Row.fetchOne(db, sql: sql, adapter: twice) == ["x": 0, "y": 0, "z": 2])
    }
  }

  @Test func `A column that is missing is an error with the columns that there are, at any depth`()
    throws
  {
    try DatabaseQueue().read { db in
      let missing = ColumnMapping(["x": "a"])
      let inSuffix = """
        SQLite error 21: Mapping references missing column a. Valid column names are: b, c, d.
        """
      let request = SQLRequest<Row>(sql: Self.sql, adapter: SuffixRowAdapter(fromIndex: 1))
      #expect(
        errorText { try request.adapted { _ in missing }.fetchAll(db) }?.hasPrefix(inSuffix) == true
      )
      let scope = ScopeAdapter(["s": ScopeAdapter(["t": ColumnMapping(["x": "zz"])])])
      let text = """
        SQLite error 21: Mapping references missing column zz. Valid column names are: a, b, c, d.
        """
      #expect(
        errorText { try Row.fetchAll(db, sql: Self.sql, adapter: scope) }?.hasPrefix(text) == true)
      #expect(
        errorText { try Row.fetchCursor(db, sql: Self.sql, adapter: scope).next() }?.hasPrefix(text)
          == true)
    }
  }

  @Test func `A suffix that begins after the last column is empty; a range must have its columns`()
    throws
  {
    try DatabaseQueue().read { db throws in
      let empty = SuffixRowAdapter(fromIndex: 9)
      #expect(try Row.fetchOne(db, sql: Self.sql, adapter: empty) == [:])
      let request = SQLRequest<Row>(sql: Self.sql, adapter: SuffixRowAdapter(fromIndex: 1))
      #expect(
        databaseError { try request.adapted { _ in RangeRowAdapter(2..<4) }.fetchAll(db) }?.message
          == "Columns 2..<4 are out of range: the row has 3 columns.")
    }
  }

  @Test func `The function of an adapter may use the database, and throw`() throws {
    try DatabaseQueue().read { db throws in
      let request = SQLRequest<Row>(sql: Self.sql).adapted { db in
        try SuffixRowAdapter(fromIndex: Int.fetchOne(db, sql: "SELECT 3") ?? 0)
      }
      #expect(try request.fetchAll(db) == [["d": 3]])
      struct Failure: Error {}
      let failing = SQLRequest<Row>(sql: Self.sql).adapted { _ in throw Failure() }
      #expect(throws: Failure.self) { try failing.fetchAll(db) }
      #expect(throws: Failure.self) { try failing.fetchCursor(db) }
    }
  }
}
