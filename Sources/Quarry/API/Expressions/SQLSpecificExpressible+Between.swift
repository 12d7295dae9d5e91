extension SQLSpecificExpressible {
  /// True if the expression is not less than the first bound, and not greater than the second one.
  ///
  /// ```swift
  /// // "score" BETWEEN "minimum" AND ?
  /// Column("score").between(Column("minimum"), and: 1000)
  /// ```
  ///
  /// Ranges of values have `contains`: `(1...10).contains(Column("score"))`.
  ///
  /// See <https://www.sqlite.org/lang_expr.html#the_between_operator>.
  public func between(
    _ lower: some SQLExpressible, and upper: some SQLExpressible
  ) -> SQLExpression {
    .between(sqlExpression, lower.sqlExpression, upper.sqlExpression)
  }
}
