public import CSQLite
public import Foundation

extension Double: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = sqlite3_column_double(sqliteStatement, index)
  }

  /// Decodes the column at an index, or returns nil for NULL.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Double? {
    let value = sqlite3_column_double(sqliteStatement, index)
    // NULL reads as zero: few values need a second call.
    if value == 0, sqlite3_column_type(sqliteStatement, index) == SQLITE_NULL { return nil }
    return value
  }

  /// The double to store. SQLite stores NaN as NULL.
  @inlinable
  public var databaseValue: DatabaseValue {
    DatabaseValue(storage: .double(self))
  }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Double? {
    switch dbValue.storage {
    case .int64(let int64): Double(int64)
    case .double(let double): double
    default: nil
    }
  }

  /// Binds the double to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    sqlite3_bind_double(sqliteStatement, index, self)
  }
}

extension Float: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, rounded to the precision of the type.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self.init(sqlite3_column_double(sqliteStatement, index))
  }

  /// The double that has the value of the number.
  @inlinable
  public var databaseValue: DatabaseValue {
    DatabaseValue(storage: .double(Double(self)))
  }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Float? {
    Double.fromDatabaseValue(dbValue).map { Float($0) }
  }

  /// Binds the double that has the value of the number.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    sqlite3_bind_double(sqliteStatement, index, Double(self))
  }
}

extension CGFloat: DatabaseValueConvertible {
  /// The double to store.
  public var databaseValue: DatabaseValue {
    Double(self).databaseValue
  }

  /// Returns the number, or nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> CGFloat? {
    Double.fromDatabaseValue(dbValue).map { CGFloat($0) }
  }
}
