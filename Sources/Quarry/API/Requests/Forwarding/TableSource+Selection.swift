extension _TableSource {
  /// Selects columns or expressions.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// players.select(Column("id"), Column("score"))
  /// ```
  public func select(_ selection: any SQLSelectable...) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// See `select(_:)`.
  public func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection)
  }

  /// Selects SQL.
  public func select(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(sql: sql, arguments: arguments)
  }

  /// Selects SQL.
  public func select(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().select(literal: sqlLiteral)
  }

  /// Selects columns or expressions, decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try players.select([Column("score")], as: Int.self).fetchAll(db)
  /// ```
  public func select<T>(
    _ selection: [any SQLSelectable], as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(selection, as: type)
  }

  /// See ``select(_:as:)-([SQLSelectable],_)``.
  public func select<T>(
    _ selection: any SQLSelectable..., as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(selection, as: type)
  }

  /// Selects SQL, decoded into another type.
  public func select<T>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Selects SQL, decoded into another type.
  public func select<T>(
    literal sqlLiteral: SQL, as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Appends to the selection of all columns.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// players.annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  /// ```
  public func annotated(
    with selection: [any SQLSelectable]
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }

  /// See ``annotated(with:)-([SQLSelectable])``.
  public func annotated(
    with selection: any SQLSelectable...
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().annotated(with: selection)
  }
}
