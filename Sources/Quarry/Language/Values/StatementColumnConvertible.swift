public import CSQLite

/// A type that is decoded straight from the current row of a statement, without any intermediate
/// ``DatabaseValue``.
///
/// Standard types such as `Int`, `String`, and `Date` are. They read what is stored in another way
/// when nothing is lost: see <doc:Values>.
///
/// A type that conforms provides ``init(sqliteStatement:index:)``, which is called for values that
/// are not NULL:
///
/// ```swift
/// import CSQLite
///
/// struct Celsius: StatementColumnConvertible {
///   var degrees: Double
///
///   init?(sqliteStatement: SQLiteStatement, index: CInt) {
///     degrees = sqlite3_column_double(sqliteStatement, index)
///   }
/// }
/// ```
public protocol StatementColumnConvertible {
  /// Decodes the column at an index, which may be NULL, or returns nil when the value can't be
  /// decoded.
  ///
  /// The default implementation returns nil for NULL, and calls ``init(sqliteStatement:index:)``
  /// otherwise.
  ///
  /// - parameter sqliteStatement: An SQLite statement that stands on a row.
  /// - parameter index: The index of the column, from 0. It is not checked.
  static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt)
    -> Self?

  /// Decodes the column at an index, whose value is not NULL, or returns nil when the value can't
  /// be decoded.
  ///
  /// - parameter sqliteStatement: An SQLite statement that stands on a row.
  /// - parameter index: The index of the column, from 0. It is not checked.
  init?(sqliteStatement: SQLiteStatement, index: CInt)
}

extension StatementColumnConvertible {
  /// Decodes the column at an index, or returns nil for NULL and for values that can't be decoded.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Self? {
    if unsafe sqlite3_column_type(sqliteStatement, index) == SQLITE_NULL { return nil }
    return unsafe self.init(sqliteStatement: sqliteStatement, index: index)
  }
}

/// A type with a `fromStatement` of its own, which reads all values. Not for applications.
public protocol _DirectColumn: StatementColumnConvertible {}

extension _DirectColumn {
  /// Decodes the column at an index, or returns nil when the value can't be decoded.
  @inlinable
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let value = unsafe Self.fromStatement(sqliteStatement, atUncheckedIndex: index) else {
      return nil
    }
    self = value
  }
}

extension StatementColumnConvertible
where Self: RawRepresentable, Self.RawValue: StatementColumnConvertible {
  /// Decodes the raw value in the column at an index.
  @inlinable
  public init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let rawValue = unsafe RawValue.fromStatement(sqliteStatement, atUncheckedIndex: index)
    else { return nil }
    self.init(rawValue: rawValue)
  }
}
