public import Quarry

// A constant that is an object can be changed.
extension VersionedRecord where Self: AnyObject {
  func raiseVersion() {
    var record = self
    record._didRaiseVersion()
  }

  /// Updates all columns of the row of the record, if both have the same version.
  ///
  /// - Throws: `StaleRecordError`, `DatabaseError`, or the error of a callback, or of the encoding.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try updateRow(db, conflictResolution, nil)
    raiseVersion()
  }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>
  ) throws {
    try updateRow(db, conflictResolution, Array(columns))
    raiseVersion()
  }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<some ColumnExpression>
  ) throws {
    try update(db, onConflict: conflictResolution, columns: columns.map { $0.name })
  }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: (DatabaseComponents) throws -> [any ColumnExpression]
  ) throws {
    let names = try columns(Self.databaseComponents).map { $0.name }
    try update(db, onConflict: conflictResolution, columns: names)
  }

  /// Updates the columns whose value differs from that of another record. Returns whether there
  /// were any.
  @discardableResult
  public func updateChanges<Record: MutablePersistableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Record
  ) throws -> Bool {
    let isUpdated = try updateRow(db, conflictResolution, changedFrom: record)
    if isUpdated { raiseVersion() }
    return isUpdated
  }
}
