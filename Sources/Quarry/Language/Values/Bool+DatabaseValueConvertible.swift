public import CSQLite

extension Bool: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index, with the conversions of SQLite: true for any integer but 0.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = unsafe sqlite3_column_int64(sqliteStatement, index) != 0
  }

  /// Decodes the column at an index, or returns nil for values that are not numbers.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Bool? {
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    return switch unsafe sqlite3_value_type(column) {
    case SQLITE_INTEGER: unsafe sqlite3_value_int64(column) != 0
    case SQLITE_NULL: nil
    default: unsafe convertedColumn(column)
    }
  }

  /// The integer 1 or 0.
  @inlinable
  public var databaseValue: DatabaseValue { DatabaseValue(storage: .int64(self ? 1 : 0)) }

  /// Returns true for any number but 0, and nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Bool? {
    if dbValue.isExact { return ColumnConversion.bool(dbValue) }
    return switch dbValue.storage {
    case .int64(let int64): int64 != 0
    case .double(let double): double != 0
    default: nil
    }
  }

  /// Converts a value of a row. Not for applications.
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Bool? {
    ColumnConversion.bool(dbValue)
  }

  /// Binds the integer 1 or 0.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe sqlite3_bind_int64(sqliteStatement, index, self ? 1 : 0)
  }
}
