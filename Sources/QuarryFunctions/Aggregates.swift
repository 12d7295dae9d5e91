// Aggregate functions. See <https://www.sqlite.org/lang_aggfunc.html>.

public import Quarry

extension SQLExpression {
  /// The number of rows: `COUNT(*)`.
  ///
  /// ```swift
  /// // SELECT "team", COUNT(*) FROM "player" GROUP BY "team"
  /// Player.select(Column("team"), .countAll).group(Column("team"))
  /// ```
  public static var countAll: SQLExpression { .aggregate("COUNT", []) }
}

extension SQLSpecificExpressible where Self == SQLExpression {
  /// The number of rows. See ``Quarry/SQLExpression/countAll``.
  public static var countAll: SQLExpression { SQLExpression.countAll }
}

extension SQLExpressible where Self == SQLExpression {
  /// The number of rows. See ``Quarry/SQLExpression/countAll``.
  public static var countAll: SQLExpression { SQLExpression.countAll }
}

extension SQLOrderingTerm where Self == SQLExpression {
  /// The number of rows. See ``Quarry/SQLExpression/countAll``.
  public static var countAll: SQLExpression { SQLExpression.countAll }
}

extension SQLSelectable where Self == SQLExpression {
  /// The number of rows. See ``Quarry/SQLExpression/countAll``.
  public static var countAll: SQLExpression { SQLExpression.countAll }
}

/// The number of rows, or of those that satisfy a condition.
///
/// ```swift
/// // COUNT(*)
/// count()
///
/// // COUNT(*) FILTER (WHERE "isActive")
/// count(filter: Column("isActive"))
/// ```
@_disfavoredOverload
public func count(filter: (any SQLSpecificExpressible)? = nil) -> SQLExpression {
  .aggregate("COUNT", [], filter: filter?.sqlExpression)
}

/// The average of all different values.
///
/// ```swift
/// // AVG(DISTINCT "score")
/// average(distinct: Column("score"))
/// ```
@_disfavoredOverload
public func average(
  distinct value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("AVG", [value.sqlExpression], isDistinct: true, filter: filter?.sqlExpression)
}

/// The sum of all different values, null if there is none.
///
/// ```swift
/// // SUM(DISTINCT "score")
/// sum(distinct: Column("score"))
/// ```
@_disfavoredOverload
public func sum(
  distinct value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("SUM", [value.sqlExpression], isDistinct: true, filter: filter?.sqlExpression)
}

/// The sum of all different values, 0.0 if there is none.
///
/// ```swift
/// // TOTAL(DISTINCT "score")
/// total(distinct: Column("score"))
/// ```
@_disfavoredOverload
public func total(
  distinct value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("TOTAL", [value.sqlExpression], isDistinct: true, filter: filter?.sqlExpression)
}

/// All values that are not null, as text, joined by a separator.
///
/// ```swift
/// // GROUP_CONCAT("name")
/// groupConcat(Column("name"))
///
/// // GROUP_CONCAT("name", ? ORDER BY "name")
/// groupConcat(Column("name"), separator: "; ", orderBy: Column("name"))
/// ```
///
/// - parameter value: The value of each row.
/// - parameter separator: A comma if there is none.
/// - parameter ordering: The order of the values. It needs SQLite 3.44: with an earlier version,
///   preparing the request throws an error.
/// - parameter filter: Only rows that satisfy this condition count.
@_disfavoredOverload
public func groupConcat(
  _ value: some SQLSpecificExpressible, separator: (any SQLExpressible)? = nil,
  orderBy ordering: (any SQLOrderingTerm)? = nil, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate(
    "GROUP_CONCAT", [value.sqlExpression] + (separator.map { [$0.sqlExpression] } ?? []),
    orderBy: ordering.map { [$0.sqlOrdering] } ?? [], filter: filter?.sqlExpression)
}

/// All different values that are not null, as text, joined by commas.
///
/// ```swift
/// // GROUP_CONCAT(DISTINCT "team")
/// groupConcat(distinct: Column("team"))
/// ```
@_disfavoredOverload
public func groupConcat(
  distinct value: some SQLSpecificExpressible, filter: (any SQLSpecificExpressible)? = nil
) -> SQLExpression {
  .aggregate("GROUP_CONCAT", [value.sqlExpression], isDistinct: true, filter: filter?.sqlExpression)
}
