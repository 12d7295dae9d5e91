extension DatabaseValueConvertible
where Self: RawRepresentable, Self.RawValue: DatabaseValueConvertible {
  /// The database value of the raw value.
  @inlinable
  public var databaseValue: DatabaseValue { rawValue.databaseValue }

  /// Creates a value from its raw value, or returns nil when there is none.
  @inlinable
  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    RawValue.converted(from: dbValue).flatMap { self.init(rawValue: $0) }
  }
}

// A type may customize `databaseValue`: binding and SQL expressions go through it, and not through
// the raw value.

extension DatabaseValueConvertible where Self: RawRepresentable, Self.RawValue: StatementBinding {
  /// Binds the database value to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe databaseValue.bind(to: sqliteStatement, at: index)
  }
}

extension DatabaseValueConvertible where Self: RawRepresentable, Self.RawValue: SQLExpressible {
  /// The SQL expression of the value: an argument of the statement.
  public var sqlExpression: SQLExpression { SQLExpression(databaseValue) }
}
