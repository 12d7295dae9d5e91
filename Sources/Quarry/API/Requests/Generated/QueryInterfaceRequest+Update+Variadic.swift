// Written by Scripts/generate, from QueryInterfaceRequest+Update.swift: change that file.

extension QueryInterfaceRequest {
  /// Updates the rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?, "bonus" = "bonus" + ? WHERE "team" = ?
  /// try Player
  ///   .filter(Column("team") == "Red")
  ///   .updateAll(db, Column("score").set(to: 0), Column("bonus") += 10)
  /// ```
  ///
  /// See `QueryInterfaceRequest.updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments)
  }
}
