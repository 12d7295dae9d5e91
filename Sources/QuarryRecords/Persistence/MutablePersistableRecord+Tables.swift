public import Quarry

// Records in another table than that of their type.

extension MutablePersistableRecord {
  /// Inserts the record into a table that the application chooses: an archive, the table of a year,
  /// a table of an attached database.
  ///
  /// ```swift
  /// // INSERT INTO "archive"."player" ("id", "name") VALUES (?,?)
  /// try player.insert(db, into: "archive.player")
  /// ```
  ///
  /// The table has the columns of the record. Its own primary key identifies its rows, and its own
  /// constraints apply. The callbacks of the record are called; records that they write go to the
  /// tables of their types. To read the table, use `Table`.
  ///
  /// - parameter db: A connection.
  /// - parameter table: the name of the table, or view, after the name of its schema if that is
  ///   not the main one. A table whose own name contains the dot takes precedence.
  /// - parameter conflictResolution: the conflict resolution algorithm: by default, the one of
  ///   `persistenceConflictPolicy`.
  /// - Throws: `DatabaseError`, also for a table or a schema that does not exist, or the error of
  ///   a callback, or of `EncodableRecord.encode(to:)`.
  public mutating func insert(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try PersistenceEngine.insert(
      &self, db, into: table, InsertRule(conflict: conflictResolution))
  }

  /// Inserts records into a table, in statements of several rows.
  ///
  /// ```swift
  /// // INSERT INTO "old" ("id", "name") VALUES (?,?),(?,?) RETURNING "id"
  /// var players = names.map { Player(id: nil, name: $0) }
  /// try Player.insert(db, contentsOf: &players, into: "old")
  /// ```
  ///
  /// See ``insert(_:into:onConflict:)`` and `insert(_:contentsOf:onConflict:)`.
  public static func insert(
    _ db: Database, contentsOf records: inout [Self], into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var inserted = records
    try PersistenceEngine.insert(
      contentsOf: &inserted, db, into: table, onConflict: conflictResolution)
    records = inserted
  }

  /// Updates the row of a table that has the primary key of the record.
  ///
  /// ```swift
  /// // UPDATE "old" SET "name"=?, "score"=? WHERE "id"=?
  /// try player.update(db, in: "old")
  /// // UPDATE "old" SET "score"=? WHERE "id"=?
  /// try player.update(db, in: "old", columns: ["score"])
  /// ```
  ///
  /// All columns are updated, if none is given. Throws `RecordError` when there is no such row.
  ///
  /// See ``insert(_:into:onConflict:)`` and `update(_:onConflict:)`.
  public func update(
    _ db: Database, in table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil, columns: [String]? = nil
  ) throws {
    try PersistenceEngine.update(
      self, db, in: table, onConflict: conflictResolution, columns: columns)
  }

  /// Updates the row of a table that has the primary key of the record, or inserts the record where
  /// there is no such row.
  ///
  /// ```swift
  /// // UPDATE "old" SET "name"=?, "score"=? WHERE "id"=?
  /// // INSERT INTO "old" ("id", "name", "score") VALUES (?,?,?)
  /// try player.save(db, into: "old")
  /// ```
  ///
  /// See ``insert(_:into:onConflict:)`` and `save(_:onConflict:)`.
  public mutating func save(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws { try PersistenceEngine.save(&self, db, into: table, onConflict: conflictResolution) }

  /// Inserts the record into a table, or updates the row that violates a unique constraint with it.
  ///
  /// See ``insert(_:into:onConflict:)`` and `upsert(_:)`.
  public mutating func upsert(_ db: Database, into table: String) throws {
    try PersistenceEngine.upsert(&self, db, into: table)
  }

  /// Deletes the row of a table that has the primary key of the record. Returns whether there was
  /// one.
  ///
  /// ```swift
  /// // DELETE FROM "old" WHERE "id"=?
  /// try player.delete(db, from: "old")
  /// ```
  ///
  /// See ``insert(_:into:onConflict:)`` and `delete(_:)`.
  @discardableResult
  public func delete(_ db: Database, from table: String) throws -> Bool {
    try PersistenceEngine.delete(self, db, from: table)
  }
}

extension PersistableRecord {
  /// Inserts the record into a table.
  ///
  /// See ``MutablePersistableRecord/insert(_:into:onConflict:)``.
  public func insert(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.insert(
      &record, db, into: table, InsertRule(conflict: conflictResolution))
  }

  /// Inserts records into a table, in statements of several rows.
  ///
  /// See ``MutablePersistableRecord/insert(_:contentsOf:into:onConflict:)``.
  public static func insert(
    _ db: Database, contentsOf records: some Sequence<Self>, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try PersistenceEngine.insert(
      contentsOf: Array(records), db, into: table, onConflict: conflictResolution)
  }

  /// Updates the row of a table, or inserts the record where there is no such row.
  ///
  /// See ``MutablePersistableRecord/save(_:into:onConflict:)``.
  public func save(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var record = self
    try PersistenceEngine.save(&record, db, into: table, onConflict: conflictResolution)
  }

  /// Inserts the record into a table, or updates the row that violates a unique constraint with it.
  ///
  /// See ``MutablePersistableRecord/upsert(_:into:)``.
  public func upsert(_ db: Database, into table: String) throws {
    var record = self
    try PersistenceEngine.upsert(&record, db, into: table)
  }
}
