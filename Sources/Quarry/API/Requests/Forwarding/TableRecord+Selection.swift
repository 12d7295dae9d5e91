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

  /// See ``select(_:)-(SQLSelectable...)``.
  public static func select(_ selection: [any SQLSelectable]) -> QueryInterfaceRequest<Self> {
    all().select(selection)
  }

  /// Selects a column or an expression.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// Player.select { $0.score }
  /// ```
  public static func select(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
  }

  /// See ``select(_:)-(SQLSelectable...)``.
  public static func select(
    _ selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().select(selection)
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
  public static func select<RowDecoder>(
    _ selection: [any SQLSelectable], as type: RowDecoder.Type = RowDecoder.self
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection, as: type)
  }

  /// See ``select(_:as:)-([SQLSelectable],_)``.
  public static func select<RowDecoder>(
    _ selection: any SQLSelectable..., as type: RowDecoder.Type = RowDecoder.self
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(selection, as: type)
  }

  /// See ``select(_:as:)-([SQLSelectable],_)``.
  public static func select<RowDecoder>(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable,
    as type: RowDecoder.Type = RowDecoder.self
  ) rethrows -> QueryInterfaceRequest<RowDecoder> {
    try all().select(selection, as: type)
  }

  /// Selects SQL, decoded into another type.
  public static func select<RowDecoder>(
    sql: String, arguments: StatementArguments = StatementArguments(),
    as type: RowDecoder.Type = RowDecoder.self
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(sql: sql, arguments: arguments, as: type)
  }

  /// Selects SQL, decoded into another type.
  public static func select<RowDecoder>(
    literal sqlLiteral: SQL, as type: RowDecoder.Type = RowDecoder.self
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().select(literal: sqlLiteral, as: type)
  }

  /// Selects the columns of the primary key. See ``QueryInterfaceRequest/selectPrimaryKey(as:)``.
  public static func selectPrimaryKey<PrimaryKey>(
    as type: PrimaryKey.Type = PrimaryKey.self
  ) -> QueryInterfaceRequest<PrimaryKey> {
    all().selectPrimaryKey(as: type)
  }

  /// Selects the primary key, which must have one column. See ``QueryInterfaceRequest/selectID()``.
  public static func selectID() -> QueryInterfaceRequest<Self.ID> where Self: Identifiable {
    all().selectID()
  }

  /// Appends to the selection of the record type.
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

  /// Appends to the selection of the record type.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.annotated { ($0.score + $0.bonus).forKey("total") }
  /// ```
  public static func annotated(
    with selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }

  /// See ``annotated(with:)-([SQLSelectable])``.
  public static func annotated(
    with selection: (DatabaseComponents) throws -> [any SQLSelectable]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().annotated(with: selection)
  }
}
