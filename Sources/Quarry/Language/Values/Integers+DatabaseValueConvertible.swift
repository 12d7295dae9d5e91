public import CSQLite

/// The shared conversions of integer types: all are stored as signed 64-bit integers.
public protocol _DatabaseInteger: FixedWidthInteger, Codable, DatabaseValueConvertible,
  _DirectColumn
{}

extension _DatabaseInteger {
  /// Decodes the column at an index, or returns nil for NULL and for values that are no integers of
  /// the type.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Self? {
    // The type of a `sqlite3_value` costs next to nothing, and the one of a column as much as its
    // value. The value is read on the thread that steps the statement, so that it is protected.
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    return switch unsafe sqlite3_value_type(column) {
    case SQLITE_INTEGER: unsafe Self(exactly: sqlite3_value_int64(column))
    case SQLITE_NULL: nil
    default: unsafe convertedColumn(column)
    }
  }

  /// Converts a value of a row. Not for applications.
  @inlinable
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Self? {
    if case .int64(let int64) = dbValue.storage { return Self(exactly: int64) }
    return ColumnConversion.integer(dbValue)
  }

  /// The integer to store.
  ///
  /// SQLite has no integers above `Int64.max`: a statement that binds such a value throws.
  @inlinable
  public var databaseValue: DatabaseValue {
    guard let int64 = Int64(exactly: self) else {
      return .invalid("could not convert \(self) to an Int64 that can be stored in the database")
    }
    return DatabaseValue(storage: .int64(int64))
  }

  /// Returns the integer, or the integral part of a double, when it fits the type.
  @inlinable
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    Int64.fromDatabaseValue(dbValue).flatMap { Self(exactly: $0) }
  }

  /// Binds the integer to a parameter of a statement.
  ///
  /// Returns `SQLITE_MISMATCH` for integers above `Int64.max`.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    guard let int64 = Int64(exactly: self) else { return SQLITE_MISMATCH }
    return unsafe sqlite3_bind_int64(sqliteStatement, index, int64)
  }
}

extension Int: _DatabaseInteger {}
extension Int8: _DatabaseInteger {}
extension Int16: _DatabaseInteger {}
extension Int32: _DatabaseInteger {}
extension UInt: _DatabaseInteger {}
extension UInt8: _DatabaseInteger {}
extension UInt16: _DatabaseInteger {}
extension UInt32: _DatabaseInteger {}
extension UInt64: _DatabaseInteger {}

extension Int64: _DatabaseInteger {
  /// Decodes the column at an index, with the conversions of SQLite.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = unsafe sqlite3_column_int64(sqliteStatement, index)
  }

  /// The integer to store.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(self)) }

  /// Returns the integer, or the integral part of a double that is not too large.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Int64? {
    switch dbValue.storage {
    case .int64(let int64): int64
    // The bounds are powers of two, hence exact. NaN fails both comparisons.
    case .double(let double) where !dbValue.isExact && double >= -0x1p63 && double < 0x1p63:
      Int64(double)
    default: nil
    }
  }
  /// Binds the integer to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe sqlite3_bind_int64(sqliteStatement, index, self)
  }
}
