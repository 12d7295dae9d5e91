import Foundation
import Quarry
import QuarryTestSupport
import Testing

enum RowColor: String, DatabaseValueConvertible {
  case red, green
}

@Suite("Values of rows")
struct RowValueTests {
  @Test(arguments: RowStorage.allCases)
  func `Untyped subscripts give what is stored`(storage: RowStorage) throws {
    try storage.withRow("SELECT 1 AS i, 1.5 AS d, 'x' AS t, x'0102' AS b, NULL AS n") { row in
      #expect(row[0] as? Int64 == 1)
      #expect(row["d"] as? Double == 1.5)
      #expect(row[Column("t")] as? String == "x")
      #expect(row["B"] as? Data == Data([1, 2]))
      let null: (any DatabaseValueConvertible)? = row["n"]
      #expect(null == nil)
      let missing: (any DatabaseValueConvertible)? = row["missing"]
      #expect(missing == nil)
      let missingColumn: (any DatabaseValueConvertible)? = row[Column("missing")]
      #expect(missingColumn == nil)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Typed subscripts and decode methods convert`(storage: RowStorage) throws {
    let sql = "SELECT 12 AS i, 'red' AS color, 'http://a.b' AS url, x'0102' AS data, NULL AS n"
    try storage.withRow(sql) { row throws in
      #expect(row[0] as Int == 12)
      #expect(row["i"] as Int8 == 12)
      #expect(row[Column("i")] as Double == 12)
      #expect(row[0] as Bool == true)
      #expect(row["i"] as Int? == 12)
      #expect(row[3] as Data == Data([1, 2]))
      #expect(row[1] as RowColor == .red)
      #expect(row["color"] as RowColor == .red)
      #expect(row[Column("color")] as RowColor? == .red)
      #expect(row["url"] as URL == URL(string: "http://a.b"))
      #expect(row[4] as Int? == nil)
      #expect(row["n"] as RowColor? == nil)
      #expect(row["n"] as DatabaseValue == .null)
      #expect(try row.decode(atIndex: 0) as Int == 12)
      #expect(try row.decode(Int.self, forColumn: "I") == 12)
      #expect(try row.decode(Int.self, forColumn: Column("i")) == 12)
      #expect(try row.decode(RowColor.self, atIndex: 1) == .red)
      #expect(try row.decode(RowColor.self, forColumn: "color") == .red)
      #expect(try row.decode(RowColor?.self, forColumn: Column("n")) == nil)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `A missing column is nil for an optional type`(storage: RowStorage) throws {
    try storage.withRow("SELECT 1 AS a") { row throws in
      #expect(row["b"] as Int? == nil)
      #expect(row[Column("b")] as Int? == nil)
      #expect(row["b"] as RowColor? == nil)
      #expect(try row.decode(Int?.self, forColumn: "b") == nil)
      #expect(try row.decode(RowColor?.self, forColumn: "b") == nil)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `decode throws for a missing column`(storage: RowStorage) throws {
    try storage.withRow("SELECT 1 AS a") { row in
      let texts = [
        errorText { try row.decode(Int.self, forColumn: "b") },
        errorText { try row.decode(Int.self, forColumn: Column("b")) },
        errorText { try row.decode(RowColor.self, forColumn: "b") },
        errorText { try row.decode(RowColor.self, forColumn: Column("b")) },
      ]
      let text = #"column not found: "b" - row: [a:1], sql: `SELECT 1 AS a`"#
      let attached = storage == .live ? ", arguments: []" : ""
      #expect(texts == Array(repeating: text + attached, count: 4))
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `decode throws for an index out of range`(storage: RowStorage) throws {
    try storage.withRow("SELECT 1 AS a") { row in
      for index in [-1, 1, 100] {
        #expect(throws: RowDecodingError.self) { try row.decode(Int.self, atIndex: index) }
        #expect(throws: RowDecodingError.self) { try row.decode(Int?.self, atIndex: index) }
        #expect(throws: RowDecodingError.self) { try row.decode(RowColor.self, atIndex: index) }
      }
    }
  }

  struct Mismatch: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var decode: @Sendable (Row) throws -> Void
    var reason: String

    init<Value: DatabaseValueConvertible>(_ type: Value.Type, column: String, value: String) {
      testDescription = "\(type) from \(value)"
      decode = { row in _ = try row.decode(type, forColumn: column) }
      reason = "could not decode \(type) from database value \(value)"
    }
  }

  private static let mismatches = [
    (Mismatch(RowColor.self, column: "n", value: "NULL"), #"column: "n", column index: 1"#),
    (Mismatch(RowColor.self, column: "t", value: #""x""#), #"column: "t", column index: 0"#),
    (Mismatch(RowColor?.self, column: "T", value: #""x""#), #"column: "t", column index: 0"#),
    (Mismatch(URL.self, column: "i", value: "1000"), #"column: "i", column index: 2"#),
  ]

  @Test(arguments: mismatches)
  func `decode throws when the value does not convert`(mismatch: Mismatch, column: String) throws {
    let sql = "SELECT 'x' AS t, NULL AS n, ? AS i"
    for storage in RowStorage.allCases {
      try storage.withRow(sql, arguments: [1000]) { row in
        let attached = ", sql: `\(sql)`" + (storage == .live ? ", arguments: [1000]" : "")
        #expect(
          errorText { try mismatch.decode(row) }
            == "\(mismatch.reason) - \(column), row: [t:\"x\" n:NULL i:1000]" + attached)
      }
    }
  }

  @Test func `decode throws for types that are read straight from SQLite too`() throws {
    for storage in RowStorage.allCases {
      try storage.withRow("SELECT NULL AS n, 1000 AS i") { row in
        let attached = storage == .live ? ", arguments: []" : ""
        let details = "row: [n:NULL i:1000], sql: `SELECT NULL AS n, 1000 AS i`" + attached
        #expect(
          errorText { try row.decode(Int.self, atIndex: 0) } == """
            could not decode Int from database value NULL - column: "n", column index: 0, \(details)
            """)
        #expect(
          errorText { try row.decode(Int8.self, forColumn: "i") } == """
            could not decode Int8 from database value 1000 - column: "i", column index: 1, \(details)
            """)
        #expect(throws: RowDecodingError.self) { try row.decode(Date.self, atIndex: 0) }
      }
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `What loses nothing converts, the rest throws`(storage: RowStorage) throws {
    try storage.withRow("SELECT 'abc' AS t, 42 AS i, '12' AS d") { row in
      #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "t") }
      #expect(row["i"] as String == "42")
      #expect(row["d"] as Int == 12)
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Columns are read in any order`(storage: RowStorage) throws {
    try storage.withRow("SELECT 0 AS a, 1 AS b, 2 AS c, 3 AS d") { row in
      for names in [["d", "c", "b", "a"], ["a", "a", "c", "b"], ["b", "d", "a", "c"]] {
        for name in names {
          #expect(row[name] as Int == ["a", "b", "c", "d"].firstIndex(of: name))
        }
      }
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Long and strange texts and blobs are copied as they are`(storage: RowStorage) throws {
    let text = String(repeating: "é🙂", count: 10_000)
    let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let arguments: StatementArguments = [
      text, "", data, Data(), "a\0b", Int64.min, -Double.infinity,
    ]
    try storage.withRow("SELECT ?, ?, ?, ?, ?, ?, ?", arguments: arguments) { row in
      #expect(row[0] as String == text)
      #expect(row[1] as String == "")
      #expect(row[2] as Data == data)
      #expect(row[3] as Data == Data())
      #expect(row[4] as String == "a\0b")
      #expect(row[5] as Int64 == Int64.min)
      #expect(row[6] as Double == -Double.infinity)
      #expect(row[1] as? String == "")
      #expect(row[3] as? Data == Data())
    }
  }
}

@Suite("Unusual values of rows")
struct UnusualRowValueTests {
  @Test(arguments: RowStorage.allCases)
  func `Texts that are no UTF-8 are repaired`(storage: RowStorage) throws {
    try storage.withRow("SELECT CAST(x'61FF62' AS TEXT) AS t") { row in
      #expect(row["t"] as String == "a\u{FFFD}b")
      #expect(row.description == "[t:\"a\u{FFFD}b\"]")
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `Rows can have as many columns as SQLite allows`(storage: RowStorage) throws {
    let columns = (0..<2000).map { "\($0) AS c\($0)" }
    try storage.withRow("SELECT " + columns.joined(separator: ", ")) { row in
      #expect(row.count == 2000)
      #expect(row["C1999"] as Int == 1999)
      #expect(row[1000] as Int == 1000)
    }
  }
}

@Suite("Bytes of rows")
struct RowUnsafeDataTests {
  @Test(arguments: RowStorage.allCases)
  func `Bytes of blobs and texts are given without copy`(storage: RowStorage) throws {
    try storage.withRow("SELECT x'0102' AS b, 'é' AS t, NULL AS n, x'' AS e") { row in
      let bytes: [[UInt8]?] = [
        try row.withUnsafeData(atIndex: 0) { $0.map(Array.init) },
        try row.withUnsafeData(named: "B") { $0.map(Array.init) },
        try row.withUnsafeData(at: Column("b")) { $0.map(Array.init) },
        try row.withUnsafeData(named: "t") { $0.map(Array.init) },
        try row.withUnsafeData(named: "n") { $0.map(Array.init) },
        try row.withUnsafeData(named: "e") { $0.map(Array.init) },
        try row.withUnsafeData(named: "missing") { $0.map(Array.init) },
        try row.withUnsafeData(at: Column("missing")) { $0.map(Array.init) },
      ]
      #expect(bytes == [[1, 2], [1, 2], [1, 2], [0xC3, 0xA9], nil, [], nil, nil])
    }
  }

  @Test(arguments: RowStorage.allCases)
  func `An error of the closure is thrown again`(storage: RowStorage) throws {
    struct Failure: Error {}
    try storage.withRow("SELECT x'0102'") { row -> Void in
      #expect(throws: Failure.self) { try row.withUnsafeData(atIndex: 0) { _ in throw Failure() } }
    }
  }
}

@Suite("Misuse of rows that stops the program")
struct RowExitTests {
  @Test func `An index out of range`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": 1]
      let value: (any DatabaseValueConvertible)? = row[1]
      _ = value
    }
    expectPrecondition("row index out of range", in: result)
  }

  @Test func `A typed subscript that fails, outside of the decoding of a record`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": nil]
      _ = row["a"] as Int
    }
    #expect(errorText(of: result).contains("could not decode Int from database value NULL"))
  }

  @Test func `A missing column`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let row: Row = ["a": 1]
      _ = row["b"] as Int
    }
    #expect(errorText(of: result).contains(#"column not found: "b""#))
    #expect(errorText(of: result).contains("`try row.decode(…)` throws this error"))
  }

  @Test func `A negative index of an adapter`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SuffixRowAdapter(fromIndex: -1)
    }
    expectPrecondition("Negative column index is out of range", in: result)
  }
}
