// Written by Scripts/generate, from TableRequest.swift: change that file.

extension _TableSource {
  /// Assigns an alias to the table of the request.
  ///
  /// ```swift
  /// // SELECT "p".* FROM "player" "p" WHERE p.score > 1000
  /// let p = TableAlias(name: "p")
  /// players.aliased(p).filter(sql: "p.score > 1000")
  /// ```
  public func aliased(_ alias: TableAlias<Void>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public func aliased(_ alias: TableAlias<RowDecoder>) -> QueryInterfaceRequest<RowDecoder> {
    all().aliased(alias)
  }
}

extension Table {
  /// Orders by the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// players.orderByPrimaryKey()
  /// ```
  public func orderByPrimaryKey() -> QueryInterfaceRequest<RowDecoder> {
    all().orderByPrimaryKey()
  }
}
