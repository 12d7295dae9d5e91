#if Macros
  public import Foundation
  public import Quarry

  /// Dates as seconds since the start of 1970, UTC: a real number.
  ///
  /// It is the coding of `Codable` records with the strategy `timeIntervalSince1970`.
  public enum UnixSeconds: ColumnCoding {
    /// `DOUBLE`
    public static var columnType: Database.ColumnType? { .double }

    /// The seconds.
    public static func databaseValue(of date: Date) -> DatabaseValue {
      date.timeIntervalSince1970.databaseValue
    }

    /// The date, of any number.
    public static func value(in row: Row, atIndex index: Int) throws -> Date {
      try Date(timeIntervalSince1970: row.decode(Double.self, atIndex: index))
    }
  }

  /// Dates as milliseconds since the start of 1970, UTC: an integer, rounded down. A date that is
  /// read from whole milliseconds is stored as these.
  ///
  /// It is the coding of `Codable` records with the strategy `millisecondsSince1970`.
  public enum UnixMilliseconds: ColumnCoding {
    /// `INTEGER`
    public static var columnType: Database.ColumnType? { .integer }

    /// The milliseconds.
    ///
    /// - Throws: `EncodingError` when they don't fit into 64 bits.
    public static func databaseValue(of date: Date) throws -> DatabaseValue {
      try DatabaseDateEncodingStrategy.millisecondsSince1970.encode(date)
    }

    /// The date, of any number.
    public static func value(in row: Row, atIndex index: Int) throws -> Date {
      try Date(timeIntervalSince1970: row.decode(Double.self, atIndex: index) / 1000)
    }
  }

  /// Dates as texts such as `1969-12-31T23:59:58Z`, without fractions of seconds.
  ///
  /// It stores what `Codable` records with the strategy `iso8601` store, for years from 1 on, and
  /// reads what they read. It also reads fractions of seconds, and minutes and seconds above 59.
  public enum ISO8601: ColumnCoding {
    /// `DATETIME`
    public static var columnType: Database.ColumnType? { .datetime }

    private static var style: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle() }

    /// The text, of the milliseconds that are nearest.
    public static func databaseValue(of date: Date) -> DatabaseValue {
      let milliseconds = (date.timeIntervalSince1970 * 1000 + 0.5).rounded(.down)
      return style.format(Date(timeIntervalSince1970: milliseconds / 1000)).databaseValue
    }

    /// The date of a text.
    public static func value(in row: Row, atIndex index: Int) throws -> Date {
      guard let date = try? style.parse(row.decode(String.self, atIndex: index)) else {
        throw row.conversionError(Date.self, at: index)
      }
      return date
    }
  }

  /// UUIDs as texts in upper case. By default, they are blobs of 16 bytes.
  public enum UppercaseText: ColumnCoding {
    /// `TEXT`
    public static var columnType: Database.ColumnType? { .text }

    /// The text.
    public static func databaseValue(of uuid: UUID) -> DatabaseValue {
      uuid.uuidString.databaseValue
    }

    /// The UUID of a text in any case, or of a blob.
    public static func value(in row: Row, atIndex index: Int) throws -> UUID {
      try row.decode(UUID.self, atIndex: index)
    }
  }

  /// UUIDs as texts in lower case. By default, they are blobs of 16 bytes.
  public enum LowercaseText: ColumnCoding {
    /// `TEXT`
    public static var columnType: Database.ColumnType? { .text }

    /// The text.
    public static func databaseValue(of uuid: UUID) -> DatabaseValue {
      uuid.uuidString.lowercased().databaseValue
    }

    /// The UUID of a text in any case, or of a blob.
    public static func value(in row: Row, atIndex index: Int) throws -> UUID {
      try row.decode(UUID.self, atIndex: index)
    }
  }
#endif
