// Aggregate functions. See <https://www.sqlite.org/lang_aggfunc.html>.

/// The number of values that are not null.
///
/// ```swift
/// // COUNT("score")
/// count(Column("score"))
/// ```
public func count(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("COUNT", value.sqlExpression)
}

/// The number of different values that are not null.
///
/// ```swift
/// // COUNT(DISTINCT "team")
/// count(distinct: Column("team"))
/// ```
public func count(distinct value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("COUNT", value.sqlExpression, isDistinct: true)
}

/// The average of all values.
///
/// ```swift
/// // AVG("score")
/// average(Column("score"))
/// ```
public func average(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("AVG", value.sqlExpression)
}

/// The average of all values. Only rows that satisfy a condition count.
///
/// ```swift
/// // AVG("score") FILTER (WHERE "isActive")
/// average(Column("score"), filter: Column("isActive"))
/// ```
public func average(
  _ value: some SQLSpecificExpressible, filter: some SQLSpecificExpressible
) -> SQLExpression {
  .aggregate("AVG", value.sqlExpression, filter: filter.sqlExpression)
}

/// The greatest of all values.
///
/// ```swift
/// // MAX("score")
/// max(Column("score"))
/// ```
public func max(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("MAX", value.sqlExpression)
}

/// The greatest of all values. Only rows that satisfy a condition count.
///
/// ```swift
/// // MAX("score") FILTER (WHERE "isActive")
/// max(Column("score"), filter: Column("isActive"))
/// ```
public func max(
  _ value: some SQLSpecificExpressible, filter: some SQLSpecificExpressible
) -> SQLExpression {
  .aggregate("MAX", value.sqlExpression, filter: filter.sqlExpression)
}

/// The least of all values.
///
/// ```swift
/// // MIN("score")
/// min(Column("score"))
/// ```
public func min(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("MIN", value.sqlExpression)
}

/// The least of all values. Only rows that satisfy a condition count.
///
/// ```swift
/// // MIN("score") FILTER (WHERE "isActive")
/// min(Column("score"), filter: Column("isActive"))
/// ```
public func min(
  _ value: some SQLSpecificExpressible, filter: some SQLSpecificExpressible
) -> SQLExpression {
  .aggregate("MIN", value.sqlExpression, filter: filter.sqlExpression)
}

/// The sum of all values, null if there is none.
///
/// ```swift
/// // SUM("score")
/// sum(Column("score"))
/// ```
public func sum(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("SUM", value.sqlExpression)
}

/// The sum of all values, null if there is none. Only rows that satisfy a condition count.
///
/// ```swift
/// // SUM("score") FILTER (WHERE "isActive")
/// sum(Column("score"), filter: Column("isActive"))
/// ```
public func sum(
  _ value: some SQLSpecificExpressible, filter: some SQLSpecificExpressible
) -> SQLExpression {
  .aggregate("SUM", value.sqlExpression, filter: filter.sqlExpression)
}

/// The sum of all values, 0.0 if there is none.
///
/// ```swift
/// // TOTAL("score")
/// total(Column("score"))
/// ```
public func total(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .aggregate("TOTAL", value.sqlExpression)
}

/// The sum of all values, 0.0 if there is none. Only rows that satisfy a condition count.
///
/// ```swift
/// // TOTAL("score") FILTER (WHERE "isActive")
/// total(Column("score"), filter: Column("isActive"))
/// ```
public func total(
  _ value: some SQLSpecificExpressible, filter: some SQLSpecificExpressible
) -> SQLExpression {
  .aggregate("TOTAL", value.sqlExpression, filter: filter.sqlExpression)
}
