// Aggregate functions. See <https://www.sqlite.org/lang_aggfunc.html>.

/// The number of values that are not null.
///
/// ```swift
/// // COUNT("score")
/// count(Column("score"))
///
/// // COUNT("score") FILTER (WHERE "isActive")
/// count(Column("score"), filter: Column("isActive"))
/// ```
///
/// - parameter value: the values.
/// - parameter filter: a condition on the rows that count.
public func count(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("COUNT", [value.sqlExpression], filter: filter?.sqlExpression)
}

/// The number of different values that are not null.
///
/// ```swift
/// // COUNT(DISTINCT "team")
/// count(distinct: Column("team"))
///
/// // COUNT(DISTINCT "team") FILTER (WHERE "isActive")
/// count(distinct: Column("team"), filter: Column("isActive"))
/// ```
///
/// - parameter value: the values.
/// - parameter filter: a condition on the rows that count.
public func count(
  distinct value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("COUNT", [value.sqlExpression], isDistinct: true, filter: filter?.sqlExpression)
}

/// The average of all values.
///
/// ```swift
/// // AVG("score")
/// average(Column("score"))
///
/// // AVG("score") FILTER (WHERE "isActive")
/// average(Column("score"), filter: Column("isActive"))
/// ```
///
/// - parameter value: the values.
/// - parameter filter: a condition on the rows that count.
public func average(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("AVG", [value.sqlExpression], filter: filter?.sqlExpression)
}

/// The greatest of all values.
///
/// ```swift
/// // MAX("score")
/// max(Column("score"))
///
/// // MAX("score") FILTER (WHERE "isActive")
/// max(Column("score"), filter: Column("isActive"))
/// ```
///
/// - parameter value: the values.
/// - parameter filter: a condition on the rows that count.
public func max(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("MAX", [value.sqlExpression], filter: filter?.sqlExpression)
}

/// The least of all values.
///
/// ```swift
/// // MIN("score")
/// min(Column("score"))
///
/// // MIN("score") FILTER (WHERE "isActive")
/// min(Column("score"), filter: Column("isActive"))
/// ```
///
/// - parameter value: the values.
/// - parameter filter: a condition on the rows that count.
public func min(
  _ value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("MIN", [value.sqlExpression], filter: filter?.sqlExpression)
}

/// The sum of all values, null if there is none.
///
/// ```swift
/// // SUM("score")
/// sum(Column("score"))
///
/// // SUM("score") FILTER (WHERE "isActive")
/// sum(Column("score"), filter: Column("isActive"))
///
/// // SUM("score" ORDER BY "date")
/// sum(Column("score"), orderBy: Column("date"))
/// ```
///
/// - parameter value: the values.
/// - parameter ordering: the order in which they are added. It needs SQLite 3.44: with an earlier
///   version, preparing the request throws an error.
/// - parameter filter: a condition on the rows that count.
public func sum(
  _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
  filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate(
    "SUM", [value.sqlExpression], orderBy: ordering.map { [$0.sqlOrdering] } ?? [],
    filter: filter?.sqlExpression)
}

/// The sum of all values, 0.0 if there is none.
///
/// ```swift
/// // TOTAL("score")
/// total(Column("score"))
///
/// // TOTAL("score") FILTER (WHERE "isActive")
/// total(Column("score"), filter: Column("isActive"))
///
/// // TOTAL("score" ORDER BY "date")
/// total(Column("score"), orderBy: Column("date"))
/// ```
///
/// - parameter value: the values.
/// - parameter ordering: the order in which they are added. It needs SQLite 3.44: with an earlier
///   version, preparing the request throws an error.
/// - parameter filter: a condition on the rows that count.
public func total(
  _ value: some SQLSpecificExpressible, orderBy ordering: (any SQLOrderingTerm)? = nil,
  filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate(
    "TOTAL", [value.sqlExpression], orderBy: ordering.map { [$0.sqlOrdering] } ?? [],
    filter: filter?.sqlExpression)
}
