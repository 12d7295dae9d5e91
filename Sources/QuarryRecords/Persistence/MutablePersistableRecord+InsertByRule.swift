public import Quarry

extension MutablePersistableRecord {
  /// Inserts the record, with a choice of its columns.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?)
  /// var player = Player(id: nil, name: "Alice", score: nil)
  /// try player.insert(db, columns: .nonNull)
  ///
  /// // INSERT INTO "player" DEFAULT VALUES
  /// var anonymous = Player(id: nil, name: nil, score: nil)
  /// try anonymous.insert(db, columns: .nonNull)
  /// ```
  ///
  /// The record does not know the default values: see ``insertAndFetch(_:onConflict:columns:)``.
  ///
  /// See `insert(_:onConflict:)`.
  public mutating func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: InsertedColumns
  ) throws {
    try PersistenceEngine.insert(
      &self, db, InsertRule(conflictResolution, columns))
  }

  /// Inserts the record, with a choice of its columns, and returns the inserted row, with its
  /// default values.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("name") VALUES (?) RETURNING *
  /// let player = try Player(id: nil, name: "Alice", score: nil)
  ///   .insertAndFetch(db, columns: .nonNull)
  /// ```
  ///
  /// See ``insert(_:onConflict:columns:)``.
  public func insertAndFetch(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: InsertedColumns
  ) throws -> Self where Self: FetchableRecord {
    var record = self
    return try PersistenceEngine.insertAndFetch(
      &record, db, InsertRule(conflictResolution, columns), as: Self.self)
  }

  /// Inserts the record, unless a unique constraint is violated. Returns whether it was inserted.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "email") VALUES (?,?) ON CONFLICT("email") DO NOTHING
  /// let isNew = try player.insert(db, onConflict: .doNothing(on: ["email"]))
  /// ```
  ///
  /// Callbacks of a record that is not inserted end as for a failure: there is no `didInsert`, nor
  /// `didSave`.
  ///
  /// - Throws: `DatabaseError` for other constraints. See `insert(_:onConflict:)`.
  @discardableResult
  public mutating func insert(
    _ db: Database, onConflict action: InsertionConflictAction
  ) throws -> Bool {
    do {
      try PersistenceEngine.insert(&self, db, InsertRule(action))
      return true
    } catch is NothingInserted {
      return false
    }
  }

  /// Inserts a copy of the record, and returns it with the changes of the insertion, or nil when a
  /// unique constraint is violated.
  ///
  /// See `insert(_:onConflict:)`.
  public func inserted(_ db: Database, onConflict action: InsertionConflictAction) throws -> Self? {
    var record = self
    return try record.insert(db, onConflict: action) ? record : nil
  }

  /// Inserts the record, and returns the inserted row, or nil when a unique constraint is violated.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "email") VALUES (?,?) ON CONFLICT DO NOTHING RETURNING *
  /// let player = try player.insertAndFetch(db, onConflict: .doNothing)
  /// ```
  ///
  /// See `insert(_:onConflict:)`.
  public func insertAndFetch(
    _ db: Database, onConflict action: InsertionConflictAction
  ) throws -> Self? where Self: FetchableRecord {
    var record = self
    do {
      return try PersistenceEngine.insertAndFetch(
        &record, db, InsertRule(action), as: Self.self)
    } catch is NothingInserted {
      return nil
    }
  }
}

extension PersistableRecord {
  /// Inserts the record, with a choice of its columns.
  ///
  /// See ``MutablePersistableRecord/insert(_:onConflict:columns:)``.
  public func insert(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: InsertedColumns
  ) throws {
    var record = self
    try PersistenceEngine.insert(
      &record, db, InsertRule(conflictResolution, columns))
  }

  /// Inserts the record, unless a unique constraint is violated. Returns whether it was inserted.
  ///
  /// See ``MutablePersistableRecord/insert(_:onConflict:)-(_,InsertionConflictAction)``.
  @discardableResult
  public func insert(_ db: Database, onConflict action: InsertionConflictAction) throws -> Bool {
    try inserted(db, onConflict: action) != nil
  }
}
