// Numbers. See <https://www.sqlite.org/lang_corefunc.html>.

public import Quarry

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
  /// A random integer. See ``Quarry/SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLExpressible where Self == SQLExpression {
  /// A random integer. See ``Quarry/SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLOrderingTerm where Self == SQLExpression {
  /// A random order. See ``Quarry/SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}

extension SQLSelectable where Self == SQLExpression {
  /// A random integer. See ``Quarry/SQLExpression/random``.
  public static var random: SQLExpression { SQLExpression.random }
}
