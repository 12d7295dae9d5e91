/// An SQLite prepared statement.
///
/// See <https://www.sqlite.org/c3ref/stmt.html>.
public typealias SQLiteStatement = OpaquePointer

/// A type that binds itself to a parameter of a prepared statement.
///
/// All ``DatabaseValueConvertible`` types do.
public protocol StatementBinding {
  /// Binds the value to the parameter at an index, and returns the result code of SQLite.
  ///
  /// A value that has no database representation returns an error code such as `SQLITE_MISMATCH`:
  /// the execution of the statement throws it.
  ///
  /// - parameter sqliteStatement: An SQLite statement.
  /// - parameter index: The index of the parameter: the first one is 1.
  /// - returns: An SQLite result code, `SQLITE_OK` on success.
  func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt
}

extension StatementBinding where Self: RawRepresentable, Self.RawValue: StatementBinding {
  /// Binds the raw value.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe rawValue.bind(to: sqliteStatement, at: index)
  }
}
