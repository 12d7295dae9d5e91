extension TableRecord {
  /// Records that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter(Column("score") > 1000)
  /// ```
  public static func filter(
    _ predicate: any SQLSpecificExpressible
  ) -> QueryInterfaceRequest<Self> {
    all().filter(predicate)
  }

  /// Records that satisfy a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.filter { $0.score > 1000 }
  /// ```
  public static func filter(
    _ predicate: (DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> QueryInterfaceRequest<Self> {
    try all().filter(predicate)
  }

  /// Records that satisfy a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.filter(sql: "score > ?", arguments: [1000])
  /// ```
  public static func filter(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) -> QueryInterfaceRequest<Self> {
    all().filter(sql: sql, arguments: arguments)
  }

  /// Records that satisfy a condition in SQL.
  public static func filter(literal sqlLiteral: SQL) -> QueryInterfaceRequest<Self> {
    all().filter(literal: sqlLiteral)
  }

  /// Returns the record with a single-column primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.filter(key: 1)
  /// ```
  public static func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// The records with primary keys, which have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.filter(keys: [1, 2, 3])
  /// ```
  public static func filter<Key: DatabaseValueConvertible>(
    keys: any Collection<Key>
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }

  /// The record with a unique key: a primary key, or the columns of a unique index.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// Citizenship.filter(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public static func filter(
    key: [String: (any DatabaseValueConvertible)?]?
  ) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// See `filter(key:)`.
  public static func filter(
    keys: [[String: (any DatabaseValueConvertible)?]]
  ) -> QueryInterfaceRequest<Self> {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, ID: DatabaseValueConvertible {
  /// The record with an identifier.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.filter(id: 1)
  /// ```
  public static func filter(id: ID) -> QueryInterfaceRequest<Self> {
    all().filter(id: id)
  }

  /// The records with identifiers.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.filter(ids: [1, 2, 3])
  /// ```
  public static func filter(ids: any Collection<ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }

  /// See `filter(ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public static func filter<Key: DatabaseValueConvertible>(
    ids: some Collection<Key>
  ) -> QueryInterfaceRequest<Self> where ID == Key? {
    all().filter(keys: ids)
  }
}
