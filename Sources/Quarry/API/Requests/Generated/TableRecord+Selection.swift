// Written by Scripts/generate, from QueryInterfaceRequest+Selection.swift: change that file.

extension TableRecord {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.select([Column("score")], as: Int.self).fetchAll(db)
  /// ```
  public static func select<T>(_ selection: [any SQLSelectable], as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    all().select(selection, as: type)
  }

  /// Replaces the selection with SQL, which is decoded into another type.
  public static func select<T>(
    sql: String, arguments: StatementArguments = StatementArguments(), as type: T.Type = T.self
  ) -> QueryInterfaceRequest<T> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Replaces the selection with SQL, which is decoded into another type.
  public static func select<T>(literal sqlLiteral: SQL, as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    all().select(literal: sqlLiteral, as: type)
  }
}

extension TableRecord {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.select({ $0.score }, as: Int.self).fetchAll(db)
  /// ```
  @_disfavoredOverload
  public static func select<T>(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable, as type: T.Type = T.self
  ) rethrows -> QueryInterfaceRequest<T> {
    try all().select(selection, as: type)
  }
}

extension TableRecord {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.select(Column("score"), as: Int.self).fetchAll(db)
  /// ```
  public static func select<T>(_ selection: any SQLSelectable..., as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    all().select(selection, as: type)
  }
}

extension TableRecord {
  /// Selects the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try Player.selectPrimaryKey(as: Int64.self).fetchAll(db)
  /// ```
  public static func selectPrimaryKey<PrimaryKey>(as type: PrimaryKey.Type = PrimaryKey.self)
    -> QueryInterfaceRequest<PrimaryKey>
  {
    all().selectPrimaryKey(as: type)
  }

  /// Selects the primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT "id" FROM "player"
  /// let ids = try Player.selectID().fetchAll(db)
  /// ```
  public static func selectID() -> QueryInterfaceRequest<Self.ID> where Self: Identifiable {
    all().selectID()
  }
}
