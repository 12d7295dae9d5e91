// Written by Scripts/generate, from FilteredRequest.swift: change that file.

extension TableRecord {
  /// Adds a condition. All conditions of a request must be true.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter(Column("score") > 1000)
  /// ```
  public static func filter(_ predicate: any SQLSpecificExpressible) -> QueryInterfaceRequest<Self>
  {
    all().filter(predicate)
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public static func filter(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<Self>
  {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.filter(literal: "score > \(minimum)")
  /// ```
  public static func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: sqlLiteral)
  }

  /// A request without any record.
  public static func none() -> QueryInterfaceRequest<Self> {
    all().none()
  }
}

extension TableRecord {
  /// Adds a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter { $0.score > 1000 }
  /// ```
  @_disfavoredOverload
  public static func filter(_ predicate: (DatabaseComponents) throws -> any SQLSpecificExpressible)
    rethrows -> QueryInterfaceRequest<Self>
  {
    try all().filter(predicate)
  }
}
