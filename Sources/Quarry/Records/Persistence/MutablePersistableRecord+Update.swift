extension MutablePersistableRecord {
  /// Updates all columns of the row with the primary key of the record.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=?, "score"=? WHERE "id"=?
  /// try player.update(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter conflictResolution: the conflict resolution algorithm: by default, the one of
  ///   ``persistenceConflictPolicy``.
  /// - Throws: ``RecordError`` when there is no such row; ``DatabaseError``, or the error of a
  ///   callback, or of ``EncodableRecord/encode(to:)``.
  @inlinable
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws { try PersistenceEngine.update(self, db, onConflict: conflictResolution, columns: nil) }

  /// Updates some columns of the row with the primary key of the record.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=?
  /// try player.update(db, columns: ["score"])
  /// ```
  ///
  /// Without any column to update, checks that the row exists.
  ///
  /// See ``update(_:onConflict:)``.
  @inlinable
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>
  ) throws {
    try PersistenceEngine.update(
      self, db, onConflict: conflictResolution, columns: Array(columns))
  }

  /// Updates the columns whose value differs from that of another record. Returns whether there
  /// were any.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=?
  /// var new = old
  /// new.score = 1000
  /// try new.updateChanges(db, from: old)
  /// ```
  ///
  /// Without any change, nothing runs.
  ///
  /// See ``update(_:onConflict:)``.
  @discardableResult
  public func updateChanges<Record: MutablePersistableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Record
  ) throws -> Bool {
    let columns = try changes(from: record).map(\.column)
    if columns.isEmpty { return false }
    try update(db, onConflict: conflictResolution, columns: columns)
    return true
  }

  /// Modifies the record, and updates the columns that changed. Returns whether there were any.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=?
  /// try player.updateChanges(db) { $0.score = 1000 }
  /// ```
  ///
  /// See ``updateChanges(_:onConflict:from:)``.
  @discardableResult
  public mutating func updateChanges(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Bool {
    let columns = try changes(modify: modify).map(\.column)
    if columns.isEmpty { return false }
    try update(db, onConflict: conflictResolution, columns: columns)
    _didRaiseVersion(db)
    return true
  }
}
