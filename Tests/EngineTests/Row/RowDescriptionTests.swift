import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Descriptions of rows")
struct RowDescriptionTests {
  @Test(arguments: RowStorage.allCases)
  func `A row shows its names and values`(storage: RowStorage) throws {
    try storage.withRow(#"SELECT 1 AS a, 'x"y' AS B, NULL AS c, x'0102' AS d, 1.5 AS e"#) { row in
      let text = #"[a:1 B:"x\"y" c:NULL d:Data(2 bytes) e:1.5]"#
      #expect(row.description == text)
      #expect(row.debugDescription == text)
      #expect("\(row)" == text)
      #expect(String(reflecting: row) == text)
    }
    #expect(Row().description == "[]")
    #expect(Row().debugDescription == "[]")
  }

  private static let sql = "SELECT 1 AS id, 'b1' AS title, 7 AS id, 'A' AS name, 'FR' AS code"

  @Test(arguments: RowStorage.allCases)
  func `The debug description shows scopes, sorted by name`(storage: RowStorage) throws {
    let adapter = ScopeAdapter(
      base: RangeRowAdapter(0..<2),
      scopes: [
        "publisher": EmptyRowAdapter(),
        "author": ScopeAdapter(
          base: RangeRowAdapter(2..<4), scopes: ["country": SuffixRowAdapter(fromIndex: 4)]),
      ])
    try storage.withRow(Self.sql, adapter: adapter) { row in
      #expect(row.description == #"[id:1 title:"b1"]"#)
      #expect(
        row.debugDescription == """
          ▿ [id:1 title:"b1"]
            unadapted: [id:1 title:"b1" id:7 name:"A" code:"FR"]
            - author: [id:7 name:"A"]
              - country: [code:"FR"]
            - publisher: []
          """)
    }
  }

  @Test func `scopes and prefetched rows are described by name`() throws {
    let adapter = ScopeAdapter(["author": RangeRowAdapter(2..<4)])
    try RowStorage.live.withRow(Self.sql, adapter: adapter) { row in
      #expect(row.scopes.description == #"[author: [id:7 name:"A"]]"#)
      #expect(row.prefetchedRows.description == "[]")
    }
    let database = try DatabaseQueue()
    let description = try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY);
          CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id));
          INSERT INTO author VALUES (7);
          INSERT INTO book VALUES (1, 7), (2, 7);
          """)
      let books = Table("author").hasMany(Table("book"), key: "books")
      return try Row.fetchOne(db, Table("author").including(all: books))?.prefetchedRows.description
    }
    #expect(
      description
        == "[books: [[id:1 authorId:7 grdb_authorId:7], [id:2 authorId:7 grdb_authorId:7]]]")
  }

  @Test func `The row of the statement is shown only where it differs`() throws {
    try RowStorage.live.withRow(
      Self.sql, adapter: ScopeAdapter(["all": RangeRowAdapter(0..<1)])
    ) { row in
      #expect(
        row.debugDescription == """
          ▿ [id:1 title:"b1" id:7 name:"A" code:"FR"]
            - all: [id:1]
          """)
    }
    try RowStorage.live.withRow(Self.sql, adapter: RangeRowAdapter(0..<1)) { row in
      #expect(
        row.debugDescription == """
          ▿ [id:1]
            unadapted: [id:1 title:"b1" id:7 name:"A" code:"FR"]
          """)
    }
    try RowStorage.live.withRow(Self.sql, adapter: SuffixRowAdapter(fromIndex: 0)) { row in
      #expect(row.debugDescription == row.description)
    }
  }
}

@Suite("Equality of rows")
struct RowEqualityTests {
  @Test func `Rows are equal whatever their storage`() throws {
    let expected: Row = ["a": 1, "b": "x", "c": nil]
    for storage in RowStorage.allCases {
      try storage.withRow("SELECT 1 AS a, 'x' AS b, NULL AS c") { row in
        #expect(row == expected)
        #expect(expected == row)
        #expect(row == row)
        #expect(row.hashValue == expected.hashValue)
      }
    }
  }

  @Test func `An integer equals the double with the same value, with the same hash`() {
    let integer: Row = ["a": 1]
    let double: Row = ["a": 1.0]
    #expect(integer == double)
    #expect(integer.hashValue == double.hashValue)
    #expect(Set([integer, double]).count == 1)
  }

  @Test func `Names, their case, their order, and values make a difference`() {
    let differing: [(Row, Row)] = [
      (["a": 1], ["a": 2]),
      (["a": 1], ["A": 1]),
      (["a": 1], ["a": "1"]),
      (["a": 1], ["a": 1, "b": 2]),
      (["a": 1, "b": 2], ["b": 2, "a": 1]),
      (["a": nil], ["a": 0]),
      (["a": "x"], ["a": Data("x".utf8)]),
      ([:], ["a": nil]),
    ]
    for (left, right) in differing { #expect(left != right) }
  }

  @Test func `Scopes make a difference, and their order does not`() throws {
    func row(_ sql: String, _ adapter: some RowAdapter) throws -> Row {
      try RowStorage.copied.withRow(sql, adapter: adapter) { $0 }
    }
    let sql = "SELECT 1 AS a, 2 AS b"
    let x = RangeRowAdapter(0..<1)
    let y = RangeRowAdapter(1..<2)
    let plain = try row(sql, ScopeAdapter([:]))
    #expect(plain == ["a": 1, "b": 2])
    #expect(try row(sql, ScopeAdapter(["x": x])) != plain)
    #expect(try row(sql, ScopeAdapter(["x": x])) == row(sql, ScopeAdapter(["x": x])))
    #expect(try row(sql, ScopeAdapter(["x": x])) != row(sql, ScopeAdapter(["y": x])))
    #expect(try row(sql, ScopeAdapter(["x": x])) != row(sql, ScopeAdapter(["x": y])))
    #expect(
      try row(sql, ScopeAdapter(["x": x]).addingScopes(["y": y]))
        == row(sql, ScopeAdapter(["y": y]).addingScopes(["x": x])))
    #expect(try row(sql, ScopeAdapter(["x": x])).hashValue == plain.hashValue)
    let wide = "SELECT 1 AS a, 2 AS b, 3 AS c"
    #expect(
      try row(wide, ScopeAdapter(base: RangeRowAdapter(0..<2), scopes: ["x": x]))
        == row(sql, ScopeAdapter(["x": x])))
  }
}
