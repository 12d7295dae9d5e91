// Written by Scripts/generate, from SelectionRequest.swift: change that file.

extension TableRecord {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// Player.select([Column("id"), Column("score")])
  /// ```
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// Player.select(sql: "id, score + ?", arguments: [10])
  /// ```
  public static func select(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<Self>
  {
    all().select(sql: sql, arguments: arguments)
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// Player.select(literal: "id, score + \(bonus)")
  /// ```
  public static func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: sqlLiteral)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  /// ```
  public static func annotated(with selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }
}

extension TableRecord {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// Player.select { $0.score }
  /// ```
  @_disfavoredOverload
  public static func select(_ selection: (DatabaseComponents) throws -> any SQLSelectable) rethrows
    -> QueryInterfaceRequest<Self>
  {
    try all().select(selection)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated { ($0.score + $0.bonus).forKey("total") }
  /// ```
  public static func annotated(with selection: (DatabaseComponents) throws -> any SQLSelectable)
    rethrows -> QueryInterfaceRequest<Self>
  {
    try all().annotated(with: selection)
  }
}

extension TableRecord {
  /// Replaces the selection. See `select(_:)`.
  public static func select(_ selection: (DatabaseComponents) throws -> [any SQLSelectable])
    rethrows -> QueryInterfaceRequest<Self>
  {
    try all().select(selection)
  }

  /// Appends to the selection. See `annotated(with:)`.
  public static func annotated(with selection: (DatabaseComponents) throws -> [any SQLSelectable])
    rethrows -> QueryInterfaceRequest<Self>
  {
    try all().annotated(with: selection)
  }
}

extension TableRecord {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// Player.select(Column("id"), Column("score"))
  /// ```
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  /// ```
  public static func annotated(with selection: any SQLSelectable...) -> QueryInterfaceRequest<Self>
  {
    all().annotated(with: selection)
  }
}
