// Written by Scripts/generate, from TableSource+Filters.swift: change that file.

extension TableRecord {
  /// Records that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter(Column("score") > 1000)
  /// ```
  public static func filter(
    _ predicate: any SQLSpecificExpressible
  ) -> QueryInterfaceRequest<Self> {
    all().filter(predicate)
  }

  /// Records that satisfy a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public static func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Records that satisfy a condition in SQL.
  public static func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: sqlLiteral)
  }
}
