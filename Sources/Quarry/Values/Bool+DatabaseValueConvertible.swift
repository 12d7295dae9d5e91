public import CSQLite

extension Bool: DatabaseValueConvertible, StatementColumnConvertible {
  /// Decodes the column at an index: true for any integer but 0.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    self = sqlite3_column_int64(sqliteStatement, index) != 0
  }

  /// The integer 1 or 0.
  @inlinable
  public var databaseValue: DatabaseValue {
    DatabaseValue(storage: .int64(self ? 1 : 0))
  }

  /// Returns true for any number but 0, and nil for values that are not numbers.
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Bool? {
    switch dbValue.storage {
    case .int64(let int64): int64 != 0
    case .double(let double): double != 0
    default: nil
    }
  }

  /// Binds the integer 1 or 0.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    sqlite3_bind_int64(sqliteStatement, index, self ? 1 : 0)
  }
}
