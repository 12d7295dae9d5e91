// Written by Scripts/generate, from QueryInterfaceRequest+Update.swift: change that file.

extension QueryInterfaceRequest {
  /// Updates the rows. See `updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: ColumnAssignment...
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments)
  }
}
