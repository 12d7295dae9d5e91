// Scalar functions. See <https://www.sqlite.org/lang_corefunc.html>.

/// The absolute value.
///
/// ```swift
/// // ABS("score")
/// abs(Column("score"))
/// ```
public func abs(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("ABS", value.sqlExpression)
}

/// The number of characters of a string, or of bytes of a blob.
///
/// ```swift
/// // LENGTH("name")
/// length(Column("name"))
/// ```
public func length(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("LENGTH", value.sqlExpression)
}

/// The first value that is not null.
///
/// ```swift
/// // COALESCE("nickName", "name")
/// coalesce([Column("nickName"), Column("name")])
/// ```
public func coalesce(_ values: some Collection<any SQLSpecificExpressible>) -> SQLExpression {
  if values.isEmpty { return .null }
  if values.count == 1, let value = values.first { return value.sqlExpression }
  return .scalar("COALESCE", values.map { $0.sqlExpression })
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
  .scalar("MAX", ([value1, value2] + values).map { $0.sqlExpression }, isPure: false)
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
  .scalar("MIN", ([value1, value2] + values).map { $0.sqlExpression }, isPure: false)
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
) -> SQLExpression { SQLExpression(.cast(value.sqlExpression, type: storageClass.rawValue)) }
