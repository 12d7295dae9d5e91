extension MutablePersistableRecord {
  /// Inserts the record.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// var player = Player(id: nil, name: "Alice")
  /// try player.insert(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter conflictResolution: the conflict resolution algorithm: by default, the one of
  ///   ``persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError``, or the error of a callback, or of
  ///   ``EncodableRecord/encode(to:)``.
  @inlinable
  public mutating func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws { try PersistenceEngine.insert(&self, db, onConflict: conflictResolution) }

  /// Inserts a copy of the record, and returns it with the changes of the insertion.
  ///
  /// ```swift
  /// let player = try Player(id: nil, name: "Alice").inserted(db)
  /// ```
  ///
  /// See `insert(_:onConflict:)`.
  public func inserted(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self {
    var record = self
    try record.insert(db, onConflict: conflictResolution)
    return record
  }

  /// Inserts the record, and returns the inserted row, with its default and generated values.
  ///
  /// The row is that of the insertion, without what `AFTER` triggers write.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?) RETURNING *
  /// let player = try Player(id: nil, name: "Alice").insertAndFetch(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter table: the table or view, if it is not that of the type: see
  ///   `insert(_:into:onConflict:)` of the product `QuarryRecords`.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - Throws: ``RecordError`` when the conflict resolution ignored the record. See
  ///   `insert(_:onConflict:)`.
  public func insertAndFetch(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try record.insertAndFetch(
      db, into: table, onConflict: conflictResolution, as: Self.self)
  }

  /// Inserts the record, and returns the inserted row as another type.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING *
  /// var partial = PartialPlayer(name: "Alice")
  /// let player = try partial.insertAndFetch(db, as: Player.self)
  /// ```
  ///
  /// See `insertAndFetch(_:into:onConflict:)`.
  public mutating func insertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil, as returnedType: T.Type
  ) throws -> T {
    try PersistenceEngine.insertAndFetch(
      &self, db, into: table, InsertRule(conflict: conflictResolution), as: returnedType)
  }

  /// Inserts the record, and returns the result of `fetch` from the inserted row.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING "score"
  /// let score = try player.insertAndFetch(db, selection: [Column("score")]) { statement in
  ///   try Int.fetchOne(statement)
  /// }
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter table: The table, if it is not that of the type.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - parameter selection: The columns that are returned.
  /// - parameter fetch: a function that fetches from the statement: the record is inserted when it
  ///   does.
  ///
  /// See `insertAndFetch(_:into:onConflict:)`.
  public mutating func insertAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    try PersistenceEngine.insertAndFetch(
      &self, db, into: table, InsertRule(conflict: conflictResolution), selection: selection,
      fetch: fetch)
  }

  /// Inserts the record, and returns the result of `fetch` from the inserted row.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING "score"
  /// let score = try player.insertAndFetch(db) { statement in
  ///   try Int.fetchOne(statement)
  /// } select: {
  ///   [$0.score]
  /// }
  /// ```
  ///
  /// See ``insertAndFetch(_:into:onConflict:selection:fetch:)``.
  public mutating func insertAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> T, select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> T {
    try insertAndFetch(
      db, into: table, onConflict: conflictResolution, selection: select(Self.databaseComponents),
      fetch: fetch)
  }
}
