extension SQLSpecificExpressible {
  /// True if the first operand is less than the second.
  ///
  /// ```swift
  /// // "score" < ?
  /// Column("score") < 1000
  /// ```
  public static func < (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.lessThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<(_:_:)-(Self,SQLExpressible)``.
  public static func < (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.lessThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<(_:_:)-(Self,SQLExpressible)``.
  public static func < (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.lessThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if the first operand is not greater than the second.
  ///
  /// ```swift
  /// // "score" <= ?
  /// Column("score") <= 1000
  /// ```
  public static func <= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.lessThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<=(_:_:)-(Self,SQLExpressible)``.
  public static func <= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.lessThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<=(_:_:)-(Self,SQLExpressible)``.
  public static func <= (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.lessThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if the first operand is greater than the second.
  ///
  /// ```swift
  /// // "score" > ?
  /// Column("score") > 1000
  /// ```
  public static func > (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.greaterThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>(_:_:)-(Self,SQLExpressible)``.
  public static func > (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.greaterThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>(_:_:)-(Self,SQLExpressible)``.
  public static func > (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.greaterThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if the first operand is not less than the second.
  ///
  /// ```swift
  /// // "score" >= ?
  /// Column("score") >= 1000
  /// ```
  public static func >= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.greaterThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>=(_:_:)-(Self,SQLExpressible)``.
  public static func >= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.greaterThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>=(_:_:)-(Self,SQLExpressible)``.
  public static func >= (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.greaterThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }
}
