import Foundation
public import Quarry

// 16 bytes, the highest one first: blobs compare byte by byte, so that their order is that of the
// numbers. The sign of `Int128` is inverted for it. All numbers are blobs, small ones as well: in
// SQLite, each blob comes after each integer.
//
// See <https://www.sqlite.org/datatype3.html#sort_order>.

/// Stored as a blob of 16 bytes, which SQLite compares and sorts as the numbers:
///
/// ```swift
/// // SELECT * FROM account WHERE balance > X'80000000000000000000000000000064'
/// Account.filter(Column("balance") > Int128(100))
/// ```
///
/// SQL can't calculate with it: `+`, `SUM` and `AVG` need an integer. Integers, and numbers of
/// other kinds, are read where ``Quarry/Configuration/conversions`` is `.lossless`, and are not
/// equal to any blob in SQL.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension Int128: DatabaseValueConvertible {
  private static var sign: UInt128 { 1 << 127 }

  /// The blob of 16 bytes, whose first bit is 1 for zero and positive numbers.
  public var databaseValue: DatabaseValue { (UInt128(bitPattern: self) ^ Self.sign).databaseValue }

  /// Returns the number of a blob of 16 bytes, or an integer.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Int128? {
    dbValue.bigEndian.map { Int128(bitPattern: $0 ^ sign) } ?? dbValue.narrowInteger()
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Int128? {
    fromDatabaseValue(dbValue) ?? (dbValue.isExact ? nil : ColumnConversion.integer(dbValue))
  }
}

/// Stored as a blob of 16 bytes, which SQLite compares and sorts as the numbers. A column has
/// numbers of one type: the blobs of `Int128` are other ones.
///
/// SQL can't calculate with it. Integers, and numbers of other kinds, are read where
/// ``Quarry/Configuration/conversions`` is `.lossless`, and are not equal to any blob in SQL.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension UInt128: DatabaseValueConvertible {
  /// The blob of 16 bytes, the highest one first.
  public var databaseValue: DatabaseValue {
    Data((0..<16).map { UInt8(truncatingIfNeeded: self >> (8 * (15 - $0))) }).databaseValue
  }

  /// Returns the number of a blob of 16 bytes, or an integer.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> UInt128? {
    dbValue.bigEndian ?? dbValue.narrowInteger()
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> UInt128? {
    fromDatabaseValue(dbValue) ?? (dbValue.isExact ? nil : ColumnConversion.integer(dbValue))
  }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension DatabaseValue {
  /// The number of a blob of 16 bytes.
  fileprivate var bigEndian: UInt128? {
    guard case .blob(let data) = storage, data.count == 16 else { return nil }
    return data.reduce(0) { $0 << 8 | UInt128($1) }
  }

  fileprivate func narrowInteger<Integer: FixedWidthInteger>() -> Integer? {
    guard case .int64(let int64) = storage, !isExact else { return nil }
    return Integer(exactly: int64)
  }
}
