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

/// A type that reads the values of one type of SQLite itself: the others are converted. Not for
/// applications.
public protocol _DirectColumn: DatabaseValueConvertible, StatementColumnConvertible {
  /// The type of SQLite's values that are read.
  static var _storedType: CInt { get }

  /// Reads a value of that type.
  init?(_stored value: OpaquePointer?)
}

extension _DirectColumn {
  /// Decodes the column at an index, or returns nil for NULL and for values that can't be decoded.
  @inlinable
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement,
    atUncheckedIndex index: CInt
  ) -> Self? {
    // The type of a `sqlite3_value` costs next to nothing, and the one of a column as much as its
    // value. The value is read on the thread that steps the statement, so that it is protected.
    let column = unsafe sqlite3_column_value(sqliteStatement, index)
    let type = unsafe sqlite3_value_type(column)
    if type == _storedType { return unsafe Self(_stored: column) }
    return type == SQLITE_NULL ? nil : unsafe convertedColumn(column)
  }

  /// Decodes the column at an index, or returns nil when the value can't be decoded.
  ///
  /// Where a type has an initializer that converts all values as SQLite does, it comes first, also
  /// where an optional value is expected.
  @_disfavoredOverload
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
