// Written by Scripts/generate, from OrderedRequest.swift: change that file.

extension TableRecord {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// Player.order([Column("score").desc, Column("name")])
  /// ```
  public static func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public static func order(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<Self>
  {
    all().order(sql: sql, arguments: arguments)
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public static func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: sqlLiteral)
  }
}

extension TableRecord {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC
  /// Player.order { $0.score.desc }
  /// ```
  public static func order(_ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm) rethrows
    -> QueryInterfaceRequest<Self>
  {
    try all().order(ordering)
  }
}

extension TableRecord {
  /// Replaces the ordering. See `order(_:)`.
  public static func order(_ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm])
    rethrows -> QueryInterfaceRequest<Self>
  {
    try all().order(orderings)
  }
}

extension TableRecord {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// Player.order(Column("score").desc, Column("name"))
  /// ```
  public static func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }
}
