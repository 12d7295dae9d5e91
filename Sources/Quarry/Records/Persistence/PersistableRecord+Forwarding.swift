// These forwarders differ from those of the other protocol in that they don't mutate: the engine
// works on a copy.

extension PersistableRecord {
  /// Inserts the record.
  ///
  /// ```swift
  /// // INSERT INTO "country" ("code", "name") VALUES (?,?)
  /// try Country(code: "FR", name: "France").insert(db)
  /// ```
  ///
  /// See `insert(_:onConflict:)`.
  @inlinable
  public func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.insert(&record, db, onConflict: conflictResolution)
  }

  /// Inserts the record, and returns the inserted row as another type.
  ///
  /// See ``MutablePersistableRecord/insertAndFetch(_:into:onConflict:as:)``.
  public func insertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    var record = self
    return try PersistenceEngine.insertAndFetch(
      &record, db, into: table, InsertRule(conflict: conflictResolution), as: returnedType)
  }

  /// Inserts the record, and returns the result of `fetch` from the inserted row.
  ///
  /// See ``MutablePersistableRecord/insertAndFetch(_:into:onConflict:selection:fetch:)``.
  public func insertAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    var record = self
    return try PersistenceEngine.insertAndFetch(
      &record, db, into: table, InsertRule(conflict: conflictResolution), selection: selection,
      fetch: fetch)
  }

  /// Inserts the record, and returns the result of `fetch` from the inserted row.
  ///
  /// See ``MutablePersistableRecord/insertAndFetch(_:into:onConflict:fetch:select:)``.
  public func insertAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> T, select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> T {
    try insertAndFetch(
      db, into: table, onConflict: conflictResolution, selection: select(Self.databaseComponents),
      fetch: fetch)
  }

  /// Updates the row of the record, or inserts the record when there is no such row.
  ///
  /// See ``MutablePersistableRecord/save(_:onConflict:)``.
  public func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.save(&record, db, onConflict: conflictResolution)
  }

  /// Saves the record, and returns the saved row as another type.
  ///
  /// See ``MutablePersistableRecord/saveAndFetch(_:into:onConflict:as:)``.
  public func saveAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    var record = self
    return try PersistenceEngine.saveAndFetch(
      &record, db, into: table, onConflict: conflictResolution, as: returnedType)
  }

  /// Saves the record, and returns the result of `fetch` from the saved row.
  ///
  /// See ``MutablePersistableRecord/saveAndFetch(_:into:onConflict:selection:fetch:)``.
  public func saveAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    var record = self
    return try PersistenceEngine.saveAndFetch(
      &record, db, into: table, onConflict: conflictResolution, selection: selection, fetch: fetch)
  }

  /// Inserts the record, or updates the row that violates a unique constraint with it.
  ///
  /// See ``MutablePersistableRecord/upsert(_:)``.
  public func upsert(_ db: Database) throws {
    var record = self
    try PersistenceEngine.upsert(&record, db)
  }

  /// Inserts the record, or updates the row that violates a unique constraint with it, and returns
  /// the row.
  ///
  /// See ``MutablePersistableRecord/upsertAndFetch(_:into:onConflict:updating:doUpdate:)``.
  public func upsertAndFetch(
    _ db: Database, into table: String? = nil, onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> Self where Self: FetchableRecord {
    try upsertAndFetch(
      db, into: table, as: Self.self, onConflict: conflictTarget, updating: strategy,
      doUpdate: assignments)
  }

  /// Inserts the record, or updates the row that violates a unique constraint with it, and returns
  /// the row as another type.
  ///
  /// See ``MutablePersistableRecord/upsertAndFetch(_:into:as:onConflict:updating:doUpdate:)``.
  public func upsertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil, as returnedType: T.Type,
    onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> T {
    var record = self
    return try PersistenceEngine.upsertAndFetch(
      &record, db, into: table, as: returnedType, onConflict: conflictTarget, updating: strategy,
      doUpdate: assignments)
  }
}
