// Written by Scripts/generate, from Table+Keys.swift: change that file.

extension TableRecord {
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

  /// Orders the records by primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// Player.orderByPrimaryKey()
  /// ```
  public static func orderByPrimaryKey() -> QueryInterfaceRequest<Self> {
    all().orderByPrimaryKey()
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
}

extension TableRecord where Self: Identifiable, Self.ID: DatabaseValueConvertible {
  /// The record with an identifier.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.filter(id: 1)
  /// ```
  public static func filter(id: Self.ID) -> QueryInterfaceRequest<Self> {
    all().filter(id: id)
  }

  /// The records with identifiers.
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
  public static func filter<Key: DatabaseValueConvertible>(
    ids: any Collection<Key>
  ) -> QueryInterfaceRequest<Self> where Self.ID == Key? {
    all().filter(keys: ids)
  }
}
