extension Table {
  /// Returns whether a row with a single-column primary key exists.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = ?)
  /// let exists = try players.exists(db, key: 1)
  /// ```
  public func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    try !filter(key: key).isEmpty(db)
  }

  /// Deletes the row with a single-column primary key.
  ///
  /// - returns: true if there was a row.
  @discardableResult
  public func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    if key.databaseValue.isNull { return false }
    return try deleteAll(db, keys: CollectionOfOne(key)) > 0
  }
}
