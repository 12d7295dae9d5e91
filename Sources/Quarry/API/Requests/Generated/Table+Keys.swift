// Written by Scripts/generate, from TableRequest+Keys.swift: change that file.

extension Table {
  /// Filters by primary key, which must have one column. NULL matches no row.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// players.filter(key: 1)
  /// ```
  public func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// players.filter(keys: [1, 2, 3])
  /// ```
  public func filter<Key: DatabaseValueConvertible>(keys: any Collection<Key>)
    -> QueryInterfaceRequest<RowDecoder>
  {
    all().filter(keys: keys)
  }

  /// Filters by a unique key: the primary key, or the columns of a unique index, which are compared
  /// by their own collations. Nil matches no row.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// citizenships.filter(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public func filter(key: [String: (any DatabaseValueConvertible)?]?) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().filter(key: key)
  }

  /// See `filter(key:)`.
  public func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> QueryInterfaceRequest<
    RowDecoder
  > {
    all().filter(keys: keys)
  }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// players.filter(id: 1)
  /// ```
  public func filter(id: RowDecoder.ID) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(id: id)
  }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// players.filter(ids: [1, 2, 3])
  /// ```
  public func filter(ids: any Collection<RowDecoder.ID>) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(ids: ids)
  }

  /// See `filter(ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public func filter<Key: DatabaseValueConvertible>(ids: any Collection<Key>)
    -> QueryInterfaceRequest<RowDecoder> where RowDecoder.ID == Key?
  {
    all().filter(ids: ids)
  }
}
