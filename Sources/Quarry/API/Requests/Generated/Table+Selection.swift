// Written by Scripts/generate, from QueryInterfaceRequest+Selection.swift: change that file.

extension _TableSource {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try players.select([Column("score")], as: Int.self).fetchAll(db)
  /// ```
  public func select<T>(_ selection: [any SQLSelectable], as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    all().select(selection, as: type)
  }

  /// Replaces the selection with SQL, which is decoded into another type.
  public func select<T>(
    sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Replaces the selection with SQL, which is decoded into another type.
  public func select<T>(literal sqlLiteral: SQL, as type: T.Type = T.self) -> QueryInterfaceRequest<
    T
  > {
    all().select(literal: sqlLiteral, as: type)
  }
}

extension _TableSource {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try players.select(Column("score"), as: Int.self).fetchAll(db)
  /// ```
  public func select<T>(_ selection: any SQLSelectable..., as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    all().select(selection, as: type)
  }
}

extension Table {
  /// Selects the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try players.selectPrimaryKey(as: Int64.self).fetchAll(db)
  /// ```
  public func selectPrimaryKey<PrimaryKey>(as type: PrimaryKey.Type = PrimaryKey.self)
    -> QueryInterfaceRequest<PrimaryKey>
  {
    all().selectPrimaryKey(as: type)
  }

  /// Selects the primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try players.selectID().fetchAll(db)
  /// ```
  public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> where RowDecoder: Identifiable {
    all().selectID()
  }
}
