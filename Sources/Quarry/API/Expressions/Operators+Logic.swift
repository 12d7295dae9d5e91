extension SQLSpecificExpressible {
  /// True if both operands are true.
  ///
  /// ```swift
  /// // ("score" > ?) AND "isActive"
  /// Column("score") > 1000 && Column("isActive")
  /// ```
  public static func && (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``&&(_:_:)-(Self,SQLExpressible)``.
  public static func && (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``&&(_:_:)-(Self,SQLExpressible)``.
  public static func && (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if one of the operands is true.
  ///
  /// ```swift
  /// // ("score" > ?) OR "isActive"
  /// Column("score") > 1000 || Column("isActive")
  /// ```
  public static func || (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``||(_:_:)-(Self,SQLExpressible)``.
  public static func || (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``||(_:_:)-(Self,SQLExpressible)``.
  public static func || (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if the operand is false.
  ///
  /// ```swift
  /// // NOT "isActive"
  /// !Column("isActive")
  ///
  /// // "name" NOT LIKE ?
  /// !Column("name").like("A%")
  /// ```
  public static prefix func ! (value: Self) -> SQLExpression {
    value.sqlExpression.negated
  }
}

// The generic operators express these too. With a concrete one for the usual case, the compiler
// checks long conditions in milliseconds instead of giving up: see Benchmarks/Studies/README.md,
// Builds.
extension SQLExpression {
  /// See ``&&(_:_:)-(Self,SQLExpressible)``.
  public static func && (lhs: SQLExpression, rhs: SQLExpression) -> SQLExpression {
    .associative(.and, lhs, rhs)
  }

  /// See ``||(_:_:)-(Self,SQLExpressible)``.
  public static func || (lhs: SQLExpression, rhs: SQLExpression) -> SQLExpression {
    .associative(.or, lhs, rhs)
  }
}
