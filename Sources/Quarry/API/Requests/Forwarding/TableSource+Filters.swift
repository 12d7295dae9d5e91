extension _TableSource {
  /// Rows that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// players.filter(Column("score") > 1000)
  /// ```
  public func filter(
    _ predicate: any SQLSpecificExpressible
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(predicate)
  }

  /// Rows that satisfy a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// players.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Rows that satisfy a condition in SQL.
  public func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(literal: sqlLiteral)
  }
}
