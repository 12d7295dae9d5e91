public import Quarry

extension SQLExpression {
  /// The function over a window: its value for each row, which stays a row.
  ///
  /// ```swift
  /// // SELECT "name", RANK() OVER (PARTITION BY "team" ORDER BY "score" DESC) FROM "player"
  /// Player.select(
  ///   Column("name"),
  ///   rank().over(partitionBy: Column("team"), orderBy: Column("score").desc))
  ///
  /// // SUM("amount") OVER (ORDER BY "date" ROWS BETWEEN ? PRECEDING AND CURRENT ROW)
  /// sum(Column("amount")).over(
  ///   orderBy: Column("date"), frame: .rows(from: .preceding(6), to: .currentRow))
  /// ```
  ///
  /// Aggregate functions and window functions have windows. Window functions are allowed where a
  /// request selects and orders; elsewhere SQLite throws when the request is prepared.
  ///
  /// See <https://www.sqlite.org/windowfunctions.html>.
  public func over(
    partitionBy: any SQLExpressible..., orderBy: any SQLOrderingTerm...,
    frame: SQLWindowFrame? = nil
  ) -> SQLExpression { over(SQLWindow(partitionBy: partitionBy, orderBy: orderBy, frame: frame)) }

  /// The function over a window, which can be one that the request names.
  ///
  /// ```swift
  /// // SELECT "name", RANK() OVER "best" FROM "player"
  /// // WINDOW "best" AS (PARTITION BY "team" ORDER BY "score" DESC)
  /// Player.all()
  ///   .window("best", SQLWindow(partitionBy: Column("team"), orderBy: Column("score").desc))
  ///   .select(Column("name"), rank().over("best"))
  /// ```
  public func over(_ window: SQLWindow) -> SQLExpression {
    switch node {
    case .function, .literal: SQLExpression(.window(self, over: window))
    case .invalid: self
    default:
      SQLExpression(
        .invalid(InvalidRequest("Only aggregate and window functions can have a window")))
    }
  }
}
