// Requests by primary key, which table expressions don't have.

extension Table {
  /// Returns the row with a single-column primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// players.filter(key: 1)
  /// ```
  public func filter(key: any DatabaseValueConvertible) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(key: key)
  }

  /// The rows with primary keys, which have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// players.filter(keys: [1, 2, 3])
  /// ```
  public func filter<Key: DatabaseValueConvertible>(
    keys: any Collection<Key>
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

  /// Orders the rows by primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// players.orderByPrimaryKey()
  /// ```
  public func orderByPrimaryKey() -> QueryInterfaceRequest<RowDecoder> {
    all().orderByPrimaryKey()
  }

  /// Selects the columns of the primary key. See ``QueryInterfaceRequest/selectPrimaryKey(as:)``.
  public func selectPrimaryKey<PrimaryKey>(
    as type: PrimaryKey.Type = PrimaryKey.self
  ) -> QueryInterfaceRequest<PrimaryKey> {
    all().selectPrimaryKey(as: type)
  }

  /// Selects the primary key, which must have one column. See ``QueryInterfaceRequest/selectID()``.
  public func selectID() -> QueryInterfaceRequest<RowDecoder.ID> where RowDecoder: Identifiable {
    all().selectID()
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
  public func filter(ids: any Collection<RowDecoder.ID>) -> QueryInterfaceRequest<RowDecoder> {
    all().filter(ids: ids)
  }

  /// See `filter(ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public func filter<Key: DatabaseValueConvertible>(
    ids: any Collection<Key>
  ) -> QueryInterfaceRequest<RowDecoder> where RowDecoder.ID == Key? {
    all().filter(keys: ids)
  }
}
