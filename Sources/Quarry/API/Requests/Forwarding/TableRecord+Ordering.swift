extension TableRecord {
  /// Orders the records.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// Player.order(Column("score").desc, Column("name"))
  /// ```
  public static func order(_ orderings: any SQLOrderingTerm...) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// See ``order(_:)-(SQLOrderingTerm...)``.
  public static func order(_ orderings: [any SQLOrderingTerm]) -> QueryInterfaceRequest<Self> {
    all().order(orderings)
  }

  /// Orders the records.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC
  /// Player.order { $0.score.desc }
  /// ```
  public static func order(
    _ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(ordering)
  }

  /// See ``order(_:)-(SQLOrderingTerm...)``.
  public static func order(
    _ orderings: (DatabaseComponents) throws -> [any SQLOrderingTerm]
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().order(orderings)
  }

  /// Orders the records by primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// Player.orderByPrimaryKey()
  /// ```
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }

  /// Orders the records with SQL, which can't be reversed.
  public static func order(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().order(sql: sql, arguments: arguments)
  }

  /// Orders the records with SQL, which can't be reversed.
  public static func order(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().order(literal: sqlLiteral)
  }
}
