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

extension DatabaseValue {
  /// Reads an argument of a function, or the value that a hook is given.
  ///
  /// See <https://www.sqlite.org/c3ref/value_blob.html>.
  init(sqliteValue: OpaquePointer) {
    switch sqlite3_value_type(sqliteValue) {
    case SQLITE_INTEGER:
      self.init(storage: .int64(sqlite3_value_int64(sqliteValue)))
    case SQLITE_FLOAT:
      self.init(storage: .double(sqlite3_value_double(sqliteValue)))
    case SQLITE_TEXT:
      // The text comes first: it may be converted, which changes its length.
      let text = sqlite3_value_text(sqliteValue)
      let count = text == nil ? 0 : Int(sqlite3_value_bytes(sqliteValue))
      let bytes = UnsafeBufferPointer(start: text, count: count)
      self.init(storage: .string(String(decoding: bytes, as: UTF8.self)))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(sqliteValue)
      let count = blob == nil ? 0 : Int(sqlite3_value_bytes(sqliteValue))
      let bytes = UnsafeRawBufferPointer(start: blob, count: count)
      self.init(storage: .blob(Data(bytes)))
    default:
      self.init(storage: .null)
    }
  }
}
