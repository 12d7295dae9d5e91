extension QueryInterfaceRequest where RowDecoder: FetchableRecord & TableRecord {
  /// A cursor over the updated records. Rows are updated at its first step; those of a view, before
  /// it is returned.
  public func updateAndFetchCursor(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> RecordCursor<RowDecoder> {
    let statement = try updateAndFetchRows(
      db, onConflict: conflictResolution, assignments, selection: RowDecoder.databaseSelection)
    return try RowDecoder.fetchCursor(statement)
  }

  /// Updates the rows of the request, and returns the updated records.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" + ? WHERE "team" = ? RETURNING *
  /// let players = try Player
  ///   .filter(Column("team") == "Red")
  ///   .updateAndFetchAll(db, [Column("score") += 10])
  /// ```
  public func updateAndFetchAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> [RowDecoder] {
    try Array(updateAndFetchCursor(db, onConflict: conflictResolution, assignments))
  }

  /// See ``updateAndFetchAll(_:onConflict:_:)``.
  public func updateAndFetchSet(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Set<RowDecoder> where RowDecoder: Hashable {
    try Set(updateAndFetchCursor(db, onConflict: conflictResolution, assignments))
  }
}
