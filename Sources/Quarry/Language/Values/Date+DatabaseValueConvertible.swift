import CSQLite
public import Foundation

extension Date: DatabaseValueConvertible, _DirectColumn {
  /// Decodes the column at an index: a number of seconds since 1970, or the text of a date. NULL is
  /// nil.
  ///
  /// See ``fromDatabaseValue(_:)``.
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> Date? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    switch unsafe sqlite3_value_type(column) {
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_value_text(column) else { return nil }
      let count = unsafe Int(sqlite3_value_bytes(column))
      return unsafe Date(utf8: UnsafeBufferPointer(start: text, count: count))
    case SQLITE_NULL: return nil
    default: return unsafe convertedColumn(column)
    }
  }

  /// The text `yyyy-MM-dd HH:mm:ss.SSS` of the date in UTC, rounded to the nearest millisecond,
  /// unless `storeExactDates()` of the library `QuarryValues` was called.
  ///
  /// A statement that binds a date outside of the years 0 to 9999 throws.
  public var databaseValue: DatabaseValue {
    if let exact = ExactDates.ofProcess { return exact.write(self) }
    guard let time = civilTime else { return valueWithoutText }
    return DateTextWriter.string(time, format: .YMD_HMSS).databaseValue
  }

  /// The stand-in for a date outside of the years that have a text.
  package var valueWithoutText: DatabaseValue {
    .invalid(
      "could not store the date at \(timeIntervalSince1970) seconds since 1970: its year is not in "
        + "0...9999. `databaseDateEncodingStrategy` stores it as a number")
  }

  /// Returns a date from a number of seconds since 1970, or from a text in one of the formats of
  /// SQLite: `YYYY-MM-DD`, optionally followed by a time and a time zone, which is UTC by default.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Date? {
    switch dbValue.storage {
    case .string(let string): Date(text: string, isOfCalendar: dbValue.isExact)
    case .null: nil
    case _ where dbValue.isExact: nil
    case .int64(let seconds): Date(timeIntervalSince1970: Double(seconds))
    case .double(let seconds): Date(timeIntervalSince1970: seconds)
    case .blob(let data): String(validUTF8: data).flatMap { Date(text: $0) }
    }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Date? {
    switch dbValue.storage {
    case .int64 where !dbValue.isExact, .double where !dbValue.isExact:
      ColumnConversion.double(dbValue).flatMap {
        $0.isFinite ? Date(timeIntervalSince1970: $0) : nil
      }
    case .int64, .double, .string, .blob, .null: fromDatabaseValue(dbValue)
    }
  }

  /// Binds the text of the date to a parameter of a statement.
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    if let exact = ExactDates.ofProcess {
      return unsafe exact.write(self).bind(to: sqliteStatement, at: index)
    }
    guard let time = civilTime else { return SQLITE_MISMATCH }
    return unsafe DateTextWriter.withText(time, format: .YMD_HMSS) { text in
      unsafe text.bindText(to: sqliteStatement, at: index)
    }
  }

  /// Calls `body` with the text of the date, unless it has none, or is exact. Returns whether it
  /// did.
  func withDatabaseText(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard ExactDates.ofProcess == nil, let time = civilTime else { return false }
    unsafe DateTextWriter.withText(time, format: .YMD_HMSS) {
      unsafe body(UnsafeRawBufferPointer($0))
    }
    return true
  }

  /// Creates a date from a Julian day, with a precision of one millisecond.
  ///
  /// The result is nil outside of the dates of SQLite, which run from 4714 BC to the end of year
  /// 9999.
  ///
  /// Julian days count days, in whatever calendar. Before October 15, 1582, the texts of dates are
  /// those of the Julian calendar, as in Foundation, but SQLite's functions take texts for those of
  /// the Gregorian one: there, the result for `julianday(text)` is another day than the date of the
  /// text.
  ///
  /// ```swift
  /// let date = Date(julianDay: 2440587.5)  // 1970-01-01 00:00:00
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_datefunc.html>.
  public init?(julianDay: Double) {
    guard julianDay >= 0, julianDay < 5_373_484.5 else { return nil }
    let milliseconds = Int64(julianDay * 86_400_000 + 0.5)
    self.init(timeIntervalSince1970: Double(milliseconds - 210_866_760_000_000) / 1000)
  }

  /// The double nearest to the instant: rounding to one since 1970 first may give a neighbor.
  init(millisecondsSince1970 milliseconds: Int64) {
    self.init(timeIntervalSinceReferenceDate: Double(milliseconds - 978_307_200_000) / 1000)
  }

  private init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    if let milliseconds = unsafe DateText.commonMilliseconds(utf8: text) {
      self.init(millisecondsSince1970: milliseconds)
    } else {
      guard let parsed = unsafe DateText(utf8: text),
        let milliseconds = parsed.millisecondsSince1970
      else { return nil }
      let exact = unsafe ExactDates.ofProcess?.read(
        milliseconds, String(decoding: text, as: UTF8.self))
      self = exact ?? Date(millisecondsSince1970: milliseconds)
    }
  }

  /// - parameter isOfCalendar: Whether there must be such a day, and such a time.
  private init?(text: String, isOfCalendar: Bool = false) {
    guard let date = unsafe text.withUTF8Bytes({ unsafe Date(utf8: $0) }),
      !isOfCalendar || DateText(text)?.time.isOfCalendar == true
    else { return nil }
    self = date
  }

  /// The time in UTC, or nil outside of the years 0 to 9999: others have no text that is read.
  private var civilTime: CivilTime? {
    let milliseconds = (timeIntervalSince1970 * 1000 + 0.5).rounded(.down)
    guard milliseconds.magnitude < 0x1p61 else { return nil }
    let time = CivilTime(millisecondsSince1970: Int64(milliseconds))
    return 0...9999 ~= time.year ? time : nil
  }
}
