// Written by Scripts/generate, from TableRequest.swift: change that file.

extension TableRecord {
  /// Assigns an alias to the table of the request.
  ///
  /// ```swift
  /// // SELECT "p".* FROM "player" "p" WHERE p.score > 1000
  /// let p = TableAlias(name: "p")
  /// Player.aliased(p).filter(sql: "p.score > 1000")
  /// ```
  public static func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public static func aliased(_ alias: TableAlias<Self>) -> QueryInterfaceRequest<Self> {
    all().aliased(alias)
  }
}

extension TableRecord {
  /// Orders by the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// Player.orderByPrimaryKey()
  /// ```
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
  }
}
