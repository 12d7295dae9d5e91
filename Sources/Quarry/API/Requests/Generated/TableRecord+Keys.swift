// Written by Scripts/generate, from TableRequest+Keys.swift: change that file.

extension TableRecord {
  /// Filters by primary key, which must have one column. NULL matches no record.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.filter(key: 1)
  /// ```
  public static func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<Self> {
    all().filter(key: key)
  }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.filter(keys: [1, 2, 3])
  /// ```
  public static func filter<Key: DatabaseValueConvertible>(keys: any Collection<Key>)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }

  /// Filters by a unique key: the primary key, or the columns of a unique index, which are compared
  /// by their own collations. Nil matches no record.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// Citizenship.filter(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public static func filter(key: [String: (any DatabaseValueConvertible)?]?)
    -> QueryInterfaceRequest<Self>
  {
    all().filter(key: key)
  }

  /// See `filter(key:)`.
  public static func filter(keys: [[String: (any DatabaseValueConvertible)?]])
    -> QueryInterfaceRequest<Self>
  {
    all().filter(keys: keys)
  }
}

extension TableRecord where Self: Identifiable, Self.ID: DatabaseValueConvertible {
  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.filter(id: 1)
  /// ```
  public static func filter(id: Self.ID) -> QueryInterfaceRequest<Self> {
    all().filter(id: id)
  }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.filter(ids: [1, 2, 3])
  /// ```
  public static func filter(ids: any Collection<Self.ID>) -> QueryInterfaceRequest<Self> {
    all().filter(ids: ids)
  }

  /// See `filter(ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public static func filter<Key: DatabaseValueConvertible>(ids: any Collection<Key>)
    -> QueryInterfaceRequest<Self> where Self.ID == Key?
  {
    all().filter(ids: ids)
  }
}
