import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

struct DatabaseValueQuoteTests {
  /// The values of one seed: random bit patterns, and decimal numbers of all sizes.
  private static func doubles(seed: UInt64) -> [Double] {
    var generator = SplitMix64(seed: seed)
    var doubles: [Double] = []
    for _ in 0..<2000 {
      doubles.append(Double(bitPattern: generator.next()))
      let digits = Int64.random(in: 0..<1_000_000_000_000_000, using: &generator)
      let exponent = Int.random(in: -330...290, using: &generator)
      doubles.append(Double("\(digits)e\(exponent)") ?? 0)
      doubles.append(Double(Int.random(in: -100_000...100_000, using: &generator)) / 1000)
    }
    return doubles.filter(\.isFinite)
  }

  private static let limits: [Double] = {
    let magnitudes = [
      0, Double.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
      1, 0x1p53 - 1, 0x1p53, 0x1p62, 0x1p63, 0x1p64, .greatestFiniteMagnitude, .infinity,
    ]
    return magnitudes + magnitudes.map(-)
  }()

  @Test(arguments: RandomRun.seeds)
  func `literals of doubles are those of quote`(seed: UInt64) throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT quote(?)")
      for double in Self.doubles(seed: seed) {
        let quoted = try String.fetchOne(statement, arguments: [double])
        #expect(double.databaseValue.quoted == quoted, "seed \(seed)")
      }
    }
  }

  private static var valuesToQuote: [any DatabaseValueConvertible] {
    [
      DatabaseValue.null, 12, Int64.min, Double.nan, "O'Brien", "''", "a\0b", "\u{e9}", Data(),
      Data([0, 1, 0xAB, 0xFF]),
    ]
  }

  @Test(arguments: valuesToQuote.map(\.databaseValue))
  func `quoted values are those of quote`(value: DatabaseValue) throws {
    try DatabaseQueue().read { db in
      let quoted = try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [value])
      #expect(value.quoted == quoted)
    }
  }

  @Test(arguments: RandomRun.seeds)
  func `literals of doubles read as the same double`(seed: UInt64) throws {
    try DatabaseQueue().read { db in
      for double in Self.doubles(seed: seed) + Self.limits {
        for literal in [double.databaseValue.exactLiteral, double.databaseValue.sqlLiteral] {
          let read = try DatabaseValue.fetchOne(db, sql: "SELECT \(literal)")
          #expect(read?.storage == .double(double), "seed \(seed): \(literal)")
        }
      }
    }
  }

  /// The library reads the digits that it writes: a number that SQLite would read as another one is
  /// not written in digits.
  @Test(arguments: RandomRun.seeds)
  func `decimal numbers of all lengths are read as by SQLite`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    try DatabaseQueue().read { db in
      for _ in 0..<2000 {
        let digits = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
          "\(Int.random(in: 0...9, using: &generator))"
        }
        let point = Int.random(in: 1...digits.count, using: &generator)
        let exponent = Int.random(in: -340...300, using: &generator)
        let text = """
          -\(digits[..<point].joined()).\(digits[point...].joined())0\
          e\(exponent < 0 ? "-" : "+")\(abs(exponent))
          """
        let read = try Double.fetchOne(db, sql: "SELECT \(text)")
        #expect(SQLiteNumber.double(text) == read, "seed \(seed): \(text)")
      }
    }
  }

  /// Lists of all lengths: the arithmetic depends on the largest and the smallest double of a list.
  @Test(arguments: RandomRun.seeds)
  func `doubles of a JSON list read as the same doubles`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var doubles = (Self.doubles(seed: seed) + Self.limits).shuffled(using: &generator)[...]
    try DatabaseQueue().read { db in
      while !doubles.isEmpty {
        let list = Array(doubles.prefix(Int.random(in: 1...6, using: &generator)))
        doubles = doubles.dropFirst(list.count)
        try expectSame(list, db, "seed \(seed)")
      }
      try expectSame(Self.doubles(seed: seed) + Self.limits, db, "seed \(seed)")
    }
  }

  private func expectSame(_ list: [Double], _ db: Database, _ comment: Comment) throws {
    let json = try #require(JSONList(list.map(\.databaseValue)))
    let request = SQLRequest<Double>(
      sql: "SELECT \(json.element) FROM json_each(?)", arguments: [json.json])
    let read = try request.fetchAll(db)
    // NaN would be different from itself. Zeros have no sign in comparisons and texts.
    #expect(read == list, comment)
    let types = try String.fetchSet(
      db, sql: "SELECT typeof(\(json.element)) FROM json_each(?)", arguments: [json.json])
    #expect(types == ["real"], comment)
  }

  private static var valuesToRead: [any DatabaseValueConvertible] {
    [
      12, 1.5, 0.1 + 0.2, "O'Brien", Double.infinity, -Double.infinity, Data([1]), "a\0b", "\0'",
    ]
  }

  @Test(arguments: valuesToRead.map(\.databaseValue))
  func `literals read as the value`(value: DatabaseValue) throws {
    try DatabaseQueue().read { db in
      let read = try DatabaseValue.fetchOne(db, sql: "SELECT \(value.sqlLiteral)")
      #expect(read?.storage == value.storage)
    }
  }
}
