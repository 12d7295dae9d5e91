public import CSQLite
import Foundation

extension DatabaseValue {
  /// Reads a column of the current row of a statement.
  @inlinable
  public init(sqliteStatement: SQLiteStatement, index: CInt) {
    unsafe self.init(sqliteValue: sqlite3_column_value(sqliteStatement, index))
  }

  /// Binds the value to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    if isInvalid { return SQLITE_MISMATCH }
    return switch storage {
    case .null: unsafe sqlite3_bind_null(sqliteStatement, index)
    case .int64(let int64): unsafe sqlite3_bind_int64(sqliteStatement, index, int64)
    case .double(let double): unsafe sqlite3_bind_double(sqliteStatement, index, double)
    case .string(let string): unsafe string.bind(to: sqliteStatement, at: index)
    case .blob(let data): unsafe data.bind(to: sqliteStatement, at: index)
    }
  }
}

extension DatabaseValue {
  /// Reads a column, an argument of a function, or the value that a hook is given, as it is stored.
  ///
  /// See <https://www.sqlite.org/c3ref/value_blob.html>.
  @usableFromInline
  package init(sqliteValue: OpaquePointer?) {
    switch unsafe sqlite3_value_type(sqliteValue) {
    case SQLITE_INTEGER: unsafe self.init(storage: .int64(sqlite3_value_int64(sqliteValue)))
    case SQLITE_FLOAT: unsafe self.init(storage: .double(sqlite3_value_double(sqliteValue)))
    case SQLITE_TEXT: unsafe self.init(storage: .string(String(text: sqliteValue) ?? ""))
    case SQLITE_BLOB: unsafe self.init(storage: .blob(Data(bytes: sqliteValue)))
    default: self.init(storage: .null)
    }
  }
}
