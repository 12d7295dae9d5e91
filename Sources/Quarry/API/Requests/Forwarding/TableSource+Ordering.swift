extension _TableSource {
  /// Orders the rows.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// players.order(Column("score").desc, Column("name"))
  /// ```
  public func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }

  /// See `order(_:)`.
  public func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }

  /// Orders the rows with SQL, which can't be reversed.
  public func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Orders the rows with SQL, which can't be reversed.
  public func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().order(literal: sqlLiteral)
  }
}
