// Written by Scripts/generate, from QueryInterfaceRequest+Update.swift: change that file.

extension Table {
  /// Updates the rows.
  ///
  /// See `QueryInterfaceRequest.updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }
}

extension Table where RowDecoder: TableRecord {
  /// Updates the rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try players.updateAll(db) { $0.score.set(to: 0) }
  /// ```
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }
}

extension Table where RowDecoder: TableRecord {
  /// Updates the rows. See `updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }
}

extension Table {
  /// Updates the rows.
  ///
  /// See `QueryInterfaceRequest.updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }
}
