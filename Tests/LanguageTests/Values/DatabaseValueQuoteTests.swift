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

  @Test(arguments: [1, UInt64.random(in: 2 ... .max)])
  func `literals of doubles are those of quote`(seed: UInt64) throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT quote(?)")
      for double in Self.doubles(seed: seed) {
        let quoted = try String.fetchOne(statement, arguments: [double])
        #expect(double.databaseValue.sqlLiteral == quoted, "seed \(seed)")
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

  @Test(arguments: [1, UInt64.random(in: 2 ... .max)])
  func `exact literals of doubles read as the same double`(seed: UInt64) throws {
    let limits = [
      Double.leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p53 - 1, 0x1p53,
      .greatestFiniteMagnitude, .infinity,
    ]
    try DatabaseQueue().read { db in
      for double in Self.doubles(seed: seed) + limits + limits.map(-) {
        let literal = double.databaseValue.exactLiteral
        let read = try DatabaseValue.fetchOne(db, sql: "SELECT \(literal)")
        #expect(read?.storage == .double(double), "seed \(seed): \(literal)")
      }
    }
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
