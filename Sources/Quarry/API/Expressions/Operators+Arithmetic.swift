extension SQLSpecificExpressible {
  /// The product.
  ///
  /// ```swift
  /// // "score" * ?
  /// Column("score") * 2
  /// ```
  public static func * (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.multiply, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``*(_:_:)-(Self,SQLExpressible)``.
  public static func * (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.multiply, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``*(_:_:)-(Self,SQLExpressible)``.
  public static func * (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.multiply, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The quotient.
  ///
  /// ```swift
  /// // "score" / ?
  /// Column("score") / 2
  /// ```
  public static func / (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.divide, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``/(_:_:)-(Self,SQLExpressible)``.
  public static func / (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.divide, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``/(_:_:)-(Self,SQLExpressible)``.
  public static func / (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.divide, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The remainder of the division of integers.
  ///
  /// ```swift
  /// // "id" % ?
  /// Column("id") % 2
  /// ```
  public static func % (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.modulo, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``%(_:_:)-(Self,SQLExpressible)``.
  public static func % (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.modulo, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``%(_:_:)-(Self,SQLExpressible)``.
  public static func % (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.modulo, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The sum.
  ///
  /// ```swift
  /// // "score" + "bonus"
  /// Column("score") + Column("bonus")
  /// ```
  public static func + (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.add, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``+(_:_:)-(Self,SQLExpressible)``.
  public static func + (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .associative(.add, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See ``+(_:_:)-(Self,SQLExpressible)``.
  public static func + (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.add, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// In SQL, `+` adds numbers: the sum of two words is 0.
  @available(*, deprecated, message: "+ adds numbers; see joined(operator: .concat)")
  public static func + (lhs: Self, rhs: String) -> SQLExpression {
    .associative(.add, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// In SQL, `+` adds numbers: the sum of two words is 0.
  @available(*, deprecated, message: "+ adds numbers; see joined(operator: .concat)")
  public static func + (lhs: String, rhs: Self) -> SQLExpression {
    .associative(.add, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The difference.
  ///
  /// ```swift
  /// // "score" - "malus"
  /// Column("score") - Column("malus")
  /// ```
  public static func - (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.subtract, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `-(_:_:)`.
  public static func - (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.subtract, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `-(_:_:)`.
  public static func - (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .binary(.subtract, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The opposite.
  ///
  /// ```swift
  /// // -"score"
  /// -Column("score")
  /// ```
  public static prefix func - (value: Self) -> SQLExpression {
    SQLExpression(.prefix(.minus, value.sqlExpression))
  }
}
