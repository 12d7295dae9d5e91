import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

struct DateConversionTests {
  @Test(arguments: [
    (0, "1970-01-01 00:00:00.000"),
    (-1.5, "1969-12-31 23:59:58.500"),
    (0.1239, "1970-01-01 00:00:00.124"),
    (0.9999, "1970-01-01 00:00:01.000"),
    (0.0005, "1970-01-01 00:00:00.000"),
    (-0.0001, "1970-01-01 00:00:00.000"),
    (0.0625, "1970-01-01 00:00:00.063"),
    (951_782_399, "2000-02-28 23:59:59.000"),
    (951_782_400, "2000-02-29 00:00:00.000"),
    (4_107_542_400, "2100-03-01 00:00:00.000"),
    (1_600_000_000.123, "2020-09-13 12:26:40.123"),
    (253_402_300_799.999, "9999-12-31 23:59:59.999"),
    (-12_219_292_800, "1582-10-15 00:00:00.000"),
    (-12_219_292_801, "1582-10-04 23:59:59.000"),
    (-62_167_392_000, "0000-01-01 00:00:00.000"),
  ])
  func `dates are stored as text in UTC`(seconds: Double, text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(date.databaseValue.storage == .string(text))
    #expect(
      NSDate(timeIntervalSince1970: seconds).databaseValue.storage == .string(text))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, .nan])
  func `dates that are not finite are invalid values`(seconds: Double) {
    #expect(Date(timeIntervalSince1970: seconds).databaseValue.invalidReason != nil)
  }

  /// The last one is rounded to the year 10000.
  @Test(arguments: [-62_167_392_001, 253_402_300_800, 1_700_000_000_000, 253_402_300_799.9996])
  func `dates outside of the years 0 to 9999 are invalid values`(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(
      date.databaseValue.invalidReason == """
        could not store the date at \(date.timeIntervalSince1970) seconds since 1970: its year is \
        not in 0...9999. `databaseDateEncodingStrategy` stores it as a number
        """)
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      let code = date.bind(to: statement.sqliteStatement, at: 1)
      #expect(ResultCode(rawValue: code) == .SQLITE_MISMATCH)
    }
    let hasText = date.withDatabaseText { _ in }
    #expect(!hasText)
  }

  @Test(arguments: [
    ("1970-01-02", 86_400),
    ("1970-01-01 00:01", 60),
    ("1970-01-01T00:01", 60),
    ("1970-01-01 00:00:01", 1),
    ("1970-01-01T00:00:01", 1),
    ("1970-01-01 00:00:00.5", 0.5),
    ("1970-01-01 00:00:00.12", 0.12),
    ("1970-01-01 00:00:00.123", 0.123),
    ("1970-01-01 00:00:00.1239999", 0.123),
    ("1970-01-01 00:01Z", 60),
    ("1970-01-01 00:00:01Z", 1),
    ("1970-01-01T00:00:00.5Z", 0.5),
    ("1970-01-01 01:00+01:00", 0),
    ("1970-01-01 00:00:00-02:30", 9000),
    ("2020-13-45", 1_613_260_800),
    ("2000-02-29 00:00:00.000", 951_782_400),
    ("1582-10-15", -12_219_292_800),
    ("1582-10-04", -12_219_379_200),
  ])
  func `dates are parsed from texts`(text: String, seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(Date.fromDatabaseValue(text.databaseValue) == date)
    #expect(Date.fromDatabaseValue(Data(text.utf8).databaseValue) == date)
    let object = NSDate.fromDatabaseValue(text.databaseValue)
    #expect(object?.timeIntervalSinceReferenceDate == date.timeIntervalSinceReferenceDate)
  }

  @Test(arguments: [
    "", "2020", "2020-01", "2020-1-02", "2020-01-2", "20-01-02", "02020-01-02", "-020-01-02",
    "2020-01-02 ", " 2020-01-02", "2020-01-02x", "2020-01-02 03", "2020-01-02 3:04",
    "2020-01-02 03:4", "2020-01-02 03:04:5", "2020-01-02  03:04", "2020-01-02x03:04",
    "2020-01-02Z", "2020-01-02+01:00", "2020-01-02 03:04z", "2020-01-02 03:04 Z",
    "2020-01-02 03:04+0100", "2020-01-02 03:04+1:00", "2020-01-02 03:04:05.",
    "2020-01-02 03:04:05.Z", "2020-01-02 03:04:05.5ZZ", "2020-01-02 03:04:05 ", "03:04",
    "03:04:05", "03:04:05.678", "a020-01-02", "2020/01/02",
  ])
  func `other texts are rejected`(text: String) {
    #expect(Date.fromDatabaseValue(text.databaseValue) == nil)
  }

  @Test func `numbers are seconds since 1970`() {
    #expect(
      Date.fromDatabaseValue(12.databaseValue) == Date(timeIntervalSince1970: 12))
    #expect(
      Date.fromDatabaseValue((-1.5).databaseValue) == Date(timeIntervalSince1970: -1.5))
  }

  @Test func `null and other blobs are no dates`() {
    #expect(Date.fromDatabaseValue(.null) == nil)
    #expect(Date.fromDatabaseValue(Data([0xFF]).databaseValue) == nil)
  }

  @Test(arguments: RandomRun.seeds)
  func `texts are those of a date formatter`(seed: UInt64) throws {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    var state = seed
    for _ in 0..<1000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let milliseconds = -62_135_596_800_000 + Int64(state >> 16) % 315_537_897_600_000
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = formatter.string(from: date)
      #expect(date.databaseValue.storage == .string(text), "seed \(seed)")
      let nearest = Date(millisecondsSince1970: milliseconds)
      #expect(Date.fromDatabaseValue(text.databaseValue) == nearest, "seed \(seed)")
    }
  }

  @Test(arguments: [
    (2_440_587.5, 0), (2_440_588, 43_200), (0, -210_866_760_000),
    (2_457_845.123, 1_491_058_627.2), (2_440_587.500_000_005, 0),
  ])
  func `julian days have a precision of one millisecond`(julianDay: Double, seconds: Double) {
    #expect(Date(julianDay: julianDay) == Date(timeIntervalSince1970: seconds))
  }

  @Test func `julian days before 1582 count days, and not those of SQLite's calendar`() throws {
    let first = try #require(Date(julianDay: 2_299_160.5))
    #expect(first.databaseValue == "1582-10-15 00:00:00.000".databaseValue)
    let last = try #require(Date(julianDay: 2_299_159.5))
    #expect(last.databaseValue == "1582-10-04 00:00:00.000".databaseValue)
    let day = try DatabaseQueue().read {
      try Double.fetchOne($0, sql: "SELECT julianday('1582-10-04')")
    }
    #expect(day == 2_299_149.5)
  }

  @Test(arguments: [-0.1, 5_373_484.5, .infinity, .nan])
  func `julian days outside of the dates of SQLite are nil`(julianDay: Double) {
    #expect(Date(julianDay: julianDay) == nil)
  }
}
