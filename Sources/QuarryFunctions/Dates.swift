// Date functions. See <https://www.sqlite.org/lang_datefunc.html>.

public import Quarry

/// The day of a date, as text: `YYYY-MM-DD`.
///
/// ```swift
/// // DATE("date", ?)
/// date(Column("date"), .startOfMonth)
/// ```
@_disfavoredOverload
public func date(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression { dateFunction("DATE", [value.sqlExpression], modifiers) }

/// The time of a date, as text: `HH:MM:SS`.
///
/// ```swift
/// // TIME("date", ?)
/// time(Column("date"), .localTime)
/// ```
@_disfavoredOverload
public func time(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression { dateFunction("TIME", [value.sqlExpression], modifiers) }

/// A date as text in a format of C: `%Y` is the year, `%m` the month, and so on.
///
/// ```swift
/// // STRFTIME(?, "date")
/// strftime("%Y-%W", Column("date"))
/// ```
@_disfavoredOverload
public func strftime(
  _ format: some SQLExpressible, _ value: some SQLSpecificExpressible,
  _ modifiers: SQLDateModifier...
) -> SQLExpression {
  dateFunction("STRFTIME", [format.sqlExpression, value.sqlExpression], modifiers)
}

/// A date as a number of seconds since 1970.
///
/// ```swift
/// // UNIXEPOCH("date")
/// unixEpoch(Column("date"))
/// ```
///
/// It needs SQLite 3.38: with an earlier version, preparing the request throws an error.
@_disfavoredOverload
public func unixEpoch(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
  dateFunction("UNIXEPOCH", [value.sqlExpression], modifiers, since: SQLiteVersion(3, 38))
}

private func dateFunction(
  _ name: String, _ arguments: [SQLExpression], _ modifiers: [SQLDateModifier],
  since version: SQLiteVersion? = nil
) -> SQLExpression {
  .scalar(
    name, arguments + modifiers.map { $0.sqlExpression }, isPure: false, since: version)
}
