// Written by Scripts/generate, from MutablePersistableRecord+Insert.swift: change that file.

extension PersistableRecord {
  /// Inserts the record.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?)
  /// let player = Player(id: nil, name: "Alice")
  /// try player.insert(db)
  /// ```
  ///
  /// See `MutablePersistableRecord.insert(_:onConflict:)`.
  @inlinable
  public func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.insert(&record, db, onConflict: conflictResolution)
  }

  /// Inserts the record, and returns the inserted row as another type.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING *
  /// let partial = PartialPlayer(name: "Alice")
  /// let player = try partial.insertAndFetch(db, as: Player.self)
  /// ```
  ///
  /// See `MutablePersistableRecord.insertAndFetch(_:into:onConflict:as:)`.
  public func insertAndFetch<T: FetchableRecord & TableRecord>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil, as returnedType: T.Type
  ) throws -> T {
    var record = self
    return try PersistenceEngine.insertAndFetch(
      &record, db, into: table, InsertRule(conflict: conflictResolution), as: returnedType)
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
  /// See `MutablePersistableRecord.insertAndFetch(_:into:onConflict:selection:fetch:)`.
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
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING "score"
  /// let score = try player.insertAndFetch(db) { statement in
  ///   try Int.fetchOne(statement)
  /// } select: {
  ///   [$0.score]
  /// }
  /// ```
  ///
  /// See `MutablePersistableRecord.insertAndFetch(_:into:onConflict:fetch:select:)`.
  public func insertAndFetch<T>(
    _ db: Database, into table: String? = nil,
    onConflict conflictResolution: Database.ConflictResolution? = nil,
    fetch: (Statement) throws -> T, select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> T {
    try insertAndFetch(
      db, into: table, onConflict: conflictResolution, selection: select(Self.databaseComponents),
      fetch: fetch)
  }
}
