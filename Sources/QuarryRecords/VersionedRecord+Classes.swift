public import Quarry

// A constant that is an object can be changed.
extension VersionedRecord where Self: AnyObject {
  func raiseVersion(_ db: Database) {
    var record = self
    record._didRaiseVersion(db)
  }

  /// Raises the version, until a rollback of the transaction. Not for applications.
  public mutating func _didRaiseVersion(_ db: Database) {
    let (record, old) = (self, version)
    version &+= 1
    guard db.isInsideTransaction else { return }
    RaisedVersions.inTransaction(of: db).undo.append { [raised = version] in
      var record = record
      if record.version == raised { record.version = old }
    }
  }

  /// Updates all columns of the row of the record, if both have the same version.
  ///
  /// - Throws: `StaleRecordError`, `DatabaseError`, or the error of a callback, or of the encoding.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try updateRow(db, conflictResolution, nil)
    raiseVersion(db)
  }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>
  ) throws {
    try updateRow(db, conflictResolution, Array(columns))
    raiseVersion(db)
  }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<some ColumnExpression>
  ) throws { try update(db, onConflict: conflictResolution, columns: columns.map { $0.name }) }

  /// Updates some columns of the row of the record, if both have the same version.
  public func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: (DatabaseComponents) throws -> [any ColumnExpression]
  ) throws {
    let names = try columns(Self.databaseComponents).map { $0.name }
    try update(db, onConflict: conflictResolution, columns: names)
  }

  /// Updates the row of a table that has the primary key of the record, if both have the same
  /// version.
  public func update(
    _ db: Database, in table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil, columns: [String]? = nil
  ) throws {
    try updateRow(db, conflictResolution, columns, in: table)
    raiseVersion(db)
  }

  /// Updates the columns whose value differs from that of another record. Returns whether there
  /// were any.
  @discardableResult
  public func updateChanges<Record: MutablePersistableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Record
  ) throws -> Bool {
    let isUpdated = try updateRow(db, conflictResolution, changedFrom: record)
    if isUpdated { raiseVersion(db) }
    return isUpdated
  }

  /// Modifies the record, and updates the columns that changed. Returns whether there were any.
  @discardableResult
  public mutating func updateChanges(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Bool {
    func update<Record: MutablePersistableRecord>(
      _ record: inout Record, _ modify: (inout Record) throws -> Void
    ) throws -> Bool {
      try record.updateChanges(db, onConflict: conflictResolution, modify: modify)
    }
    return try update(&self, modify)
  }

  /// Updates all columns of the row of the record, if both have the same version, and returns the
  /// updated row.
  public func updateAndFetch(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    try updateAndFetch(db, in: table, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates all columns of the row of the record, if both have the same version, and returns the
  /// updated row as another type.
  public func updateAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    func update(_ record: some MutablePersistableRecord) throws -> T {
      try record.updateAndFetch(db, in: table, onConflict: conflictResolution, as: returnedType)
    }
    let updated = try update(self)
    raiseVersion(db)
    return updated
  }

  /// Updates all columns of the row of the record, if both have the same version, and returns the
  /// result of `fetch` from the updated row.
  public func updateAndFetch<T>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    func update(
      _ record: some MutablePersistableRecord, _ fetch: (Statement) throws -> T
    ) throws -> T {
      try record.updateAndFetch(
        db, in: table, onConflict: conflictResolution, selection: selection, fetch: fetch)
    }
    let updated = try update(self, fetch)
    raiseVersion(db)
    return updated
  }

  /// Updates some columns of the row of the record, if both have the same version, and returns the
  /// result of `fetch` from the updated row.
  public func updateAndFetch<T>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>, selection: [any SQLSelectable],
    fetch: (Statement) throws -> T
  ) throws -> T {
    func update(
      _ record: some MutablePersistableRecord, _ columns: [String],
      _ fetch: (Statement) throws -> T
    ) throws -> T {
      try record.updateAndFetch(
        db, in: table, onConflict: conflictResolution, columns: columns, selection: selection,
        fetch: fetch)
    }
    let updated = try update(self, Array(columns), fetch)
    raiseVersion(db)
    return updated
  }

  /// Updates some columns of the row of the record, if both have the same version, and returns the
  /// result of `fetch` from the updated row.
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

  /// Deletes the row of the record, if both have the same version. Returns whether there was one.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool {
    func delete(_ record: some MutablePersistableRecord) throws -> Bool { try record.delete(db) }
    return try delete(self)
  }
}

extension VersionedRecord where Self: PersistableRecord & AnyObject {
  /// Updates the row of the record, if both have the same version, or inserts the record when there
  /// is no such row.
  public func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    func save(_ record: some PersistableRecord) throws {
      try record.save(db, onConflict: conflictResolution)
    }
    try save(self)
  }

  /// Updates the row of a table, if both have the same version, or inserts the record when there is
  /// no such row.
  public func save(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    func save(_ record: some PersistableRecord) throws {
      try record.save(db, into: table, onConflict: conflictResolution)
    }
    try save(self)
  }

  /// Saves the record, and returns the saved row.
  public func saveAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    try saveAndFetch(db, onConflict: conflictResolution, as: Self.self)
  }

  /// Saves the record, and returns the saved row as another type.
  public func saveAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    func save(_ record: some PersistableRecord) throws -> T {
      try record.saveAndFetch(db, onConflict: conflictResolution, as: returnedType)
    }
    return try save(self)
  }
}

/// The objects whose versions a transaction has raised. It lives until the end of the transaction.
private final class RaisedVersions: @unchecked Sendable {
  // Used in accesses to the connection only.
  var undo: [() -> Void] = []

  static func inTransaction(of db: Database) -> RaisedVersions {
    if let known = db.raisedVersions as? RaisedVersions { return known }
    let new = RaisedVersions()
    db.raisedVersions = new
    db.afterNextTransaction(
      onCommit: { $0.raisedVersions = nil },
      onRollback: { db in
        db.raisedVersions = nil
        for undo in new.undo.reversed() { undo() }
      })
    return new
  }
}
