// Operators with one operand, and of special types. All others are written from
// Scripts/operators.txt.

extension SQLSpecificExpressible {
  /// True if the operand is false.
  ///
  /// ```swift
  /// // NOT "isActive"
  /// !Column("isActive")
  ///
  /// // "name" NOT LIKE ?
  /// !Column("name").like("A%")
  /// ```
  public static prefix func ! (value: Self) -> SQLExpression { value.sqlExpression.negated }

  /// The opposite.
  ///
  /// ```swift
  /// // -"score"
  /// -Column("score")
  /// ```
  public static prefix func - (value: Self) -> SQLExpression {
    SQLExpression(.prefix(.minus, value.sqlExpression))
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

  /// A boolean test. Its value is optional: where both apply, the compiler prefers an expression.
  ///
  /// ```swift
  /// // "isActive" = ?
  /// Column("isActive") == true
  /// ```
  public static func == (lhs: Self, rhs: Bool?) -> SQLExpression { lhs.sqlExpression.tested(rhs) }

  /// See ``==(_:_:)-(Self,Bool?)``.
  public static func == (lhs: Bool?, rhs: Self) -> SQLExpression { rhs.sqlExpression.tested(lhs) }

  /// The negation of a boolean test.
  public static func != (lhs: Self, rhs: Bool?) -> SQLExpression {
    lhs.sqlExpression.tested(rhs).negated
  }

  /// The negation of a boolean test.
  public static func != (lhs: Bool?, rhs: Self) -> SQLExpression {
    rhs.sqlExpression.tested(lhs).negated
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
}

// The generic operators express these too. With a concrete one for the usual case, the compiler
// checks long conditions in milliseconds instead of giving up (see Benchmarks/Studies/README.md,
// Builds), and prefers expressions to the booleans of Swift.
extension SQLExpression {
  /// See ``!(_:)-(Self)``. The compiler passes over generic operators where that of `Bool` applies.
  public static prefix func ! (value: SQLExpression) -> SQLExpression { value.negated }

  /// See ``&&(_:_:)-(Self,SQLExpressible)``.
  public static func && (lhs: SQLExpression, rhs: SQLExpression) -> SQLExpression {
    .associative(.and, lhs, rhs)
  }

  /// See ``||(_:_:)-(Self,SQLExpressible)``.
  public static func || (lhs: SQLExpression, rhs: SQLExpression) -> SQLExpression {
    .associative(.or, lhs, rhs)
  }
}

// So do these, for sums and products whose first operands are values.
extension SQLExpression {
  /// See `+(_:_:)`.
  public static func + (lhs: Self, rhs: Self) -> Self { .associative(.add, lhs, rhs) }
  /// See `-(_:_:)`.
  public static func - (lhs: Self, rhs: Self) -> Self { .binary(.subtract, lhs, rhs) }
  /// See `*(_:_:)`.
  public static func * (lhs: Self, rhs: Self) -> Self { .associative(.multiply, lhs, rhs) }
  /// See `/(_:_:)`.
  public static func / (lhs: Self, rhs: Self) -> Self { .binary(.divide, lhs, rhs) }
}
