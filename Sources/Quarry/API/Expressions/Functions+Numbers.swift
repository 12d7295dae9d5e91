// Numbers, types, and choices between values. See <https://www.sqlite.org/lang_corefunc.html>.

/// The number, rounded to an integer, or to some digits after the decimal point. It is a real
/// number.
///
/// ```swift
/// // ROUND("price")
/// round(Column("price"))
///
/// // ROUND("price", ?)
/// round(Column("price"), 2)
/// ```
@_disfavoredOverload
public func round(
  _ value: some SQLSpecificExpressible, _ digits: (any SQLExpressible)? = nil
) -> SQLExpression {
  guard let digits else { return .scalar("ROUND", value.sqlExpression) }
  return .scalar("ROUND", value.sqlExpression, digits.sqlExpression)
}

/// -1, 0 or 1 for a negative number, zero, or a positive number. Null for what is no number.
///
/// ```swift
/// // SIGN("balance")
/// sign(Column("balance"))
/// ```
@_disfavoredOverload
public func sign(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("SIGN", value.sqlExpression)
}

/// The storage class of the value: `integer`, `real`, `text`, `blob` or `null`.
///
/// ```swift
/// // TYPEOF("score")
/// typeOf(Column("score"))
/// ```
@_disfavoredOverload
public func typeOf(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("TYPEOF", value.sqlExpression)
}

/// The first value, or null if both are equal.
///
/// ```swift
/// // NULLIF("name", ?)
/// nullIf(Column("name"), "")
/// ```
@_disfavoredOverload
public func nullIf(
  _ value: some SQLSpecificExpressible, _ other: some SQLExpressible
) -> SQLExpression {
  .scalar("NULLIF", value.sqlExpression, other.sqlExpression)
}

/// The first value if a condition is true, the second if it is not. See ``SQLCase`` for more
/// branches.
///
/// ```swift
/// // IIF("score" > ?, ?, ?)
/// iif(Column("score") > 1000, "gold", "none")
/// ```
@_disfavoredOverload
public func iif(
  _ condition: some SQLSpecificExpressible, _ value: (any SQLExpressible)?,
  _ otherwise: (any SQLExpressible)?
) -> SQLExpression {
  .scalar(
    "IIF", condition.sqlExpression, SQLExpression(nullable: value),
    SQLExpression(nullable: otherwise))
}

extension SQLExpression {
  /// A random integer, another one for each row.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY RANDOM() LIMIT 10
  /// Player.order(.random).limit(10)
  /// ```
  public static var random: SQLExpression { .scalar("RANDOM", isPure: false) }
}

extension SQLSpecificExpressible where Self == SQLExpression {
  /// A random integer. See ``SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLExpressible where Self == SQLExpression {
  /// A random integer. See ``SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLOrderingTerm where Self == SQLExpression {
  /// A random order. See ``SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLSelectable where Self == SQLExpression {
  /// A random integer. See ``SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}
