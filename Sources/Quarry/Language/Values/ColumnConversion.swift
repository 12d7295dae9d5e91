// How a value that is read from a row becomes the type that is asked for: the one rule of live,
// copied, prefetched and kept rows, of values and records, of Codable and by hand. What loses
// nothing converts, the rest is an error.
//
// | type | integer | double | text | blob |
// | --- | --- | --- | --- | --- |
// | integers | if it fits | if it is an integer that fits | if it is such a number | - |
// | Bool | is it not zero? | is it not zero? | is the number not zero? | - |
// | Double, CGFloat | if a double holds it | yes | digits of an integer: if a double holds it; else the nearest | - |
// | Float | as Double, then the nearest | | | - |
// | String | its digits | the shortest text that reads as the same double | yes | if it is UTF-8 |
// | Data | - | - | its UTF-8 bytes | yes |
// | Date | seconds since 1970 | seconds since 1970 | of a date | of the text of a date |
// | Decimal | yes | of the shortest text | of a number with no more digits than a Decimal holds | - |
//
// A connection with `ValueConversions.exact` marks its values (`DatabaseValue.isExact`), and types
// refuse what they don't store themselves: the conditions below, and those in `fromDatabaseValue`,
// which types of applications call.
//
// `fromDatabaseValue` is about values by themselves: it is stricter with texts, and cuts doubles
// off. Types of applications have their own `fromDatabaseValue`, which is called with the value as
// it is stored; the default implementations (raw values, Codable) follow the rule when the value
// comes from a row: see `DatabaseValue.isOfColumn`.
//
// Live rows don't make a `DatabaseValue` of what is stored as the type that is asked for: see
// `fromStatement`.

import Foundation

extension DatabaseValueConvertible {
  /// Converts a value of a row with the function of the type. Not for applications.
  @inlinable
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Self? {
    fromDatabaseValue(
      DatabaseValue(
        storage: dbValue.storage, isInvalid: dbValue.isInvalid, isOfColumn: true,
        isExact: dbValue.isExact))
  }

  /// Converts a part of a value: as a value of a row, if it is one.
  @inlinable
  static func converted(from dbValue: DatabaseValue) -> Self? {
    dbValue.isOfColumn ? _fromColumn(dbValue) : fromDatabaseValue(dbValue)
  }

  /// Converts the value of a column of the current row, which is stored in another way than the
  /// type expects.
  ///
  /// The type is looked at before the value: reading a value as another type converts it in place.
  @inline(never)
  @usableFromInline
  static func convertedColumn(_ column: OpaquePointer?) -> Self? {
    guard let column = unsafe column else { return nil }
    let value = unsafe DatabaseValue(sqliteValue: column)
    return value.isNull ? nil : _fromColumn(value)
  }
}

/// The conversions that lose nothing: see the table above.
@usableFromInline package enum ColumnConversion {
  @usableFromInline package static func integer<Integer: FixedWidthInteger>(
    _ dbValue: DatabaseValue
  ) -> Integer? {
    switch dbValue.storage {
    case .int64(let int64): Integer(exactly: int64)
    case .double(let double) where !dbValue.isExact: Integer(exactly: double)
    case .string(let string) where !dbValue.isExact: DecimalText(string)?.integer()
    case .null, .blob, .double, .string: nil
    }
  }

  static func bool(_ dbValue: DatabaseValue) -> Bool? {
    switch dbValue.storage {
    case .int64(let int64): dbValue.isExact && int64 & 1 != int64 ? nil : int64 != 0
    case .double(let double) where !dbValue.isExact: double.isNaN ? nil : double != 0
    case .string(let string) where !dbValue.isExact: DecimalText(string).map { !$0.isZero }
    case .null, .blob, .double, .string: nil
    }
  }

  static func double(_ dbValue: DatabaseValue) -> Double? {
    switch dbValue.storage {
    case .int64(let int64): Double(exactly: int64)
    case .double(let double): double
    case .string(let string) where !dbValue.isExact: DecimalText(string)?.double
    case .null, .blob, .string: nil
    }
  }

  static func float(_ dbValue: DatabaseValue) -> Float? {
    double(dbValue).flatMap { dbValue.isExact ? Float(exactly: $0) : float($0) }
  }

  static func float(_ double: Double) -> Float? {
    let float = Float(double)
    return double.isFinite && !float.isFinite ? nil : float
  }

  @usableFromInline static func string(_ dbValue: DatabaseValue) -> String? {
    switch dbValue.storage {
    case .int64(let int64) where !dbValue.isExact: int64.description
    case .double(let double) where !dbValue.isExact: double.isFinite ? double.description : nil
    case .string, .blob: String.fromDatabaseValue(dbValue)
    case .null, .int64, .double: nil
    }
  }

  static func decimal(_ dbValue: DatabaseValue) -> Decimal? {
    guard case .string(let string) = dbValue.storage else {
      return Decimal.fromDatabaseValue(dbValue)
    }
    let short = unsafe string.withUTF8Bytes { unsafe Decimal(shortText: $0) }
    return short ?? DecimalText(string)?.decimal
  }
}
