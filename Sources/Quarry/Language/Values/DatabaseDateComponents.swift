// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSQLite
public import Foundation

/// Date components, with the format they have in the database.
///
/// ```swift
/// let components = DatabaseDateComponents(DateComponents(year: 1988, month: 3, day: 7), format: .YMD)
/// // INSERT INTO author (birthday) VALUES ('1988-03-07')
/// try db.execute(sql: "INSERT INTO author (birthday) VALUES (?)", arguments: [components])
/// ```
///
/// See <https://www.sqlite.org/lang_datefunc.html#time_values>.
public struct DatabaseDateComponents: Sendable {
  /// A format of dates and times that SQLite understands.
  public enum Format: String, Sendable {
    /// A date, such as `2024-02-29`.
    case YMD = "yyyy-MM-dd"
    /// A date with hours and minutes, such as `2024-02-29 13:05`.
    case YMD_HM = "yyyy-MM-dd HH:mm"
    /// A date with a time, such as `2024-02-29 13:05:59`.
    case YMD_HMS = "yyyy-MM-dd HH:mm:ss"
    /// A date with a time and milliseconds, such as `2024-02-29 13:05:59.123`.
    case YMD_HMSS = "yyyy-MM-dd HH:mm:ss.SSS"
    /// Hours and minutes, such as `13:05`.
    case HM = "HH:mm"
    /// A time, such as `13:05:59`.
    case HMS = "HH:mm:ss"
    /// A time with milliseconds, such as `13:05:59.123`.
    case HMSS = "HH:mm:ss.SSS"
  }

  /// The date components.
  public let dateComponents: DateComponents

  /// The format of the components in the database.
  public let format: Format

  /// Creates components that are stored in a format.
  ///
  /// Missing components are stored as those of `0000-01-01 00:00:00.000`. Nanoseconds are rounded
  /// to milliseconds, but not to the next second: the last half millisecond is stored as `.999`.
  public init(_ dateComponents: DateComponents, format: Format) {
    self.dateComponents = dateComponents
    self.format = format
  }
}

extension DatabaseDateComponents: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, which contains the text of a date or of a time.
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    guard let components = unsafe DatabaseDateComponents.convertedColumn(column) else { return nil }
    self = components
  }

  /// The text of the components.
  public var databaseValue: DatabaseValue { text.databaseValue }

  /// Returns the components of the text of a date or of a time.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> DatabaseDateComponents? {
    String.fromDatabaseValue(dbValue).flatMap { DatabaseDateComponents(DateText($0)) }
  }

  private var text: String {
    let time = CivilTime(
      year: dateComponents.year ?? 0, month: dateComponents.month ?? 1,
      day: dateComponents.day ?? 1, hour: dateComponents.hour ?? 0,
      minute: dateComponents.minute ?? 0, second: dateComponents.second ?? 0,
      millisecond: min(999, Int((Double(dateComponents.nanosecond ?? 0) / 1_000_000).rounded())))
    return DateTextWriter.string(time, format: format)
  }

  private init?(_ text: DateText?) {
    guard let text else { return nil }
    let (time, hasDate, hasTime) = (text.time, text.hasDate, text.format != .YMD)
    let hasMilliseconds = text.format == .YMD_HMSS || text.format == .HMSS
    let hasSeconds = hasMilliseconds || text.format == .YMD_HMS || text.format == .HMS
    let components = DateComponents(
      timeZone: text.secondsFromUTC.flatMap { TimeZone(secondsFromGMT: $0) },
      year: hasDate ? time.year : nil, month: hasDate ? time.month : nil,
      day: hasDate ? time.day : nil, hour: hasTime ? time.hour : nil,
      minute: hasTime ? time.minute : nil, second: hasSeconds ? time.second : nil,
      nanosecond: hasMilliseconds ? time.millisecond * 1_000_000 : nil)
    self.init(components, format: text.format)
  }
}

extension DatabaseDateComponents: Codable {
  /// Decodes the text of a date or of a time.
  ///
  /// - throws: A `DecodingError` for a text that is neither.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let components = DatabaseDateComponents(DateText(try container.decode(String.self)))
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Unable to initialise databaseDateComponent")
    }
    self = components
  }

  /// Encodes the text of the components.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
