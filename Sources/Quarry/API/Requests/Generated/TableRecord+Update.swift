// Written by Scripts/generate, from QueryInterfaceRequest+Update.swift: change that file.

extension TableRecord {
  /// Updates the records.
  ///
  /// See `QueryInterfaceRequest.updateAll(_:onConflict:_:)`.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }
}

extension TableRecord {
  /// Updates the records.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try Player.updateAll(db) { $0.score.set(to: 0) }
  /// ```
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignment: assignment)
  }
}

extension TableRecord {
  /// Updates the records. See `updateAll(_:onConflict:_:)`.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }
}

extension TableRecord {
  /// Updates the records.
  ///
  /// See `QueryInterfaceRequest.updateAll(_:onConflict:_:)`.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }
}
