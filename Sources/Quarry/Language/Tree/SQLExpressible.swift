/// A type with a meaning in SQL: a value, a column, an expression, a request.
///
/// ```swift
/// // "score" > ?
/// Column("score") > 1000  // both operands are expressible
/// ```
///
/// Plain values such as integers and strings are expressible, but not *specific*: see
/// ``SQLSpecificExpressible``.
public protocol SQLExpressible {
  /// The expression.
  var sqlExpression: SQLExpression { get }
}

/// A type with a meaning in SQL only: a column, an expression, a request. Operators need one at
/// least.
///
/// So `1 + 1` stays an operation of Swift, and `Column("score") + 1` is one of SQL.
public protocol SQLSpecificExpressible: SQLExpressible, SQLSelectable, SQLOrderingTerm {}

extension SQLSpecificExpressible {
  /// The expression, selected.
  public var sqlSelection: SQLSelection { SQLSelection(.expression(sqlExpression)) }

  /// The expression, in its default order.
  public var sqlOrdering: SQLOrdering { SQLOrdering(.expression(sqlExpression, .unspecified)) }
}

extension SQLExpressible where Self: RawRepresentable, RawValue: SQLExpressible {
  /// The expression of the raw value.
  public var sqlExpression: SQLExpression { rawValue.sqlExpression }
}

extension SQLExpressible where Self == Column {
  /// The hidden column that identifies the rows of most tables: `"rowid"`.
  ///
  /// See <https://www.sqlite.org/rowidtable.html>.
  public static var rowID: Column { Column.rowID }
}

extension SQLExpression: SQLSpecificExpressible {
  /// The expression itself.
  public var sqlExpression: SQLExpression { self }
}

extension DatabaseValue: SQLSpecificExpressible {}
