extension Table {
  /// Updates all rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try players.updateAll(db, [Column("score").set(to: 0)])
  /// ```
  ///
  /// - returns: the number of updated rows.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// See ``updateAll(_:onConflict:_:)-(_,_,[ColumnAssignment])``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try players.updateAll(db) { $0.score.set(to: 0) }
  /// ```
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int where RowDecoder: TableRecord {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }

  /// See ``updateAll(_:onConflict:_:)-(_,_,[ColumnAssignment])``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int where RowDecoder: TableRecord {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }
}
