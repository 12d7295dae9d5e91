extension Table {
  /// Rows that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// players.filter(Column("score") > 1000)
  /// ```
  public func filter(
    _ predicate: some SQLSpecificExpressible
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(predicate)
  }

  /// Rows that satisfy a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// players.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Rows that satisfy a condition in SQL.
  public func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(literal: sqlLiteral)
  }

  /// The row with a primary key, which has one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// players.filter(key: 1)
  /// ```
  public func filter(key: some DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// The rows with primary keys, which have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// players.filter(keys: [1, 2, 3])
  /// ```
  public func filter(
    keys: some Collection<some DatabaseValueConvertible>
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(keys: keys)
  }

  /// The row with a unique key: a primary key, or the columns of a unique index.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// citizenships.filter(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public func filter(
    key: [String: (any DatabaseValueConvertible)?]?
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// See `filter(key:)`.
  public func filter(
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(keys: keys)
  }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// The row with an identifier.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// players.filter(id: 1)
  /// ```
  public func filter(id: RowDecoder.ID) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(id: id)
  }

  /// The rows with identifiers.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// players.filter(ids: [1, 2, 3])
  /// ```
  public func filter(ids: some Collection<RowDecoder.ID>) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(ids: ids)
  }
}
