// Written by Scripts/generate, from MutablePersistableRecord+Save.swift: change that file.

extension PersistableRecord {
  /// Updates the row of the record, or inserts the record when there is no such row, or when it has
  /// no primary key.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=? WHERE "id"=?
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// try player.save(db)
  /// ```
  ///
  /// See `MutablePersistableRecord.save(_:onConflict:)`.
  public func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.save(&record, db, onConflict: conflictResolution)
  }

  /// Saves the record, and returns the saved row as another type.
  ///
  /// See `MutablePersistableRecord.saveAndFetch(_:into:onConflict:as:)`.
  public func saveAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil, as returnedType: T.Type
  ) throws -> T {
    var record = self
    return try PersistenceEngine.saveAndFetch(
      &record, db, into: table, onConflict: conflictResolution, as: returnedType)
  }

  /// Saves the record, and returns the result of `fetch` from the saved row.
  ///
  /// See `MutablePersistableRecord.saveAndFetch(_:into:onConflict:selection:fetch:)`.
  public func saveAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    var record = self
    return try PersistenceEngine.saveAndFetch(
      &record, db, into: table, onConflict: conflictResolution, selection: selection, fetch: fetch)
  }
}
