extension MutablePersistableRecord {
  /// Inserts the record, or updates the row that violates a unique constraint with it.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// // ON CONFLICT DO UPDATE SET "name" = "excluded"."name" RETURNING "rowid"
  /// try player.upsert(db)
  /// ```
  ///
  /// All columns of the record are overwritten, but those of the primary key.
  ///
  /// See <https://www.sqlite.org/lang_upsert.html>.
  ///
  /// - Throws: ``DatabaseError``, or the error of a callback, or of
  ///   ``EncodableRecord/encode(to:)``.
  public mutating func upsert(_ db: Database) throws { try PersistenceEngine.upsert(&self, db) }

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
  /// - parameter db: A connection.
  /// - parameter table: The table, if it is not that of the type.
  /// - parameter conflictTarget: the columns of the unique constraint. Any constraint, if there are
  ///   none.
  /// - parameter strategy: which columns without assignment are overwritten: all by default, but
  ///   those of the primary key and of the conflict target.
  /// - parameter assignments: the columns to set otherwise. The argument of the closure represents
  ///   the row that was not inserted.
  ///
  /// See ``upsert(_:)``.
  public mutating func upsertAndFetch(
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
  /// See ``upsertAndFetch(_:into:onConflict:updating:doUpdate:)``.
  public mutating func upsertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil, as returnedType: T.Type,
    onConflict conflictTarget: [String] = [],
    updating strategy: UpsertUpdateStrategy = .allColumns,
    doUpdate assignments: ((_ excluded: TableAlias<Self>) -> [ColumnAssignment])? = nil
  ) throws -> T {
    try PersistenceEngine.upsertAndFetch(
      &self, db, into: table, as: returnedType, onConflict: conflictTarget, updating: strategy,
      doUpdate: assignments)
  }
}
