// Written by Scripts/generate, from QueryInterfaceRequest+Update.swift: change that file.

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Updates the rows. See `updateAll(_:onConflict:_:)`.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }
}
