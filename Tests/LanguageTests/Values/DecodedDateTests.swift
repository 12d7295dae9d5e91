import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// A decoded date is the double nearest to the instant, as a date made from components is.
struct DecodedDateTests {
  /// The nearest double, found by the parser of numbers.
  private func nearest(secondsSince2001 seconds: Int, millisecond: Int) -> Date? {
    let digits = "\(1000 + millisecond)".dropFirst()
    let (whole, decimals) =
      seconds >= 0 || millisecond == 0 ? ("\(seconds)", digits) : negative(seconds, millisecond)
    return Double("\(whole).\(decimals)").map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The text of `seconds + millisecond / 1000`, below zero.
  private func negative(_ seconds: Int, _ millisecond: Int) -> (String, Substring) {
    let magnitude = -(seconds * 1000 + millisecond)
    return ("-\(magnitude / 1000)", "\(1000 + magnitude % 1000)".dropFirst())
  }

  private func check(_ text: String, _ expected: Date?, _ db: Database) throws {
    let stored = "\(text)".databaseValue
    #expect(Date.fromDatabaseValue(stored) == expected, "\(text)")
    #expect(try Date.fetchOne(db, sql: "SELECT ?", arguments: [text]) == expected, "\(text)")
  }

  @Test func `all milliseconds of a second`() throws {
    try DatabaseQueue().inDatabase { db in
      for millisecond in 0..<1000 {
        let digits = "\(1000 + millisecond)".dropFirst()
        // 2015-07-22 12:00:03
        try check(
          "2015-07-22 12:00:03.\(digits)",
          nearest(secondsSince2001: 459_259_203, millisecond: millisecond), db)
        // 1969-12-31 23:59:58
        try check(
          "1969-12-31 23:59:58.\(digits)",
          nearest(secondsSince2001: -978_307_202, millisecond: millisecond), db)
      }
    }
  }

  @Test func `dates from components`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let components = DateComponents(
      year: 2015, month: 7, day: 22, hour: 1, minute: 2, second: 3, nanosecond: 4_000_000)
    let date = try #require(calendar.date(from: components))
    #expect(Date.fromDatabaseValue("2015-07-22 01:02:03.004".databaseValue) == date)
  }

  @Test func `random dates are stored and come back`() throws {
    let run = RandomRun("decoded dates")
    try DatabaseQueue().inDatabase { db throws in
      var random = run.generator
      for _ in 0..<2000 {
        let seconds = random.below(10_000_000_000) - 5_000_000_000
        let millisecond = random.below(1000)
        let date = try #require(nearest(secondsSince2001: seconds, millisecond: millisecond))
        let read = try Date.fetchOne(db, sql: "SELECT ?", arguments: [date])
        #expect(read == date, "seed \(run.seed)")
      }
    }
  }
}
