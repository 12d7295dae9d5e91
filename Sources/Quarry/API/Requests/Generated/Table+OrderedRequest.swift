// Written by Scripts/generate, from OrderedRequest.swift: change that file.

extension _TableSource {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// players.order([Column("score").desc, Column("name")])
  /// ```
  public func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public func order(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().order(sql: sql, arguments: arguments)
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().order(literal: sqlLiteral)
  }
}

extension _TableSource {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// players.order(Column("score").desc, Column("name"))
  /// ```
  public func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<RowDecoder> {
    all().order(orderings)
  }
}
