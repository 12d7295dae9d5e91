// Written by Scripts/generate, from TableSource+Selection.swift: change that file.

extension TableRecord {
  /// Selects columns or expressions.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// Player.select(Column("id"), Column("score"))
  /// ```
  public static func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// See `select(_:)`.
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Selects SQL.
  public static func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Selects SQL.
  public static func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().select(literal: sqlLiteral)
  }

  /// Selects columns or expressions, decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.select([Column("score")], as: Int.self).fetchAll(db)
  /// ```
  public static func select<T>(
    _ selection: [any SQLSelectable], as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(selection, as: type)
  }

  /// See ``select(_:as:)-([SQLSelectable],_)``.
  public static func select<T>(
    _ selection: any SQLSelectable..., as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(selection, as: type)
  }

  /// Selects SQL, decoded into another type.
  public static func select<T>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Selects SQL, decoded into another type.
  public static func select<T>(
    literal sqlLiteral: SQL, as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Appends to the selection of all columns.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  /// ```
  public static func annotated(
    with selection: [any SQLSelectable]
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }

  /// See ``annotated(with:)-([SQLSelectable])``.
  public static func annotated(
    with selection: any SQLSelectable...
  ) -> QueryInterfaceRequest<Self> {
    all().annotated(with: selection)
  }
}
