// Written by Scripts/generate, from QueryInterfaceRequest+UpdateAndFetch.swift: change that file.

extension QueryInterfaceRequest where RowDecoder: FetchableRecord & TableRecord {
  /// A cursor over the updated records. Rows are updated at its first step; those of a view, before
  /// it is returned. See `updateAndFetchCursor(_:onConflict:_:)`.
  public func updateAndFetchCursor(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> RecordCursor<RowDecoder> {
    try updateAndFetchCursor(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }

  /// Updates the rows of the request, and returns the updated records. See
  /// `updateAndFetchAll(_:onConflict:_:)`.
  public func updateAndFetchAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> [RowDecoder] {
    try updateAndFetchAll(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }

  /// See ``updateAndFetchAll(_:onConflict:_:)``.
  public func updateAndFetchSet(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment]
  ) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try updateAndFetchSet(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents))
  }
}
