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

  @Test(arguments: [
    DatabaseValue.null, 12.databaseValue, Int64.min.databaseValue, Double.nan.databaseValue,
    "O'Brien".databaseValue, "''".databaseValue, "a\0b".databaseValue, "\u{e9}".databaseValue,
    Data().databaseValue, Data([0, 1, 0xAB, 0xFF]).databaseValue,
  ])
  func `quoted values are those of quote`(value: DatabaseValue) throws {
    try DatabaseQueue().read { db in
      let quoted = try String.fetchOne(db, sql: "SELECT quote(?)", arguments: [value])
      #expect(value.quoted == quoted)
    }
  }

  @Test(arguments: [
    12.databaseValue, 1.5.databaseValue, (0.1 + 0.2).databaseValue, "O'Brien".databaseValue,
    Double.infinity.databaseValue, (-Double.infinity).databaseValue, Data([1]).databaseValue,
    "a\0b".databaseValue, "\0'".databaseValue,
  ])
  func `literals read as the value`(value: DatabaseValue) throws {
    try DatabaseQueue().read { db in
      let read = try DatabaseValue.fetchOne(db, sql: "SELECT \(value.sqlLiteral)")
      #expect(read?.storage == value.storage)
    }
  }
}
