// By key: the request of a record type need not be planned.

extension TableRecord {
  /// Returns whether a record with a single-column primary key exists.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = ?)
  /// let exists = try Player.exists(db, key: 1)
  /// ```
  public static func exists(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    guard let row = RowByKey(key, of: Self.self) else { return try !filter(key: key).isEmpty(db) }
    return try db.fetchInt(row, for: .exists) != 0
  }

  /// Deletes the record with a single-column primary key.
  ///
  /// - returns: true if there was a record.
  @discardableResult
  public static func deleteOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Bool {
    if key.databaseValue.isNull { return false }
    guard !(Self.self is any _CheckedRecord.Type), let row = RowByKey(key, of: Self.self) else {
      return try deleteAll(db, keys: CollectionOfOne(key)) > 0
    }
    return try db.countChanges(of: db.statement(row, for: .delete), in: .table(row.table)) > 0
  }
}
