public import CSQLite

extension Optional: StatementBinding where Wrapped: StatementBinding {
  /// Binds the wrapped value, or NULL.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    guard let value = self else { return unsafe sqlite3_bind_null(sqliteStatement, index) }
    return unsafe value.bind(to: sqliteStatement, at: index)
  }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  /// The database value of the wrapped value, or NULL.
  @inlinable
  public var databaseValue: DatabaseValue {
    guard let value = self else { return .null }
    return value.databaseValue
  }

  /// Returns nil: the column may be missing.
  @inlinable
  public static func fromMissingColumn() -> Self? {
    .some(nil)
  }

  /// Returns an optional from a database value: NULL is nil, and any other value must be
  /// convertible.
  @inlinable
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    if let value = Wrapped.fromDatabaseValue(dbValue) { return .some(value) }
    return dbValue.isNull ? .some(nil) : nil
  }

  /// Converts a value of a row. Not for applications.
  @inlinable
  public static func _fromColumn(_ dbValue: DatabaseValue) -> Self? {
    if let value = Wrapped._fromColumn(dbValue) { return .some(value) }
    return dbValue.isNull ? .some(nil) : nil
  }
}

extension Optional: StatementColumnConvertible where Wrapped: StatementColumnConvertible {
  /// Decodes the column at an index: NULL is nil, and any other value must be decodable.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Self? {
    if let value = unsafe Wrapped.fromStatement(sqliteStatement, atUncheckedIndex: index) {
      return .some(value)
    }
    return unsafe sqlite3_column_type(sqliteStatement, index) == SQLITE_NULL ? .some(nil) : nil
  }

  /// Decodes the column at an index, whose value is not NULL.
  @inlinable
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let value = unsafe Wrapped.fromStatement(sqliteStatement, atUncheckedIndex: index) else {
      return nil
    }
    self = .some(value)
  }
}
