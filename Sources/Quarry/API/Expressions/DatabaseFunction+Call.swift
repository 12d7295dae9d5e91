extension DatabaseFunction {
  /// A call of the function, as an SQL expression.
  ///
  /// ```swift
  /// // SELECT reverse("name") FROM "player"
  /// Player.select(reverse(Column("name")))
  /// ```
  ///
  /// A name that is a keyword of SQLite, or no word, is in quotes: `"replace"("name")`.
  public func callAsFunction(_ arguments: any SQLExpressible...) -> SQLExpression {
    let call = SQLExpression.FunctionCall(
      name: name.plainUnlessKeyword, arguments: arguments.map(\.sqlExpression),
      isAggregate: isAggregate, isPure: isPure)
    return SQLExpression(.function(call))
  }
}
