extension SQLSpecificExpressible {
  /// The bits that are set in both operands.
  ///
  /// ```swift
  /// // "flags" & ?
  /// Column("flags") & 2
  /// ```
  public static func & (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.bitwiseAnd, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``&(_:_:)-(Self,SQLExpressible)``.
  public static func & (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.bitwiseAnd, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``&(_:_:)-(Self,SQLExpressible)``.
  public static func & (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.bitwiseAnd, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The bits that are set in one of the operands.
  ///
  /// ```swift
  /// // "flags" | ?
  /// Column("flags") | 2
  /// ```
  public static func | (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.bitwiseOr, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``|(_:_:)-(Self,SQLExpressible)``.
  public static func | (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.bitwiseOr, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``|(_:_:)-(Self,SQLExpressible)``.
  public static func | (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.bitwiseOr, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The bits of the first operand, shifted to the left.
  ///
  /// ```swift
  /// // "flags" << ?
  /// Column("flags") << 2
  /// ```
  public static func << (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.leftShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<<(_:_:)-(Self,SQLExpressible)``.
  public static func << (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.leftShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``<<(_:_:)-(Self,SQLExpressible)``.
  public static func << (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.leftShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The bits of the first operand, shifted to the right.
  ///
  /// ```swift
  /// // "flags" >> ?
  /// Column("flags") >> 2
  /// ```
  public static func >> (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.rightShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>>(_:_:)-(Self,SQLExpressible)``.
  public static func >> (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.rightShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``>>(_:_:)-(Self,SQLExpressible)``.
  public static func >> (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.rightShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The bits that are not set.
  ///
  /// ```swift
  /// // ~"flags"
  /// ~Column("flags")
  /// ```
  public static prefix func ~ (value: Self) -> SQLExpression {
    SQLExpression(.prefix(.bitwiseNot, value.sqlExpression))
  }
}
