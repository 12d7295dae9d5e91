extension MutablePersistableRecord {
  /// Updates the row of the record, or inserts the record when there is no such row, or when it has
  /// no primary key.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=? WHERE "id"=?
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// try player.save(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter conflictResolution: the conflict resolution algorithm: by default, the one of
  ///   ``persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError``, or the error of a callback, or of
  ///   ``EncodableRecord/encode(to:)``.
  public mutating func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws { try PersistenceEngine.save(&self, db, onConflict: conflictResolution) }

  /// Saves a copy of the record, and returns it with the changes of the insertion.
  ///
  /// See ``save(_:onConflict:)``.
  public func saved(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.save(db, onConflict: conflictResolution)
    return record
  }

  /// Saves the record, and returns the saved row.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=? WHERE "id"=? RETURNING *
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?) RETURNING *
  /// let saved = try player.saveAndFetch(db)
  /// ```
  ///
  /// See ``save(_:onConflict:)``.
  public func saveAndFetch(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try record.saveAndFetch(db, into: table, onConflict: conflictResolution, as: Self.self)
  }

  /// Saves the record, and returns the saved row as another type.
  ///
  /// See ``saveAndFetch(_:into:onConflict:)``.
  public mutating func saveAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    as returnedType: T.Type
  ) throws -> T {
    try PersistenceEngine.saveAndFetch(
      &self, db, into: table, onConflict: conflictResolution, as: returnedType)
  }

  /// Saves the record, and returns the result of `fetch` from the saved row.
  ///
  /// - parameter db: A connection.
  /// - parameter table: The table, if it is not that of the type.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - parameter selection: The columns that are returned.
  /// - parameter fetch: a function that fetches from the statement: the record is saved when it
  ///   does.
  ///
  /// See ``saveAndFetch(_:into:onConflict:)``.
  public mutating func saveAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    try PersistenceEngine.saveAndFetch(
      &self, db, into: table, onConflict: conflictResolution, selection: selection, fetch: fetch)
  }
}
