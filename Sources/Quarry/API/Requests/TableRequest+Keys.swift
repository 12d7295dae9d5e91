extension TableRequest where Self: FilteredRequest, Self: TypedRequest {
  /// Filters by primary key, which must have one column. NULL matches no row.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.all().filter(key: 1)
  /// ```
  public consuming func filter(key: any DatabaseValueConvertible) -> Self {
    let value = key.databaseValue
    if value.isNull { return none() }
    guard ColumnCodings.mayStoreKey(of: RowDecoder.self, key: type(of: key)) else {
      return mapRelation { $0.filters.append(.keys([value])) }
    }
    let table = databaseTableName
    func clause<Key: DatabaseValueConvertible>(of key: Key) -> FilterClause {
      .primaryKeys(CollectionOfOne(key), table: table, record: RowDecoder.self)
    }
    let keyClause = clause(of: key)
    return mapRelation { $0.filters.append(keyClause) }
  }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.all().filter(keys: [1, 2, 3])
  /// ```
  public consuming func filter<Key: DatabaseValueConvertible>(keys: any Collection<Key>) -> Self {
    if keys.isEmpty { return none() }
    let clause = FilterClause.primaryKeys(keys, table: databaseTableName, record: RowDecoder.self)
    return mapRelation { $0.filters.append(clause) }
  }

  /// Filters by a unique key: the primary key, or the columns of a unique index, which are compared
  /// by their own collations. Nil matches no row.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// Citizenship.all().filter(key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public consuming func filter(key: [String: (any DatabaseValueConvertible)?]?) -> Self {
    guard let key else { return none() }
    return filter(keys: [key])
  }

  /// See `filter(key:)`.
  public consuming func filter(keys: [[String: (any DatabaseValueConvertible)?]]) -> Self {
    if keys.isEmpty { return none() }
    let clause = FilterClause.uniqueKeys(
      keys.map { FilterClause.uniqueKey($0, record: RowDecoder.self) })
    return mapRelation { $0.filters.append(clause) }
  }
}

extension QueryInterfaceRequest {
  /// Deletes the row with the key that the request filters by, and returns whether there was one.
  /// Throws if several rows have it.
  func deleteSingleRow(
    _ db: Database, _ key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    let values = FilterClause.uniqueKey(key, record: RowDecoder.self)
    let columns = values.filter { !$0.value.isNull }.map(\.column)
    if try db.schema.hasUniqueKey(columns, in: databaseTableName) { return try deleteAll(db) > 0 }
    func checkAndDelete() throws -> Bool {
      if try limit(2).fetchCount(db) > 1 {
        throw InvalidRequest.severalRows(of: databaseTableName, values)
      }
      return try deleteAll(db) > 0
    }
    if db.isInsideTransaction { return try checkAndDelete() }
    // Another connection must not write between the two statements.
    var isDeleted = false
    try db.inTransaction {
      isDeleted = try checkAndDelete()
      return .commit
    }
    return isDeleted
  }
}

extension TableRequest
where
  Self: FilteredRequest, Self: TypedRequest, RowDecoder: Identifiable,
  RowDecoder.ID: DatabaseValueConvertible
{
  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// Player.all().filter(id: 1)
  /// ```
  public consuming func filter(id: RowDecoder.ID) -> Self { filter(key: id) }

  /// Filters by primary key, which must have one column.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// Player.all().filter(ids: [1, 2, 3])
  /// ```
  public consuming func filter(ids: any Collection<RowDecoder.ID>) -> Self { filter(keys: ids) }

  /// See `filter(ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public consuming func filter<Key: DatabaseValueConvertible>(ids: any Collection<Key>) -> Self
  where RowDecoder.ID == Key? { filter(keys: ids) }
}

extension InvalidRequest {
  fileprivate static func severalRows(
    of table: String, _ key: [(column: String, value: DatabaseValue)]
  ) -> InvalidRequest {
    let text = key.map { "\($0.column):\($0.value)" }.joined(separator: " ")
    return InvalidRequest(
      "Several rows of table \(table) have the key [\(text)]: a unique index compares neither "
        + "NULL, nor the rows that a partial one leaves out, and may have another collation than "
        + "its column. To delete them all, use filter(key:) and deleteAll(_:).")
  }
}
