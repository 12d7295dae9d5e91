// Window functions. See <https://www.sqlite.org/windowfunctions.html#built_in_window_functions>.

public import Quarry

/// The number of the row in its partition, from 1.
///
/// ```swift
/// // ROW_NUMBER() OVER (ORDER BY "score" DESC)
/// rowNumber().over(orderBy: Column("score").desc)
/// ```
@_disfavoredOverload
public func rowNumber() -> SQLExpression { .scalar("ROW_NUMBER", isPure: false) }

/// The number of the first peer of the row in its partition: equal rows have the same rank, and
/// gaps follow.
///
/// ```swift
/// // RANK() OVER (PARTITION BY "team" ORDER BY "score" DESC)
/// rank().over(partitionBy: Column("team"), orderBy: Column("score").desc)
/// ```
@_disfavoredOverload
public func rank() -> SQLExpression { .scalar("RANK", isPure: false) }

/// The number of the group of peers of the row in its partition: as ``rank()``, without gaps.
///
/// ```swift
/// // DENSE_RANK() OVER (ORDER BY "score" DESC)
/// denseRank().over(orderBy: Column("score").desc)
/// ```
@_disfavoredOverload
public func denseRank() -> SQLExpression { .scalar("DENSE_RANK", isPure: false) }

/// The rank as a number between 0 and 1: how many other rows come before.
///
/// ```swift
/// // PERCENT_RANK() OVER (ORDER BY "score")
/// percentRank().over(orderBy: Column("score"))
/// ```
@_disfavoredOverload
public func percentRank() -> SQLExpression { .scalar("PERCENT_RANK", isPure: false) }

/// The part of the rows of the partition up to the row and its peers, between 0 and 1.
///
/// ```swift
/// // CUME_DIST() OVER (ORDER BY "score")
/// cumeDist().over(orderBy: Column("score"))
/// ```
@_disfavoredOverload
public func cumeDist() -> SQLExpression { .scalar("CUME_DIST", isPure: false) }

/// The number of the group of the row, from 1, when the partition is divided into groups as even as
/// possible.
///
/// ```swift
/// // NTILE(?) OVER (ORDER BY "score")
/// ntile(4).over(orderBy: Column("score"))
/// ```
@_disfavoredOverload
public func ntile(_ count: some SQLExpressible) -> SQLExpression {
  .scalar("NTILE", count.sqlExpression, isPure: false)
}

/// The value in the previous row of the partition, or in one further back.
///
/// ```swift
/// // LAG("score") OVER (ORDER BY "date")
/// lag(Column("score")).over(orderBy: Column("date"))
///
/// // LAG("score", ?, ?) OVER (ORDER BY "date")
/// lag(Column("score"), 2, default: 0).over(orderBy: Column("date"))
/// ```
///
/// - parameter value: The value of the other row.
/// - parameter offset: How many rows back: 1 if nil.
/// - parameter defaultValue: The result where there is no such row: null if nil.
@_disfavoredOverload
public func lag(
  _ value: some SQLSpecificExpressible, _ offset: (any SQLExpressible)? = nil,
  default defaultValue: (any SQLExpressible)? = nil
) -> SQLExpression { neighbor("LAG", value.sqlExpression, offset, defaultValue) }

/// The value in the next row of the partition, or in one further on. See ``lag(_:_:default:)``.
///
/// ```swift
/// // LEAD("score") OVER (ORDER BY "date")
/// lead(Column("score")).over(orderBy: Column("date"))
/// ```
@_disfavoredOverload
public func lead(
  _ value: some SQLSpecificExpressible, _ offset: (any SQLExpressible)? = nil,
  default defaultValue: (any SQLExpressible)? = nil
) -> SQLExpression { neighbor("LEAD", value.sqlExpression, offset, defaultValue) }

private func neighbor(
  _ name: String, _ value: SQLExpression, _ offset: (any SQLExpressible)?,
  _ defaultValue: (any SQLExpressible)?
) -> SQLExpression {
  var arguments = [value]
  if let offset {
    arguments.append(offset.sqlExpression)
  } else if defaultValue != nil {
    arguments.append(SQLExpression(1.databaseValue))
  }
  if let defaultValue { arguments.append(defaultValue.sqlExpression) }
  return .scalar(name, arguments, isPure: false)
}

/// The value in the first row of the frame.
///
/// ```swift
/// // FIRST_VALUE("name") OVER (PARTITION BY "team" ORDER BY "score" DESC)
/// firstValue(Column("name")).over(partitionBy: Column("team"), orderBy: Column("score").desc)
/// ```
@_disfavoredOverload
public func firstValue(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("FIRST_VALUE", value.sqlExpression, isPure: false)
}

/// The value in the last row of the frame.
///
/// The frame of a window with an order ends with the current row and its peers, unless the window
/// has another frame:
///
/// ```swift
/// // LAST_VALUE("name") OVER (
/// //   ORDER BY "score" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
/// lastValue(Column("name")).over(
///   orderBy: Column("score"), frame: .rows(from: .unboundedPreceding, to: .unboundedFollowing))
/// ```
@_disfavoredOverload
public func lastValue(_ value: some SQLSpecificExpressible) -> SQLExpression {
  .scalar("LAST_VALUE", value.sqlExpression, isPure: false)
}

/// The value in a row of the frame, the first one being 1. Null if there is no such row.
///
/// ```swift
/// // NTH_VALUE("name", ?) OVER (ORDER BY "score" DESC)
/// nthValue(Column("name"), 2).over(orderBy: Column("score").desc)
/// ```
@_disfavoredOverload
public func nthValue(
  _ value: some SQLSpecificExpressible, _ number: some SQLExpressible
) -> SQLExpression {
  .scalar("NTH_VALUE", value.sqlExpression, number.sqlExpression, isPure: false)
}
