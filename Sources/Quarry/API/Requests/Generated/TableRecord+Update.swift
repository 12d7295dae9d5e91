// Written by Scripts/generate, from Table+Update.swift: change that file.

extension TableRecord {
  /// Updates all records.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try Player.updateAll(db, [Column("score").set(to: 0)])
  /// ```
  ///
  /// - returns: the number of updated records.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// See ``updateAll(_:onConflict:_:)-(_,_,[ColumnAssignment])``.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments)
  }

  /// Updates all records.
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

  /// See ``updateAll(_:onConflict:_:)-(_,_,[ColumnAssignment])``.
  @discardableResult
  public static func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try all().updateAll(db, onConflict: conflictResolution, assignments: assignments)
  }
}
