// Types, and choices between values. See <https://www.sqlite.org/lang_corefunc.html>.

/// The first value that is not null.
///
/// ```swift
/// // COALESCE("nickName", "name")
/// coalesce([Column("nickName"), Column("name")])
/// ```
public func coalesce(_ values: some Collection<any SQLSpecificExpressible>) -> SQLExpression {
  if values.isEmpty { return .null }
  if values.count == 1, let value = values.first { return value.sqlExpression }
  return SQLExpression(
    .function(
      .init(name: "COALESCE", arguments: values.map { $0.sqlExpression }, isPure: true)))
}

/// The first value that is not null, for literals with elements of several types.
///
/// ```swift
/// // COALESCE("bonus", "score" + ?)
/// coalesce([Column("bonus"), Column("score") + 1])
/// ```
public func coalesce(_ values: [any SQLSpecificExpressible]) -> SQLExpression {
  coalesce(AnyCollection(values))
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

/// The greatest of several values, null if one of them is.
///
/// ```swift
/// // MAX("score", "bonus", ?)
/// max(Column("score"), Column("bonus"), 1000)
/// ```
public func max(
  _ value1: any SQLSpecificExpressible, _ value2: any SQLExpressible,
  _ values: any SQLExpressible...
) -> SQLExpression {
  call("MAX", [value1, value2] + values)
}

/// The least of several values, null if one of them is.
///
/// ```swift
/// // MIN("score", "bonus", ?)
/// min(Column("score"), Column("bonus"), 1000)
/// ```
public func min(
  _ value1: any SQLSpecificExpressible, _ value2: any SQLExpressible,
  _ values: any SQLExpressible...
) -> SQLExpression {
  call("MIN", [value1, value2] + values)
}

/// The value, converted to a storage class.
///
/// ```swift
/// // CAST("score" AS TEXT)
/// cast(Column("score"), as: .text)
/// ```
///
/// See <https://www.sqlite.org/lang_expr.html#cast_expressions>.
public func cast(
  _ value: some SQLSpecificExpressible, as storageClass: Database.StorageClass
) -> SQLExpression {
  SQLExpression(.cast(value.sqlExpression, type: storageClass.rawValue))
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

private func call(_ name: String, _ arguments: [any SQLExpressible]) -> SQLExpression {
  SQLExpression(.function(.init(name: name, arguments: arguments.map { $0.sqlExpression })))
}
