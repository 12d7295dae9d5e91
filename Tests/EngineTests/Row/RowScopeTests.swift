import Quarry
import QuarryTestSupport
import Testing

@Suite("Scopes of rows")
struct RowScopeTests {
  private static let sql = "SELECT 0 AS a, 1 AS b, 2 AS c, 3 AS d"

  /// a; left: b, which has deep: c and d; right: d, which has deep: a.
  private static let adapter = ScopeAdapter(
    base: RangeRowAdapter(0..<1),
    scopes: [
      "left": ScopeAdapter(
        base: RangeRowAdapter(1..<2),
        scopes: ["deep": ScopeAdapter(base: SuffixRowAdapter(fromIndex: 2), scopes: [:])]),
      "right": ScopeAdapter(
        base: RangeRowAdapter(3..<4),
        scopes: ["deep": RangeRowAdapter(0..<1), "other": ColumnMapping(["x": "b"])]),
    ])

  @Test(arguments: RowStorage.allCases)
  func `Scopes are computed on the whole row, at every depth`(storage: RowStorage) throws {
    try storage.withRow(Self.sql, adapter: Self.adapter) { row in
      #expect(row.description == "[a:0]")
      #expect(Set(row.scopes.names) == ["left", "right"])
      let left = try #require(row.scopes["left"])
      #expect(left.description == "[b:1]")
      #expect(Set(left.scopes.names) == ["deep"])
      #expect(left.scopes["deep"]?.description == "[c:2 d:3]")
      let right = try #require(row.scopes["right"])
      #expect(right.description == "[d:3]")
      #expect(right.scopes["deep"]?.description == "[a:0]")
      #expect(right.scopes["other"]?.description == "[x:1]")
      #expect(row.scopes["deep"] == nil)
      #expect(row.scopes["missing"] == nil)
      #expect(Set(row.scopes.map(\.name)) == ["left", "right"])
      #expect(row.scopes.count == 2)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `The tree finds the scope that is nearest`(storage: RowStorage) throws {
    try storage.withRow(Self.sql, adapter: Self.adapter) { row in
      #expect(row.scopesTree.names == ["left", "right", "deep", "other"])
      #expect(row.scopesTree["left"]?.description == "[b:1]")
      #expect(row.scopesTree["other"]?.description == "[x:1]")
      #expect(["[c:2 d:3]", "[a:0]"].contains(row.scopesTree["deep"]?.description))
      #expect(row.scopes["right"]?.scopesTree["deep"]?.description == "[a:0]")
      #expect(row.scopesTree["missing"] == nil)
    }
    let adapter = ScopeAdapter([
      "x": ScopeAdapter(["y": ScopeAdapter(["target": RangeRowAdapter(0..<1)])]),
      "z": ScopeAdapter(["target": RangeRowAdapter(1..<2)]),
    ])
    try storage.withRow(Self.sql, adapter: adapter) { row in
      #expect(row.scopesTree["target"]?.description == "[b:1]")
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Without adapter there is no scope`(storage: RowStorage) throws {
    try storage.withRow(Self.sql) { row in
      #expect(row.scopes.isEmpty)
      #expect(Array(row.scopes.names) == [])
      #expect(row.scopesTree.names == [])
      #expect(row.scopesTree["a"] == nil)
      #expect(row.unscoped == row)
      #expect(row.unadapted == row)
    }
  }

  @Test func `Adding scopes adds to those of the base, or replaces them`() throws {
    let base = ScopeAdapter(["x": RangeRowAdapter(0..<1), "y": RangeRowAdapter(1..<2)])
    let adapter = base.addingScopes(["y": RangeRowAdapter(2..<3), "z": RangeRowAdapter(3..<4)])
    try RowStorage.live.withRow(Self.sql, adapter: adapter) { row in
      #expect(Set(row.scopes.names) == ["x", "y", "z"])
      #expect(row.scopes["x"] == ["a": 0])
      #expect(row.scopes["y"] == ["c": 2])
      #expect(row.scopes["z"] == ["d": 3])
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Values of scopes are found by index, name, and column`(storage: RowStorage) throws {
    let adapter = ScopeAdapter([
      "suffix": SuffixRowAdapter(fromIndex: 2), "mapping": ColumnMapping(["x": "d", "y": "b"]),
    ])
    try storage.withRow(Self.sql, adapter: adapter) { row in
      let suffix = try #require(row.scopes["suffix"])
      #expect(suffix[0] as Int == 2)
      #expect(suffix["D"] as Int == 3)
      #expect(suffix[Column("c")] as Int == 2)
      #expect(suffix["a"] as Int? == nil)
      #expect(suffix.hasColumn("c") && !suffix.hasColumn("a"))
      let mapping = try #require(row.scopes["mapping"])
      #expect(mapping[0] as Int == 1)
      #expect(mapping["x"] as Int == 3)
      #expect(mapping.unadapted.description == "[a:0 b:1 c:2 d:3]")
    }
  }

  @Test func `A row contains values when one of its scopes does`() throws {
    let sql = "SELECT NULL AS a, NULL AS b, 1 AS c"
    let empty = ScopeAdapter(base: RangeRowAdapter(0..<1), scopes: ["x": RangeRowAdapter(1..<2)])
    let nested = ScopeAdapter(
      base: RangeRowAdapter(0..<1),
      scopes: [
        "x": ScopeAdapter(base: EmptyRowAdapter(), scopes: ["y": SuffixRowAdapter(fromIndex: 2)])
      ])
    for storage in RowStorage.allCases {
      try storage.withRow(sql, adapter: empty) { row in #expect(!row.containsNonNullValue) }
      try storage.withRow(sql, adapter: nested) { row in
        #expect(row.containsNonNullValue)
        #expect(row.scopes["x"]?.containsNonNullValue == true)
        #expect(!row.unscoped.containsNonNullValue)
      }
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `A row without its scopes, and without its adapter`(storage: RowStorage) throws {
    try storage.withRow(Self.sql, adapter: Self.adapter) { row in
      #expect(row.unscoped.scopes.isEmpty)
      #expect(row.unscoped.description == "[a:0]")
      #expect(row.unscoped != row)
      #expect(row.unadapted.scopes.isEmpty)
      #expect(row.unadapted.description == "[a:0 b:1 c:2 d:3]")
      #expect(row.scopes["left"]?.unadapted.description == "[a:0 b:1 c:2 d:3]")
    }
  }
}

@Suite("Records of scopes")
struct RowScopeRecordTests {
  private struct Author: FetchableRecord, Equatable {
    var id: Int
    var name: String

    init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    init(row: Row) {
      id = row["id"]
      name = row["name"]
    }
  }

  private static let adapter = ScopeAdapter(["author": SuffixRowAdapter(fromIndex: 1)])
  private static let present = "SELECT 1 AS id, 7 AS id, 'Melville' AS name"
  private static let null = "SELECT 1 AS id, NULL AS id, NULL AS name"
  private static let melville = Author(id: 7, name: "Melville")

  @Test(arguments: RowStorage.allCases)
  func `A scope is decoded as a record`(storage: RowStorage) throws {
    try storage.withRow(Self.present, adapter: Self.adapter) { row throws in
      #expect(row["author"] as Author == Self.melville)
      #expect(row["author"] as Author? == Self.melville)
      #expect(try row.decode(Author.self, forKey: "author") == Self.melville)
      #expect(try row.decodeIfPresent(Author.self, forKey: "author") == Self.melville)
    }
  }

  @Test func `A nested scope is found`() throws {
    let book = EmptyRowAdapter().addingScopes(["author": SuffixRowAdapter(fromIndex: 1)])
    let adapter = ScopeAdapter(["book": book])
    try RowStorage.live.withRow(Self.present, adapter: adapter) { row in
      #expect(row["author"] as Author == Self.melville)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `A missing scope, and one that is all NULL, is nil`(storage: RowStorage) throws {
    try storage.withRow(Self.null, adapter: Self.adapter) { row throws in
      #expect(row["author"] as Author? == nil)
      #expect(row["missing"] as Author? == nil)
      #expect(try row.decodeIfPresent(Author.self, forKey: "author") == nil)
      #expect(try row.decodeIfPresent(Author.self, forKey: "missing") == nil)
    }
  }

  @Test func `decode throws for a missing scope, with those that exist`() throws {
    let nested = ScopeAdapter(["c": EmptyRowAdapter()])
    let adapter = ScopeAdapter(["b": EmptyRowAdapter(), "a": nested])
    try RowStorage.copied.withRow(Self.present, adapter: adapter) { row in
      #expect(
        errorText { try row.decode(Author.self, forKey: "author") } == """
          scope not found: "author" - available scopes: ["a", "b", "c"]
          an association has the key of its table: `key: "author"` in its definition, or \
          `forKey("author")`, changes it; or else `including(required:)` is missing
          - row: [id:1 id:7 name:"Melville"], sql: `\(Self.present)`
          """)
    }
    try RowStorage.live.withRow(Self.present) { row in
      #expect(
        errorText { try row.decode(Author.self, forKey: "author") } == """
          scope not found: "author"
          the request lacks `including(required:)` of an association with the key "author"
          - row: [id:1 id:7 name:"Melville"], \
          sql: `\(Self.present)`, arguments: []
          """)
    }
  }

  @Test func `decode throws for a scope that is all NULL`() throws {
    try RowStorage.fetchedOne.withRow(Self.null, adapter: Self.adapter) { row in
      #expect(
        errorText { try row.decode(Author.self, forKey: "author") } == """
          scope "author" only contains null values - row: [id:1 id:NULL name:NULL], \
          sql: `\(Self.null)`
          """)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `A value that the record can't decode is an error`(storage: RowStorage) throws {
    let sql = "SELECT 1 AS id, 7 AS id, NULL AS name"
    try storage.withRow(sql, adapter: Self.adapter) { row in
      for decode in [
        { try row.decode(Author.self, forKey: "author") },
        { try row.decodeIfPresent(Author.self, forKey: "author") },
      ] as [() throws -> Author?] {
        let text = errorText(decode)
        #expect(text?.hasPrefix("could not decode String from database value NULL") == true)
        #expect(text?.contains(#"column: "name", column index: 1, row: [id:7 name:NULL]"#) == true)
      }
      #expect(row["id"] as Int == 1)
    }
  }

  @Test func `Rows that were not prefetched are an error`() throws {
    try RowStorage.fetchedOne.withRow(Self.present, adapter: Self.adapter) { row in
      #expect(row.prefetchedRows.isEmpty)
      #expect(row.prefetchedRows.keys == [])
      #expect(row.prefetchedRows["books"] == nil)
      #expect(
        errorText { try row.decode([Author].self, forKey: "books") } == """
          key for prefetched rows not found: "books"
          the request lacks `including(all:)` of an association with the key "books"
          - row: [id:1 id:7 name:"Melville"], \
          sql: `\(Self.present)`
          """)
    }
  }
}
