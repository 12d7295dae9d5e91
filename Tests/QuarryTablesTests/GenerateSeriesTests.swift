import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

@Suite("generate_series")
struct GenerateSeriesTests {
  private func values(_ sql: String) throws -> [Int64] {
    try withTable(GenerateSeries(), named: "generate_series") { db throws in
      try Int64.fetchAll(db, sql: "SELECT value FROM \(sql)")
    }
  }

  @Test(
    arguments: [
      ("generate_series(0, 100, 25)", [0, 25, 50, 75, 100]),
      ("generate_series(0, 3)", [0, 1, 2, 3]),
      ("generate_series(20) LIMIT 3", [20, 21, 22]),
      ("generate_series(20) LIMIT 2 OFFSET 4", [24, 25]),
      ("generate_series(4294967294)", [4_294_967_294, 4_294_967_295]),
      ("generate_series(0, -10, -4)", [0, -4, -8]),
      ("generate_series(0, -1)", []),
      ("generate_series(0, 1, -1)", []),
      ("generate_series(5, 5)", [5]),
      ("generate_series(5, 5, -1)", [5]),
      ("generate_series(1, 3, 0)", [1, 2, 3]),
      ("generate_series(1, NULL)", []),
      ("generate_series('2', '4.5')", [2, 3, 4]),
      ("generate_series(1.9, 3.9)", [1, 2, 3]),
      ("generate_series WHERE start = 1 AND stop = 9 AND step = 4", [1, 5, 9]),
      ("generate_series WHERE stop = 5 AND start = 4", [4, 5]),
      ("generate_series(1, 10, 3) ORDER BY value DESC", [10, 7, 4, 1]),
      ("generate_series(1, 10, 4) ORDER BY value DESC", [9, 5, 1]),
      ("generate_series(10, 1, -4) ORDER BY value", [2, 6, 10]),
      ("generate_series(10, 1, -4) ORDER BY value DESC", [10, 6, 2]),
      ("generate_series(10, 1, -4) ORDER BY rowid LIMIT 1 OFFSET 1", [6]),
      ("generate_series(1, 1000000000000) WHERE value = 999999999999", [999_999_999_999]),
      ("generate_series(1, 1000000000000, 2) WHERE value = 999999999998", []),
      (
        "generate_series(1, 1000000000000) WHERE value > 999999999997.5",
        [
          999_999_999_998, 999_999_999_999, 1_000_000_000_000,
        ]
      ),
      ("generate_series(1, 1000000000000) WHERE value BETWEEN 7 AND 8", [7, 8]),
      ("generate_series(1, 1000000000000) WHERE value IN (3, 5) ORDER BY value", [3, 5]),
      ("generate_series(1, 100) WHERE value < 2 OR value > 99", [1, 100]),
      ("generate_series(1, 5) WHERE value = '3'", []),
      ("generate_series(1, 5) WHERE value < 'x' AND value > 4", [5]),
      ("generate_series(1, 5) WHERE value = NULL", []),
      ("generate_series(1, 9) WHERE start = 2", []),
    ] as [(String, [Int64])])
  func `values of a series`(sql: String, expected: [Int64]) throws {
    #expect(try values(sql) == expected)
  }

  @Test func `a series ends where 64 bits do`() throws {
    let (least, greatest) = (Int64.min, Int64.max)
    #expect(
      try values("generate_series(\(greatest - 1), \(greatest))") == [greatest - 1, greatest])
    #expect(
      try values("generate_series(\(least + 1), -9223372036854775807 - 1, -1)")
        == [least + 1, least])
    #expect(
      try values("generate_series(-9223372036854775807 - 1, \(greatest), \(greatest))")
        == [least, -1, greatest - 1])
    #expect(
      try values("generate_series(\(greatest), -9223372036854775807 - 1, -9223372036854775807 - 1)")
        == [greatest, -1])
    #expect(
      try values(
        """
        generate_series(\(greatest), -9223372036854775807 - 1, -9223372036854775807 - 1) \
        ORDER BY value
        """) == [-1, greatest])
    #expect(
      try values(
        "generate_series(-9223372036854775807 - 1, \(greatest)) WHERE value >= \(greatest)")
        == [greatest])
    #expect(try values("generate_series(1, 2) WHERE value < -9e300") == [])
    #expect(try values("generate_series(1, 2) WHERE value < 9e300") == [1, 2])
  }

  @Test func `arguments are columns`() throws {
    try withTable(GenerateSeries(), named: "s") { db throws in
      #expect(
        try Row.fetchOne(db, sql: "SELECT value, start, stop, step, rowid FROM s(7)")
          == ["value": 7, "start": 7, "stop": 4_294_967_295, "step": 1, "rowid": 7])
      #expect(
        databaseError { try Row.fetchOne(db, sql: "SELECT * FROM s") }?.message
          == "s: missing argument: start")
    }
  }

  @Test func `series are joined`() throws {
    try withTable(GenerateSeries(), named: "s") { db throws in
      try db.execute(sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('3'), ('x'), ('9')")
      #expect(
        try Int.fetchAll(db, sql: "SELECT value FROM s(1, 5) JOIN t ON value = a") == [])
      #expect(
        try Int.fetchAll(db, sql: "SELECT value FROM s(1, 5) JOIN t ON value = CAST(a AS INTEGER)")
          == [3])
      let pairs = try Row.fetchAll(
        db, sql: "SELECT a.value AS a, b.value AS b FROM s(1, 3) AS a, s(1, a.value) AS b")
      #expect(pairs.count == 6)
    }
  }

  @Test func `random series are those of a naive loop`() throws {
    let run = RandomRun("generate_series")
    var random = run.generator
    try withTable(GenerateSeries(), named: "s") { db throws in
      for _ in 0..<500 {
        let (start, stop) = (Int64(random.below(60)) - 30, Int64(random.below(60)) - 30)
        let step = Int64(random.below(13)) - 6
        let (low, high) = (Double(random.below(120)) / 2 - 30, Int64(random.below(60)) - 30)
        let isDescending = random.chance(2)
        let stride = Swift.stride(from: start, through: stop, by: step == 0 ? 1 : Int(step))
        let naive = stride.filter { Double($0) >= low && $0 < high }.sorted()
        let values = try Int64.fetchAll(
          db,
          sql: """
            SELECT value FROM s(?, ?, ?) WHERE value >= ? AND value < ?
            ORDER BY value \(isDescending ? "DESC" : "")
            """, arguments: [start, stop, step, low, high])
        #expect(values == (isDescending ? naive.reversed() : naive), "\(run.seed)")
      }
    }
  }
}
