// Types, and choices between values. See <https://www.sqlite.org/lang_corefunc.html>.

public import Quarry

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
