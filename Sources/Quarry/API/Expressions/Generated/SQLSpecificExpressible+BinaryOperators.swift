// Written by Scripts/generate, from operators.txt: change that file.

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

  /// See `*(_:_:)`.
  @_disfavoredOverload public static func * (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `/(_:_:)`.
  @_disfavoredOverload public static func / (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `%(_:_:)`.
  @_disfavoredOverload public static func % (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `+(_:_:)`.
  @_disfavoredOverload public static func + (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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
  @_disfavoredOverload public static func - (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
    .binary(.subtract, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// The bits that are set in both operands.
  ///
  /// ```swift
  /// // "flags" & ?
  /// Column("flags") & 2
  /// ```
  public static func & (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .associative(.bitwiseAnd, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `&(_:_:)`.
  @_disfavoredOverload public static func & (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `|(_:_:)`.
  @_disfavoredOverload public static func | (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `<<(_:_:)`.
  @_disfavoredOverload public static func << (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
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

  /// See `>>(_:_:)`.
  @_disfavoredOverload public static func >> (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
    .binary(.rightShift, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if the first operand is less than the second.
  ///
  /// ```swift
  /// // "score" < ?
  /// Column("score") < 1000
  /// ```
  public static func < (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
    .binary(.lessThan, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `<(_:_:)`.
  @_disfavoredOverload public static func < (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `<=(_:_:)`.
  @_disfavoredOverload public static func <= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
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

  /// See `>(_:_:)`.
  @_disfavoredOverload public static func > (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
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

  /// See `>=(_:_:)`.
  @_disfavoredOverload public static func >= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
    .binary(.greaterThanOrEqual, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// Equality. `NULL` is compared with `IS NULL`.
  ///
  /// ```swift
  /// // "name" = ?
  /// Column("name") == "Arthur"
  ///
  /// // "name" IS NULL
  /// Column("name") == nil
  /// ```
  public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .equal(lhs.sqlExpression, SQLExpression(nullable: rhs))
  }

  /// See `==(_:_:)`.
  @_disfavoredOverload public static func == (lhs: (any SQLExpressible)?, rhs: Self)
    -> SQLExpression
  {
    .equal(SQLExpression(nullable: lhs), rhs.sqlExpression)
  }

  /// See `==(_:_:)`.
  public static func == (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .equal(lhs.sqlExpression, rhs.sqlExpression)
  }

  /// Inequality. `NULL` is compared with `IS NOT NULL`.
  ///
  /// ```swift
  /// // "name" <> ?
  /// Column("name") != "Arthur"
  ///
  /// // "name" IS NOT NULL
  /// Column("name") != nil
  /// ```
  public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .equal(lhs.sqlExpression, SQLExpression(nullable: rhs)).negated
  }

  /// See `!=(_:_:)`.
  @_disfavoredOverload public static func != (lhs: (any SQLExpressible)?, rhs: Self)
    -> SQLExpression
  {
    .equal(SQLExpression(nullable: lhs), rhs.sqlExpression).negated
  }

  /// See `!=(_:_:)`.
  public static func != (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .equal(lhs.sqlExpression, rhs.sqlExpression).negated
  }

  /// Identity, where `NULL` is identical to itself.
  ///
  /// ```swift
  /// // "name" IS ?
  /// Column("name") === name
  /// ```
  public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .identical(lhs.sqlExpression, SQLExpression(nullable: rhs))
  }

  /// See `===(_:_:)`.
  @_disfavoredOverload public static func === (lhs: (any SQLExpressible)?, rhs: Self)
    -> SQLExpression
  {
    .identical(SQLExpression(nullable: lhs), rhs.sqlExpression)
  }

  /// The negation of identity.
  ///
  /// ```swift
  /// // "name" IS NOT ?
  /// Column("name") !== name
  /// ```
  public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
    .identical(lhs.sqlExpression, SQLExpression(nullable: rhs)).negated
  }

  /// See `!==(_:_:)`.
  @_disfavoredOverload public static func !== (lhs: (any SQLExpressible)?, rhs: Self)
    -> SQLExpression
  {
    .identical(SQLExpression(nullable: lhs), rhs.sqlExpression).negated
  }

  /// True if both operands are true.
  ///
  /// ```swift
  /// // ("score" > ?) AND "isActive"
  /// Column("score") > 1000 && Column("isActive")
  /// ```
  @_disfavoredOverload public static func && (lhs: Self, rhs: some SQLExpressible) -> SQLExpression
  {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `&&(_:_:)`.
  @_disfavoredOverload public static func && (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `&&(_:_:)`.
  public static func && (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.and, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// True if one of the operands is true.
  ///
  /// ```swift
  /// // ("score" > ?) OR "isActive"
  /// Column("score") > 1000 || Column("isActive")
  /// ```
  @_disfavoredOverload public static func || (lhs: Self, rhs: some SQLExpressible) -> SQLExpression
  {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `||(_:_:)`.
  @_disfavoredOverload public static func || (lhs: some SQLExpressible, rhs: Self) -> SQLExpression
  {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }

  /// See `||(_:_:)`.
  public static func || (lhs: Self, rhs: some SQLSpecificExpressible) -> SQLExpression {
    .associative(.or, lhs.sqlExpression, rhs.sqlExpression)
  }
}
