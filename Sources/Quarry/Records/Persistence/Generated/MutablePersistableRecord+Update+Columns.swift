// Written by Scripts/generate, from MutablePersistableRecord+Update.swift: change that file.

extension MutablePersistableRecord {
  /// Updates some columns of the row with the primary key of the record. See
  /// `update(_:onConflict:columns:)`.
  @inlinable
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<some ColumnExpression>
  ) throws {
    try update(db, onConflict: conflictResolution, columns: columns.map { $0.name })
  }
}
