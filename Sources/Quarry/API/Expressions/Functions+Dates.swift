// Date functions. See <https://www.sqlite.org/lang_datefunc.html>.

/// A date as a Julian day.
///
/// ```swift
/// // JULIANDAY("date", ?)
/// julianDay(Column("date"), .day(1))
/// ```
public func julianDay(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
  .scalar(
    "JULIANDAY", [value.sqlExpression] + modifiers.map { $0.sqlExpression }, isPure: false)
}

/// A date as text: `YYYY-MM-DD HH:MM:SS`.
///
/// ```swift
/// // DATETIME("date", ?)
/// dateTime(Column("date"), .startOfDay)
/// ```
public func dateTime(
  _ value: some SQLSpecificExpressible, _ modifiers: SQLDateModifier...
) -> SQLExpression {
  .scalar(
    "DATETIME", [value.sqlExpression] + modifiers.map { $0.sqlExpression }, isPure: false)
}

/// A change to a date. See <https://www.sqlite.org/lang_datefunc.html#modifiers>.
public enum SQLDateModifier: SQLSpecificExpressible, Sendable {
  /// Adds seconds.
  case second(Double)

  /// Adds minutes.
  case minute(Int)

  /// Adds hours.
  case hour(Int)

  /// Adds days.
  case day(Int)

  /// Adds months.
  case month(Int)

  /// Adds years.
  case year(Int)

  /// Goes back to the start of the day.
  case startOfDay

  /// Goes back to the start of the month.
  case startOfMonth

  /// Goes back to the start of the year.
  case startOfYear

  /// Advances to the next day of the week, unless it is this day already: Sunday is 0.
  case weekday(Int)

  /// The date is a number of seconds since 1970.
  case unixEpoch

  /// Converts from universal to local time.
  case localTime

  /// Converts from local to universal time.
  case utc

  /// The modifier as an argument of a function.
  public var sqlExpression: SQLExpression { SQLExpression(text.databaseValue) }

  private var text: String {
    switch self {
    case .second(let value): "\(value) seconds"
    case .minute(let value): "\(value) minutes"
    case .hour(let value): "\(value) hours"
    case .day(let value): "\(value) days"
    case .month(let value): "\(value) months"
    case .year(let value): "\(value) years"
    case .startOfDay: "start of day"
    case .startOfMonth: "start of month"
    case .startOfYear: "start of year"
    case .weekday(let value): "weekday \(value)"
    case .unixEpoch: "unixepoch"
    case .localTime: "localtime"
    case .utc: "utc"
    }
  }
}
