public import CSQLite
public import Foundation

extension DatabaseValue {
  /// Reads a column of the current row of a statement.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    switch sqlite3_column_type(sqliteStatement, index) {
    case SQLITE_INTEGER:
      self.init(storage: .int64(sqlite3_column_int64(sqliteStatement, index)))
    case SQLITE_FLOAT:
      self.init(storage: .double(sqlite3_column_double(sqliteStatement, index)))
    case SQLITE_TEXT:
      self.init(storage: .string(String(sqliteStatement: sqliteStatement, index: index)))
    case SQLITE_BLOB:
      self.init(storage: .blob(Data(sqliteStatement: sqliteStatement, index: index)))
    default:
      self.init(storage: .null)
    }
  }

  /// Binds the value to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    if isInvalid { return SQLITE_MISMATCH }
    return switch storage {
    case .null: sqlite3_bind_null(sqliteStatement, index)
    case .int64(let int64): sqlite3_bind_int64(sqliteStatement, index, int64)
    case .double(let double): sqlite3_bind_double(sqliteStatement, index, double)
    case .string(let string): string.bind(to: sqliteStatement, at: index)
    case .blob(let data): data.bind(to: sqliteStatement, at: index)
    }
  }
}
