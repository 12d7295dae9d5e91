import Foundation
import Testing

@testable import Quarry

struct DatabaseDateComponentsTests {
  static let components = DateComponents(
    year: 1988, month: 3, day: 7, hour: 9, minute: 5, second: 2, nanosecond: 123_456_789)

  @Test(arguments: [
    (DatabaseDateComponents.Format.YMD, "1988-03-07"),
    (.YMD_HM, "1988-03-07 09:05"),
    (.YMD_HMS, "1988-03-07 09:05:02"),
    (.YMD_HMSS, "1988-03-07 09:05:02.123"),
    (.HM, "09:05"),
    (.HMS, "09:05:02"),
    (.HMSS, "09:05:02.123"),
  ])
  func `components are stored in their format`(format: DatabaseDateComponents.Format, text: String)
  {
    let value = DatabaseDateComponents(Self.components, format: format).databaseValue
    #expect(value.storage == .string(text))
  }

  @Test(arguments: [
    (DatabaseDateComponents.Format.YMD, "yyyy-MM-dd"),
    (.YMD_HM, "yyyy-MM-dd HH:mm"),
    (.YMD_HMS, "yyyy-MM-dd HH:mm:ss"),
    (.YMD_HMSS, "yyyy-MM-dd HH:mm:ss.SSS"),
    (.HM, "HH:mm"),
    (.HMS, "HH:mm:ss"),
    (.HMSS, "HH:mm:ss.SSS"),
  ])
  func `formats have a raw value`(format: DatabaseDateComponents.Format, rawValue: String) {
    #expect(format.rawValue == rawValue)
    #expect(DatabaseDateComponents.Format(rawValue: rawValue) == format)
  }

  @Test(arguments: [
    (DatabaseDateComponents.Format.YMD_HMSS, "0000-01-01 00:00:00.000"), (.HM, "00:00"),
  ])
  func `missing components have defaults`(format: DatabaseDateComponents.Format, text: String) {
    let value = DatabaseDateComponents(DateComponents(), format: format).databaseValue
    #expect(value.storage == .string(text))
  }

  @Test(arguments: [
    (0, "000"), (499_999, "000"), (500_000, "001"), (123_456_789, "123"), (123_500_000, "124"),
    (999_499_999, "999"), (999_500_000, "999"), (999_599_933, "999"), (999_999_999, "999"),
  ])
  func `nanoseconds are rounded to milliseconds of the same second`(
    nanosecond: Int, milliseconds: String
  ) throws {
    let time = DateComponents(hour: 13, minute: 5, second: 59, nanosecond: nanosecond)
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE loan (time TEXT); INSERT INTO loan VALUES (?)",
        arguments: [DatabaseDateComponents(time, format: .HMSS)])
      let row = try #require(
        try Row.fetchOne(db, sql: "SELECT time, time < '13:05:59.9999' AS isBefore FROM loan"))
      #expect(row == ["time": "13:05:59.\(milliseconds)", "isBefore": true])
      let read = try #require(row["time"] as DatabaseDateComponents?)
      #expect(read.dateComponents.nanosecond == Int(milliseconds).map { $0 * 1_000_000 })
    }
  }

  @Test(
    arguments: [
      ("2018-12-31", .YMD, DateComponents(year: 2018, month: 12, day: 31)),
      (
        "2018-12-31T23:59", .YMD_HM,
        DateComponents(year: 2018, month: 12, day: 31, hour: 23, minute: 59)
      ),
      (
        "2018-12-31 23:59:58", .YMD_HMS,
        DateComponents(year: 2018, month: 12, day: 31, hour: 23, minute: 59, second: 58)
      ),
      (
        "2018-12-31 23:59:58.1", .YMD_HMSS,
        DateComponents(
          year: 2018, month: 12, day: 31, hour: 23, minute: 59, second: 58, nanosecond: 100_000_000)
      ),
      ("23:59", .HM, DateComponents(hour: 23, minute: 59)),
      ("23:59:58", .HMS, DateComponents(hour: 23, minute: 59, second: 58)),
      (
        "23:59:58.1239", .HMSS,
        DateComponents(hour: 23, minute: 59, second: 58, nanosecond: 123_000_000)
      ),
      ("23:59Z", .HM, DateComponents(timeZone: TimeZone(secondsFromGMT: 0), hour: 23, minute: 59)),
      (
        "23:59:58-02:30", .HMS,
        DateComponents(
          timeZone: TimeZone(secondsFromGMT: -9000), hour: 23, minute: 59, second: 58)
      ),
    ] as [(String, DatabaseDateComponents.Format, DateComponents)])
  func textsAreParsed(
    text: String, format: DatabaseDateComponents.Format, components: DateComponents
  ) throws {
    for value in [text.databaseValue, Data(text.utf8).databaseValue] {
      let parsed = try #require(DatabaseDateComponents.fromDatabaseValue(value))
      #expect(parsed.format == format)
      #expect(parsed.dateComponents == components)
    }
  }

  private static var otherValues: [any DatabaseValueConvertible] {
    [
      DatabaseValue.null, 12, 1.5, "", "foo", "9:05", "2018-12-31Z", Data([0xFF]),
    ]
  }

  @Test(arguments: otherValues.map(\.databaseValue))
  func `other values are rejected`(value: DatabaseValue) {
    #expect(DatabaseDateComponents.fromDatabaseValue(value) == nil)
  }

  @Test func `components are codable as a string`() throws {
    let components = DatabaseDateComponents(Self.components, format: .YMD_HM)
    let json = try JSONEncoder().encode([components])
    #expect(String(decoding: json, as: UTF8.self) == #"["1988-03-07 09:05"]"#)
    let decoded = try JSONDecoder().decode([DatabaseDateComponents].self, from: json)
    #expect(decoded.first?.format == .YMD_HM)
    #expect(decoded.first?.dateComponents.year == 1988)
  }

  @Test func `decoding another string fails`() throws {
    do {
      _ = try JSONDecoder().decode([DatabaseDateComponents].self, from: Data(#"["foo"]"#.utf8))
      Issue.record("an error is expected")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription == "Unable to initialise databaseDateComponent")
    }
  }
}
