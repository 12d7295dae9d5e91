import Foundation
import Quarry
import QuarryTestSupport
import QuarryValues
import Testing

@Suite("Integers of 128 bits")
struct WideIntegerTests {
  /// Numbers, and the blobs that they are stored as.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static var signed: [(Int128, String)] {
    [
      (.min, "00000000000000000000000000000000"),
      (-2, "7ffffffffffffffffffffffffffffffe"),
      (-1, "7fffffffffffffffffffffffffffffff"),
      (0, "80000000000000000000000000000000"),
      (1, "80000000000000000000000000000001"),
      (100, "80000000000000000000000000000064"),
      (9_223_372_036_854_775_808, "80000000000000008000000000000000"),
      (.max, "ffffffffffffffffffffffffffffffff"),
    ]
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static var unsigned: [(UInt128, String)] {
    [
      (0, "00000000000000000000000000000000"),
      (1, "00000000000000000000000000000001"),
      (258, "00000000000000000000000000000102"),
      (18_446_744_073_709_551_616, "00000000000000010000000000000000"),
      (.max, "ffffffffffffffffffffffffffffffff"),
    ]
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `the bytes of numbers`() throws {
    try DatabaseQueue().inDatabase { db throws in
      for (number, hex) in Self.signed {
        #expect(try String.fetchOne(db, sql: "SELECT lower(hex(?))", arguments: [number]) == hex)
        #expect(try Int128.fetchOne(db, sql: "SELECT x'\(hex)'") == number)
      }
      for (number, hex) in Self.unsigned {
        #expect(try String.fetchOne(db, sql: "SELECT lower(hex(?))", arguments: [number]) == hex)
        #expect(try UInt128.fetchOne(db, sql: "SELECT x'\(hex)'") == number)
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `an integer of the usual size is read`() throws {
    try DatabaseQueue().inDatabase { db throws in
      #expect(try Int128.fetchOne(db, sql: "SELECT -9223372036854775808") == -1 << 63)
      #expect(
        try Int128.fetchOne(db, sql: "SELECT '170141183460469231731687303715884105727'") == .max)
      #expect(try Int128.fetchOne(db, sql: "SELECT 120.0") == 120)
      #expect(try UInt128.fetchOne(db, sql: "SELECT 7") == 7)
      #expect(try Int128?.fetchOne(db, sql: "SELECT NULL") == .some(nil))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: [
    "x'000102030405060708090a0b0c0d0e'", "x'000102030405060708090a0b0c0d0e0f10'", "x''", "'Chai'",
    "1.5", "NULL", "1e40", "'170141183460469231731687303715884105728'",
  ])
  func `other values are refused`(sql: String) throws {
    try DatabaseQueue().inDatabase { db in
      let error = #expect(throws: RowDecodingError.self) {
        try Int128.fetchAll(db, sql: "SELECT \(sql) AS balance")
      }
      let text = try #require(error).description
      #expect(text.contains("could not decode Int128 from database value"))
      #expect(text.contains(#"column: "balance""#))
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `a negative integer is no unsigned number`() throws {
    try DatabaseQueue().inDatabase { db throws in
      let text = errorText { try UInt128.fetchAll(db, sql: "SELECT -1") }
      #expect(text?.contains("could not decode UInt128 from database value -1") == true)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `exact conversions read blobs only`() throws {
    var configuration = Configuration()
    configuration.conversions = .exact
    try DatabaseQueue(configuration: configuration).inDatabase { db throws in
      #expect(try Int128.fetchOne(db, sql: "SELECT ?", arguments: [Int128(7)]) == 7)
      for sql in ["7", "'7'", "7.0"] {
        let error = #expect(throws: RowDecodingError.self) {
          try Int128.fetchAll(db, sql: "SELECT \(sql)")
        }
        #expect(try #require(error).description.contains("`.exact`"))
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  private static func number(_ random: inout SplitMix64) -> Int128 {
    switch random.below(4) {
    case 0: random.pick(signed).0
    case 1: Int128(random.int64())
    default:
      Int128(bitPattern: UInt128(random.next()) << 64 | UInt128(random.next())) >> random.below(128)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func `SQL compares and sorts random numbers as Swift does`() throws {
    let run = RandomRun("integers of 128 bits")
    var random = run.generator
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE n (a BLOB, b BLOB)")
      let numbers = (0..<300).map { _ in Self.number(&random) }
      for number in numbers {
        try db.execute(
          sql: "INSERT INTO n VALUES (?, ?)",
          arguments: [number, UInt128(bitPattern: number)])
      }
      #expect(
        try Int128.fetchAll(db, sql: "SELECT a FROM n ORDER BY a") == numbers.sorted(),
        "seed \(run.seed)")
      #expect(
        try UInt128.fetchAll(db, sql: "SELECT b FROM n ORDER BY b")
          == numbers.map { UInt128(bitPattern: $0) }.sorted(), "seed \(run.seed)")
      for _ in 0..<300 {
        let (a, b) = (random.pick(numbers), Self.number(&random))
        let found = try String.fetchOne(
          db, sql: "SELECT iif(?1 < ?2, '<', iif(?1 = ?2, '=', '>'))", arguments: [a, b])
        #expect(found == (a < b ? "<" : a == b ? "=" : ">"), "\(a), \(b), seed \(run.seed)")
      }
      #expect(try Int128.fetchOne(db, sql: "SELECT MAX(a) FROM n") == numbers.max())
    }
  }
}
