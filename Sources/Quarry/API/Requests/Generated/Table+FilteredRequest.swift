// Written by Scripts/generate, from FilteredRequest.swift: change that file.

extension _TableSource {
  /// Adds a condition. All conditions of a request must be true.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// players.filter(Column("score") > 1000)
  /// ```
  public func filter(_ predicate: any SQLSpecificExpressible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(predicate)
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// players.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public func filter(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// players.filter(literal: "score > \(minimum)")
  /// ```
  public func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(literal: sqlLiteral)
  }

  /// A request without any row.
  public func none() -> QueryInterfaceRequest<RowDecoder> {
    all().none()
  }
}
