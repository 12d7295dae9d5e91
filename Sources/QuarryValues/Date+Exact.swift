public import Foundation
import Quarry

// Exact dates: the text of milliseconds, with more digits for the dates that need them. So texts
// with and without these digits compare as dates do, and a date of whole milliseconds has one text.

extension Date {
  /// Makes this process store dates exactly, and not rounded to milliseconds.
  ///
  /// ```swift
  /// try Date.storeExactDates()
  /// // INSERT INTO event (date) VALUES ('2024-03-01 12:30:00.1234567')
  /// try db.execute(sql: "INSERT INTO event (date) VALUES (?)", arguments: [date])
  /// ```
  ///
  /// The text of a date then has the fewest digits, at least three, that read as the same date, and
  /// all its digits are read. Dates outside of the years 0 to 9999 throw when they are stored. A
  /// record whose `databaseDateEncodingStrategy` is another one keeps it.
  ///
  /// The program calls it before it uses any date of a database, such as at its start. It concerns
  /// all databases of the process, since conditions and keys are made before a connection is known.
  ///
  /// See <https://www.sqlite.org/lang_datefunc.html#time_values>.
  ///
  /// - Throws: `DatabaseError` with code `SQLITE_MISUSE` when a date was converted before.
  public static func storeExactDates() throws {
    let dates = ExactDates(
      write: { $0.exactDatabaseValue },
      read: { Date(millisecondsSince1970: $0, of: $1) })
    guard ExactDates.choose(dates) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "Date.storeExactDates() is called after the first conversion of a date: "
          + "call it at the start of the program")
    }
  }

  /// The exact text, or the reason why there is none.
  fileprivate var exactDatabaseValue: DatabaseValue {
    let second = timeIntervalSinceReferenceDate.rounded(.down)
    // Beyond, the milliseconds don't fit an integer.
    guard second.magnitude < 0x1p50 else { return valueWithoutText }
    let time = CivilTime(
      millisecondsSince1970: (Int64(second) + Self.secondsFrom1970To2001) * 1000)
    guard 0...9999 ~= time.year else { return valueWithoutText }
    let text = DateTextWriter.string(time, format: .YMD_HMS)
    return "\(text).\(DecimalFraction(after: second, of: timeIntervalSinceReferenceDate).digits)"
      .databaseValue
  }

  /// A date whose text has more digits than milliseconds do, nil for others.
  fileprivate init?(millisecondsSince1970 milliseconds: Int64, of text: String) {
    let digits = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { 0x30...0x39 ~= $0 }
    guard digits.count > 3 else { return nil }
    let second = (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000
    let fraction = DecimalFraction(digits: String(decoding: digits, as: UTF8.self))
    self.init(
      timeIntervalSinceReferenceDate: fraction.added(to: second - Self.secondsFrom1970To2001))
  }

  private static var secondsFrom1970To2001: Int64 { 978_307_200 }
}
