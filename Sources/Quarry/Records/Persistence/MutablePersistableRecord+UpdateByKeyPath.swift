extension MutablePersistableRecord {
  /// Updates some columns of the row with the primary key of the record.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=?, "score"=? WHERE "id"=?
  /// try player.update(db) { [$0.name, $0.score] }
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - parameter columns: selects columns from the ``TableRecord/databaseComponents`` of the
  ///   record.
  ///
  /// See ``update(_:onConflict:columns:)``.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: (DatabaseComponents) throws -> [any ColumnExpression]
  ) throws {
    try update(
      db, onConflict: conflictResolution,
      columns: columns(Self.databaseComponents).map { $0.name })
  }

  /// Sets a property of the record, and updates the columns that it changes. Returns whether there
  /// were any.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=?
  /// try player.update(db, \.score, to: 1000)
  /// ```
  ///
  /// See ``updateChanges(_:onConflict:modify:)``.
  @discardableResult
  public mutating func update<Value>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ property: WritableKeyPath<Self, Value>, to value: Value
  ) throws -> Bool {
    try updateChanges(db, onConflict: conflictResolution) { $0[keyPath: property] = value }
  }
}
