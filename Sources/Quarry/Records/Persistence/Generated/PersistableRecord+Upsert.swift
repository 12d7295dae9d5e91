// Written by Scripts/generate, from MutablePersistableRecord+Upsert.swift: change that file.

extension PersistableRecord {
  /// Inserts the record, or updates the row that violates a unique constraint with it.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  /// try player.upsert(db)
  /// ```
  ///
  /// See `MutablePersistableRecord.upsert(_:)`.
  public func upsert(_ db: Database) throws {
    var record = self
    try PersistenceEngine.upsert(&record, db)
  }

  /// Inserts the record, or updates the row that violates a unique constraint with it, and returns
  /// the row.
  ///
  /// ```swift
  /// // INSERT INTO "vocabulary" ("word", "count") VALUES (?,?)
  /// // ON CONFLICT("word") DO UPDATE SET "count" = "count" + ? RETURNING *, "rowid"
  /// let counted = try vocabulary.upsertAndFetch(db, onConflict: ["word"]) { _ in
  ///   [Column("count") += 1]
  /// }
  /// ```
  ///
  /// See `MutablePersistableRecord.upsertAndFetch(_:into:onConflict:updating:doUpdate:)`.
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
  /// See `MutablePersistableRecord.upsertAndFetch(_:into:as:onConflict:updating:doUpdate:)`.
  public func upsertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil, as returnedType: T.Type,
    onConflict conflictTarget: [String] = [], updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> T {
    var record = self
    return try PersistenceEngine.upsertAndFetch(
      &record, db, into: table, as: returnedType, onConflict: conflictTarget, updating: strategy,
      doUpdate: assignments)
  }
}
