// Written by Scripts/generate, from SelectionRequest.swift: change that file.

extension _TableSource {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// players.select([Column("id"), Column("score")])
  /// ```
  public func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// players.select(sql: "id, score + ?", arguments: [10])
  /// ```
  public func select(sql: String, arguments: StatementArguments = StatementArguments())
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().select(sql: sql, arguments: arguments)
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// players.select(literal: "id, score + \(bonus)")
  /// ```
  public func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().select(literal: sqlLiteral)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// players.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  /// ```
  public func annotated(with selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }
}

extension _TableSource {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// players.select(Column("id"), Column("score"))
  /// ```
  public func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// players.annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  /// ```
  public func annotated(with selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }
}
