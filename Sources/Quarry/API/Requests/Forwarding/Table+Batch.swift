extension Table {
  /// The number of rows.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM "player"
  /// let count = try players.fetchCount(db)
  /// ```
  public func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Returns whether a row with a unique key exists: a primary key, or the columns of a unique
  /// index.
  public func exists(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool { try !filter(key: key).isEmpty(db) }

  /// Deletes all rows.
  ///
  /// - returns: the number of deleted rows.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Deletes the rows with primary keys, which have one column.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "id" IN (?, ?, ?)
  /// try players.deleteAll(db, keys: [1, 2, 3])
  /// ```
  ///
  /// - returns: the number of deleted rows.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: some Collection<some DatabaseValueConvertible>
  ) throws -> Int {
    if keys.isEmpty { return 0 }
    return try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the rows with unique keys: primary keys, or the columns of unique indexes.
  ///
  /// - returns: the number of deleted rows.
  @discardableResult
  public func deleteAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    if keys.isEmpty { return 0 }
    return try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the row with a unique key: a primary key, or the columns of a unique index.
  ///
  /// - returns: true if there was a row.
  /// - throws: ``DatabaseError``; ``InvalidRequest`` if several rows have the key, as a unique
  ///   index admits them for NULL. None of them is deleted then.
  @discardableResult
  public func deleteOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool { try filter(key: key).deleteSingleRow(db, key) }
}

extension Table where RowDecoder: Identifiable, RowDecoder.ID: DatabaseValueConvertible {
  /// Returns whether a row with an identifier exists.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = ?)
  /// let exists = try players.exists(db, id: 1)
  /// ```
  public func exists(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    if id.databaseValue.isNull { return false }
    return try exists(db, key: id)
  }

  /// Deletes the rows with identifiers.
  ///
  /// - returns: the number of deleted rows.
  @discardableResult
  public func deleteAll(_ db: Database, ids: some Collection<RowDecoder.ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }

  /// See `deleteAll(_:ids:)`. The identifiers of the records are optional, and these ones are not.
  @discardableResult
  @_disfavoredOverload
  public func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database, ids: some Collection<Key>
  ) throws -> Int where RowDecoder.ID == Key? { try deleteAll(db, keys: ids) }

  /// Deletes the row with an identifier.
  ///
  /// - returns: true if there was a row.
  @discardableResult
  public func deleteOne(_ db: Database, id: RowDecoder.ID) throws -> Bool {
    try deleteOne(db, key: id)
  }
}
