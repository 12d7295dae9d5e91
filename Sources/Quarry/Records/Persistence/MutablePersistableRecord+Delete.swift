extension MutablePersistableRecord {
  /// Returns whether the table has a row with the primary key of the record.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT 1 FROM "player" WHERE "id"=?)
  /// let exists = try player.exists(db)
  /// ```
  ///
  /// - Throws: ``DatabaseError``.
  public func exists(_ db: Database) throws -> Bool { try RecordKey(self, db).exists(db) }

  /// Deletes the row with the primary key of the record. Returns whether there was one.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "id"=?
  /// try player.delete(db)
  /// ```
  ///
  /// - Throws: ``DatabaseError``, or the error of a callback.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool { try PersistenceEngine.delete(self, db) }
}
