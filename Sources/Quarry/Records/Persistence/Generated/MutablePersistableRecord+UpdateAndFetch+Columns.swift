// Written by Scripts/generate, from MutablePersistableRecord+UpdateAndFetch.swift: change that
// file.

extension MutablePersistableRecord {
  /// Updates some columns of the row of the record, and returns the result of `fetch` from the
  /// updated row. See `updateAndFetch(_:in:onConflict:columns:selection:fetch:)`.
  public func updateAndFetch<T>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<some ColumnExpression>, selection: [any SQLSelectable],
    fetch: (Statement) throws -> T
  ) throws -> T {
    try updateAndFetch(
      db, in: table, onConflict: conflictResolution, columns: columns.map { $0.name },
      selection: selection, fetch: fetch)
  }
}
