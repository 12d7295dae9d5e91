// Requests that start from a table or a table expression.

extension _TableSource {
  /// No row.
  public func none() -> QueryInterfaceRequest<RowDecoder> {
    all().none()
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public func aliased(_ alias: TableAlias<RowDecoder>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }

  /// Defines a common table expression for the request. See ``DerivableRequest/with(_:)``.
  public func with<T>(_ cte: CommonTableExpression<T>) -> QueryInterfaceRequest<RowDecoder> {
    all().with(cte)
  }

  /// Limits the number of rows.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 10 OFFSET 20
  /// players.limit(10, offset: 20)
  /// ```
  public func limit(_ limit: Int, offset: Int? = nil) -> QueryInterfaceRequest<RowDecoder> {
    all().limit(limit, offset: offset)
  }
}
