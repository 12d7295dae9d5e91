public import CSQLite
public import Foundation

extension Double: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, with the conversions of SQLite.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = unsafe sqlite3_column_double(sqliteStatement, index)
  }

  /// Decodes the column at an index, or returns nil for NULL and for values that are no doubles.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Double? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    return switch unsafe sqlite3_value_type(column) {
    case SQLITE_FLOAT: unsafe sqlite3_value_double(column)
    case SQLITE_NULL: nil
    default: unsafe convertedColumn(column)
    }
  }

  /// The double to store. SQLite stores NaN as NULL.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .double(self)) }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Double? {
    switch dbValue.storage {
    case .int64(let int64): dbValue.isExact ? Double(exactly: int64) : Double(int64)
    case .double(let double): double
    default: nil
    }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Double? {
    ColumnConversion.double(dbValue)
  }

  /// Binds the double to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe sqlite3_bind_double(sqliteStatement, index, self)
  }
}

extension Float: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, with the conversions of SQLite, rounded to the precision of
  /// the type.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    unsafe self.init(sqlite3_column_double(sqliteStatement, index))
  }

  /// Decodes the column at an index, rounded to the precision of the type, or returns nil for NULL
  /// and for values that are no numbers of its range.
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Float? {
    unsafe Double.fromStatement(sqliteStatement, atUncheckedIndex: index).flatMap(
      ColumnConversion.float)
  }

  /// The double that has the value of the number.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .double(Double(self))) }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Float? {
    if dbValue.isExact { return ColumnConversion.float(dbValue) }
    return Double.fromDatabaseValue(dbValue).map { Float($0) }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Float? {
    ColumnConversion.float(dbValue)
  }

  /// Binds the double that has the value of the number.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe sqlite3_bind_double(sqliteStatement, index, Double(self))
  }
}

extension CGFloat: DatabaseValueConvertible {
  /// The double to store.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> CGFloat? {
    Double.fromDatabaseValue(dbValue).map { CGFloat($0) }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> CGFloat? {
    ColumnConversion.double(dbValue).map { CGFloat($0) }
  }
}
