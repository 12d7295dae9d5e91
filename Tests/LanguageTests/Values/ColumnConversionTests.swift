import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Reads an SQL value from a live row, and from a copied one.
private func reads<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable>(
  _ sql: String, as type: Value.Type
) throws -> [Value?] {
  try DatabaseQueue().read { db in
    let sql = "SELECT \(sql) AS v"
    let cursor = try Row.fetchCursor(db, sql: sql)
    let live = try #require(try cursor.next())
    let copied = try #require(try Row.fetchOne(db, sql: sql))
    return [live, copied].map { try? $0.decode(Value.self, atIndex: 0) }
  }
}

/// The rule for values that are read from rows, written down: nil is an error.
@Suite("What loses nothing converts, the rest throws")
struct ColumnConversionTests {
  private func check<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable>(
    _ table: KeyValuePairs<String, Value?>
  ) throws {
    for (sql, value) in table {
      #expect(try reads(sql, as: Value.self) == [value, value], "\(sql) as \(Value.self)")
    }
  }

  @Test func `integers come from all integral numbers`() throws {
    try check(
      [
        "120": 120, "'120'": 120, "120.0": 120, "'120.0'": 120, "'1.2e2'": 120, "' 120 '": 120,
        "'+5'": 5, "'-5'": -5, "'-0'": 0, "-0.0": 0, "'0012'": 12, "'5.'": 5,
        "1.5": nil, "'1.5'": nil, "'Chai'": nil, "''": nil, "' '": nil, "'-'": nil, "'.'": nil,
        "'12abc'": nil, "'1 2'": nil, "'1e'": nil, "'0x10'": nil, "'12' || char(0)": nil,
        "'inf'": nil,
        "x'313230'": nil, "9e999": nil, "1e30": nil, "'1e30'": nil,
        "'1e999999999999999999999'": nil,
        "NULL": nil,
      ] as KeyValuePairs<String, Int?>)
    try check(
      [
        "'9223372036854775807'": Int64.max, "'9223372036854775808'": nil,
        "'-9223372036854775808'": Int64.min, "-9223372036854775808.0": Int64.min,
        "9223372036854775807.0": nil, "'9007199254740993.0'": 9_007_199_254_740_993,
        "'1.00000000000000000001'": nil,
      ] as KeyValuePairs<String, Int64?>)
  }

  @Test func `integers fit their type`() throws {
    try check(
      ["127": 127, "'-128'": -128, "300": nil, "'128'": nil, "300.0": nil]
        as KeyValuePairs<String, Int8?>)
    try check(
      ["-1": nil, "'-1'": nil, "-1.0": nil, "'-0'": 0, "255": 255]
        as KeyValuePairs<String, UInt8?>)
    try check(
      [
        "'18446744073709551615'": UInt64.max, "'18446744073709551616'": nil,
        "1e19": 10_000_000_000_000_000_000, "-1": nil,
      ] as KeyValuePairs<String, UInt64?>)
  }

  @Test func `all numbers but zero are true`() throws {
    try check(
      [
        "0": false, "1": true, "2": true, "-1": true, "0.0": false, "0.5": true, "9e999": true,
        "'0'": false, "'0.0'": false, "'1'": true, "'1e-400'": true,
        "'true'": nil, "'Chai'": nil, "''": nil, "x'30'": nil, "NULL": nil,
      ] as KeyValuePairs<String, Bool?>)
  }

  @Test func `doubles come from numbers that they hold, and from the nearest fraction`() throws {
    try check(
      [
        "1.5": 1.5, "12": 12, "9007199254740992": 9_007_199_254_740_992, "9007199254740993": nil,
        "'1.5'": 1.5, "'0.1'": 0.1, "'.5'": 0.5, "'3.14159265358979323846'": Double.pi,
        "'9007199254740992'": 9_007_199_254_740_992, "'9007199254740993'": nil,
        "'10000000000000000000000'": 1e22, "'1e22'": 1e22, "'18446744073709551616'": 0x1p64,
        "'100000000000000000000001'": nil, "9e999": .infinity, "'1e400'": nil, "'1e-400'": nil,
        "'Chai'": nil, "'nan'": nil, "'infinity'": nil, "''": nil, "x'31'": nil, "NULL": nil,
      ] as KeyValuePairs<String, Double?>)
  }

  @Test func `a text with an exponent is the nearest double`() throws {
    try check(
      [
        "'1e23'": 1e23, "'1.0e+23'": 1e23, "'-6.02214076E23'": -6.02214076e23,
        "'9007199254740993e0'": 9_007_199_254_740_992, "'1.5e1'": 15,
        "'1.7976931348623157e308'": .greatestFiniteMagnitude, "'5e-324'": .leastNonzeroMagnitude,
        "'1e309'": nil,
      ] as KeyValuePairs<String, Double?>)
  }

  @Test func `a double that a text column stores is read back`() throws {
    try inEmptyDatabase { db in
      try db.execute(sql: "CREATE TABLE number (double TEXT)")
      for double in [0.1, 1e22, 1e23, -6.02214076e23, 1.5e300, 2.5e-300] {
        try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [double])
        let sql = "DELETE FROM number RETURNING double"
        #expect(try Double.fetchOne(db, sql: sql) == double)
      }
    }
  }

  @Test func `floats are the nearest of a double`() throws {
    try check(
      [
        "0.5": 0.5, "0.1": 0.1, "'0.1'": 0.1, "16777217": 16_777_216, "9007199254740993": nil,
        "1e300": nil, "9e999": .infinity, "'Chai'": nil, "NULL": nil,
      ] as KeyValuePairs<String, Float?>)
  }

  @Test func `strings are the digits of numbers, and blobs of UTF-8`() throws {
    try check(
      [
        "'Chai'": "Chai", "''": "", "7": "7", "-9223372036854775808": "-9223372036854775808",
        "1.5": "1.5", "7.0": "7.0", "1e20": "1e+20", "0.1 + 0.2": "0.30000000000000004",
        "x'61'": "a", "x''": "", "x'FF'": nil, "9e999": nil, "NULL": nil,
        "CAST(x'61FF62' AS TEXT)": "a\u{FFFD}b", "'a' || char(0) || 'b'": "a\0b",
      ] as KeyValuePairs<String, String?>)
    try check(
      ["7": "7", "'é'": "é", "x'61'": "a", "12": nil, "x'FF'": nil]
        as KeyValuePairs<String, Character?>)
  }

  @Test func `data is a blob, or the bytes of a text`() throws {
    try check(
      [
        "x'00FF'": Data([0, 255]), "x''": Data(), "'a'": Data([0x61]), "''": Data(), "12": nil,
        "1.5": nil, "NULL": nil,
      ] as KeyValuePairs<String, Data?>)
  }

  @Test func `dates are seconds since 1970, or texts of dates`() throws {
    let second = Date(timeIntervalSince1970: 1)
    try check(
      [
        "1": second, "1.0": second, "'1970-01-01 00:00:01'": second,
        "CAST('1970-01-01 00:00:01' AS BLOB)": second, "'1'": nil, "x'31'": nil, "x'FF'": nil,
        "9e999": nil, "'Chai'": nil, "NULL": nil,
      ] as KeyValuePairs<String, Date?>)
  }

  @Test func `decimal numbers come from texts as a whole`() throws {
    try check(
      [
        "12": 12, "'0.1'": Decimal(string: "0.1"), "'-1.50'": Decimal(string: "-1.5"),
        "'1e3'": 1000,
        "'123456789012345678901234567890.5'":
          Decimal(string: "123456789012345678901234567890.5"),
        "'12abc'": nil, "'Chai'": nil, "''": nil, "x'31'": nil, "9e999": nil, "NULL": nil,
        "'1e999'": nil, "'0.\(String(repeating: "1", count: 50))'": nil,
      ] as KeyValuePairs<String, Decimal?>)
    try check(["1.5": Decimal(string: "1.5")] as KeyValuePairs<String, Decimal?>)
  }

  @Test func `decimal numbers of doubles have the fewest digits that read as the double`() throws {
    try DatabaseQueue().read { db in
      for text in [
        "0.07", "19.99", "-19.99", "3.133", "0.23", "0.1", "1e-7", "1.5e20", "1e22",
        "123456789.12345679",
      ] {
        let double = try #require(Double(text))
        let read = try Decimal.fetchOne(db, sql: "SELECT ?", arguments: [double])
        #expect(read == Decimal(string: text), "\(text)")
        let row = try #require(try Row.fetchOne(db, sql: "SELECT ?", arguments: [double]))
        #expect(try row.decode(Decimal.self, atIndex: 0) == Decimal(string: text), "\(text)")
      }
    }
    try check(
      [
        "0.0": 0, "-0.0": 0, "-3.0": -3, "1e15": 1_000_000_000_000_000,
        "9007199254740992.0": 9_007_199_254_740_992, "9e999": nil, "1e300": nil, "1e-200": nil,
        "1152921504606846976.0": Decimal(string: "1152921504606846976"),
        "9223372036854775808.0": Decimal(string: "9223372036854775808"),
      ] as KeyValuePairs<String, Decimal?>)
  }

  @Test(arguments: RandomRun.seeds)
  func `a decimal number that is read from a double is stored as this double`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for _ in 0..<1000 {
        let cents = Int.random(in: 1...99_999, using: &random)
        // The nearest double to the price.
        let double = Double(cents) / 100
        let decimal = try #require(try Decimal.fetchOne(statement, arguments: [double]))
        #expect(decimal == Decimal(sign: .plus, exponent: -2, significand: Decimal(cents)))
        let text = try #require(String.fromDatabaseValue(decimal.databaseValue))
        #expect(Double(text) == double, "\(cents) cents, seed \(seed)")
        let object = NSDecimalNumber(decimal: decimal)
        #expect(Double.fromDatabaseValue(object.databaseValue) == double)
      }
    }
  }

  // Short numbers don't take the way of long ones: both are those of Foundation's parser.
  @Test(arguments: RandomRun.seeds)
  func `decimal numbers of all lengths are those of their texts`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for _ in 0..<2000 {
        let digits = (0..<Int.random(in: 1...38, using: &random))
          .map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
        let sign = Bool.random(using: &random) ? "-" : ""
        let power = Int.random(in: -125...85, using: &random)
        let text = "\(sign)\(digits)e\(power)"
        let expected = try #require(Decimal(string: text), "\(text), seed \(seed)")
        let decimal = try Decimal.fetchOne(statement, arguments: [text])
        #expect(decimal == expected, "\(text), seed \(seed)")
        #expect(decimal?.description == expected.description, "\(text), seed \(seed)")
      }
    }
  }

  @Test func `UUIDs are 16 bytes, or a text`() throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    try check(
      [
        "x'0102030405060708090A0B0C0D0E0F10'": uuid, "'01020304-0506-0708-090a-0b0c0d0e0f10'": uuid,
        "x'01'": nil, "'Chai'": nil, "7": nil, "1.5": nil, "NULL": nil,
      ] as KeyValuePairs<String, UUID?>)
  }

  @Test func `a value by itself is stricter`() {
    #expect(Int.fromDatabaseValue("120".databaseValue) == nil)
    #expect(Int.fromDatabaseValue(1.5.databaseValue) == 1)
    #expect(Bool.fromDatabaseValue("0".databaseValue) == nil)
    #expect(String.fromDatabaseValue(7.databaseValue) == nil)
    #expect(Character.fromDatabaseValue(7.databaseValue) == nil)
    #expect(Double.fromDatabaseValue("1".databaseValue) == nil)
    #expect(CGFloat.fromDatabaseValue("1".databaseValue) == nil)
    #expect(Shelf.fromDatabaseValue("1".databaseValue) == nil)
    #expect(Stars.fromDatabaseValue("1".databaseValue) == nil)
    #expect(DatabaseValue.fromDatabaseValue(1.databaseValue) == 1.databaseValue)
  }

  @Test func `reading a live row leaves its values as they are stored`() throws {
    try DatabaseQueue().read { db in
      let sql = "SELECT x'61' AS a, 7 AS b, 1.5 AS c, '12' AS d, x'' AS e, '' AS f"
      let cursor = try Row.fetchCursor(db, sql: sql)
      let row = try #require(try cursor.next())
      let stored = try #require(try Row.fetchOne(db, sql: sql))
      for index in 0..<row.count {
        _ = try? row.decode(String.self, atIndex: index)
        _ = try? row.decode(Data.self, atIndex: index)
        _ = try? row.decode(Int.self, atIndex: index)
        _ = try? row.decode(Date.self, atIndex: index)
        _ = try? row.decode(UUID.self, atIndex: index)
        _ = try? row.withUnsafeData(atIndex: index) { $0?.count }
      }
      let storages = Array(row.databaseValues).map(\.storage)
      #expect(storages == Array(stored.databaseValues).map(\.storage))
    }
  }

  @Test func `the bytes of a column are those of a text or blob, in UTF-8`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16le'")
      let sql = "SELECT 'é' AS a, x'00FF' AS b, 7 AS c"
      let cursor = try Row.fetchCursor(db, sql: sql)
      let live = try #require(try cursor.next())
      for row in [live, try #require(try Row.fetchOne(db, sql: sql))] {
        let text = try row.withUnsafeData(named: "a") { $0.map { [UInt8]($0) } }
        let blob = try row.withUnsafeData(named: "b") { $0.map { [UInt8]($0) } }
        #expect(text == Array("é".utf8))
        #expect(blob == [0, 255])
        #expect(try row.decode(Data.self, forColumn: "a") == Data("é".utf8))
        #expect(throws: RowDecodingError.self) {
          try row.withUnsafeData(named: "c") { $0?.count }
        }
      }
    }
  }
}

private enum Shelf: Int, DatabaseValueConvertible { case poetry = 1 }

private struct Stars: Codable, DatabaseValueConvertible, Equatable {
  var count: Int
  init(_ count: Int) { self.count = count }
  init(from decoder: any Decoder) throws {
    count = try decoder.singleValueContainer().decode(Int.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }
}

/// A type with a conversion of its own.
private enum Mark: DatabaseValueConvertible, Equatable {
  case points(Int)
  case words(String)

  var databaseValue: DatabaseValue {
    switch self {
    case .points(let points): points.databaseValue
    case .words(let words): words.databaseValue
    }
  }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Mark? {
    if let points = Int.fromDatabaseValue(dbValue) { return .points(points) }
    return String.fromDatabaseValue(dbValue).map(Mark.words)
  }
}

/// A raw value with a conversion of its own.
private enum Genre: Int, DatabaseValueConvertible {
  case unknown, novel

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Genre? {
    Int.fromDatabaseValue(dbValue).flatMap { Genre(rawValue: $0) } ?? .unknown
  }
}

@Suite("Types of applications convert in their own way")
struct OwnConversionTests {
  private func reads<Value: DatabaseValueConvertible>(
    _ sql: String, as type: Value.Type
  ) throws -> [Value] {
    try DatabaseQueue().read { db in
      let sql = "SELECT \(sql) AS v"
      let cursor = try Row.fetchCursor(db, sql: sql)
      let live = try #require(try cursor.next())
      let copied = try #require(try Row.fetchOne(db, sql: sql))
      return try [live.decode(atIndex: 0), copied.decode(forColumn: "v")]
        + Value.fetchAll(db, sql: sql)
    }
  }

  @Test func `own functions see the stored value, and strict conversions`() throws {
    #expect(try reads("'12'", as: Mark.self) == Array(repeating: .words("12"), count: 3))
    #expect(try reads("12", as: Mark.self) == Array(repeating: .points(12), count: 3))
    #expect(try reads("'1'", as: Genre.self) == Array(repeating: .unknown, count: 3))
    #expect(try reads("1", as: Genre.self) == Array(repeating: .novel, count: 3))
  }

  @Test func `raw values and Codable types follow the rule`() throws {
    #expect(try reads("'1'", as: Shelf.self) == Array(repeating: .poetry, count: 3))
    #expect(try reads("1.0", as: Shelf.self) == Array(repeating: .poetry, count: 3))
    #expect(throws: RowDecodingError.self) { try reads("1.5", as: Shelf.self) }
    #expect(try reads("'5'", as: Stars.self) == Array(repeating: Stars(5), count: 3))
    #expect(throws: RowDecodingError.self) { try reads("5.5", as: Stars.self) }
    #expect(try reads("7", as: NSString.self) == ["7", "7", "7"])
    #expect(try reads("'1.5'", as: NSNumber.self).map(\.doubleValue) == [1.5, 1.5, 1.5])
    #expect(throws: RowDecodingError.self) { try reads("'1.5x'", as: NSNumber.self) }
    #expect(throws: RowDecodingError.self) { try reads("7", as: URL.self) }
  }
}
