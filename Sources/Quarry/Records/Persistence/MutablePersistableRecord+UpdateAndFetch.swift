extension MutablePersistableRecord {
  /// Updates all columns of the row of the record, and returns the updated row.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=?, "score"=? WHERE "id"=? RETURNING *
  /// let updated = try player.updateAndFetch(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter table: the table or view, if it is not that of the type: see
  ///   `update(_:in:onConflict:columns:)` of the product `QuarryRecords`.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - throws: See ``update(_:onConflict:)``.
  public func updateAndFetch(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    try updateAndFetch(db, in: table, onConflict: conflictResolution, as: Self.self)
  }

  /// Updates all columns of the row of the record, and returns the updated row as another type.
  ///
  /// See ``updateAndFetch(_:in:onConflict:)``.
  public func updateAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    try PersistenceEngine.updateAndFetch(
      self, db, in: table, onConflict: conflictResolution, columns: nil, as: returnedType)
  }

  /// Updates all columns of the row of the record, and returns the result of `fetch` from the
  /// updated row.
  ///
  /// - parameter db: A connection.
  /// - parameter table: The table, if it is not that of the type.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - parameter selection: The columns that are returned.
  /// - parameter fetch: a function that fetches from the statement: the row is updated when it
  ///   does.
  ///
  /// See ``updateAndFetch(_:in:onConflict:)``.
  public func updateAndFetch<T>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    try PersistenceEngine.updateAndFetch(
      self, db, in: table, onConflict: conflictResolution, columns: nil, selection: selection,
      fetch: fetch)
  }

  /// Updates some columns of the row of the record, and returns the result of `fetch` from the
  /// updated row.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=? RETURNING "rank"
  /// let rank = try player.updateAndFetch(
  ///   db, columns: ["score"], selection: [Column("rank")]
  /// ) { statement in
  ///   try Int.fetchOne(statement)
  /// }
  /// ```
  ///
  /// See ``updateAndFetch(_:in:onConflict:selection:fetch:)``.
  public func updateAndFetch<T>(
    _ db: Database, in table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>, selection: [any SQLSelectable],
    fetch: (Statement) throws -> T
  ) throws -> T {
    try PersistenceEngine.updateAndFetch(
      self, db, in: table, onConflict: conflictResolution, columns: Array(columns),
      selection: selection, fetch: fetch)
  }

  /// Modifies the record, updates the columns that changed, and returns the updated row, or nil
  /// without any change.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score"=? WHERE "id"=? RETURNING *
  /// let updated = try player.updateChangesAndFetch(db) { $0.score = 1000 }
  /// ```
  ///
  /// See ``updateChanges(_:onConflict:modify:)``.
  public mutating func updateChangesAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    modify: (inout Self) throws -> Void
  ) throws -> Self? where Self: FetchableRecord {
    try updateChangesAndFetch(
      db, onConflict: conflictResolution, as: Self.self, modify: modify)
  }

  /// Modifies the record, updates the columns that changed, and returns the updated row as another
  /// type, or nil without any change.
  ///
  /// See ``updateChangesAndFetch(_:onConflict:modify:)``.
  public mutating func updateChangesAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type, modify: (inout Self) throws -> Void
  ) throws -> T? {
    let columns = try changes(modify: modify).map(\.column)
    if columns.isEmpty { return nil }
    let updated = try PersistenceEngine.updateAndFetch(
      self, db, onConflict: conflictResolution, columns: columns, as: returnedType)
    _didRaiseVersion(db)
    return updated
  }

  /// Modifies the record, updates the columns that changed, and returns the result of `fetch` from
  /// the updated row, or nil without any change.
  ///
  /// See ``updateChangesAndFetch(_:onConflict:modify:)``.
  public mutating func updateChangesAndFetch<T>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T,
    modify: (inout Self) throws -> Void
  ) throws -> T? {
    let columns = try changes(modify: modify).map(\.column)
    if columns.isEmpty { return nil }
    let updated = try updateAndFetch(
      db, onConflict: conflictResolution, columns: columns, selection: selection, fetch: fetch)
    _didRaiseVersion(db)
    return updated
  }
}
