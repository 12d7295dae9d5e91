// Written by Scripts/generate, from Table+Batch.swift: change that file.

extension TableRecord {
  /// The number of records.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM "player"
  /// let count = try Player.fetchCount(db)
  /// ```
  public static func fetchCount(_ db: Database) throws -> Int { try all().fetchCount(db) }

  /// Returns whether a record with a unique key exists: a primary key, or the columns of a unique
  /// index.
  public static func exists(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool { try !filter(key: key).isEmpty(db) }

  /// Deletes all records.
  ///
  /// - returns: the number of deleted records.
  @discardableResult
  public static func deleteAll(_ db: Database) throws -> Int { try all().deleteAll(db) }

  /// Deletes the records with primary keys, which have one column.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "id" IN (?, ?, ?)
  /// try Player.deleteAll(db, keys: [1, 2, 3])
  /// ```
  ///
  /// - returns: the number of deleted records.
  @discardableResult
  public static func deleteAll(
    _ db: Database, keys: some Collection<some DatabaseValueConvertible>
  ) throws -> Int {
    if keys.isEmpty { return 0 }
    return try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the records with unique keys: primary keys, or the columns of unique indexes.
  ///
  /// - returns: the number of deleted records.
  @discardableResult
  public static func deleteAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> Int {
    if keys.isEmpty { return 0 }
    return try filter(keys: keys).deleteAll(db)
  }

  /// Deletes the record with a unique key: a primary key, or the columns of a unique index.
  ///
  /// - returns: true if there was a record.
  /// - throws: ``DatabaseError``; ``InvalidRequest`` if several records have the key, as a unique
  ///   index admits them for NULL. None of them is deleted then.
  @discardableResult
  public static func deleteOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool { try filter(key: key).deleteSingleRow(db, key) }
}

extension TableRecord where Self: Identifiable, Self.ID: DatabaseValueConvertible {
  /// Returns whether a record with an identifier exists.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT * FROM "player" WHERE "id" = ?)
  /// let exists = try Player.exists(db, id: 1)
  /// ```
  public static func exists(_ db: Database, id: Self.ID) throws -> Bool {
    if id.databaseValue.isNull { return false }
    return try exists(db, key: id)
  }

  /// Deletes the records with identifiers.
  ///
  /// - returns: the number of deleted records.
  @discardableResult
  public static func deleteAll(_ db: Database, ids: some Collection<Self.ID>) throws -> Int {
    try deleteAll(db, keys: ids)
  }

  /// See `deleteAll(_:ids:)`. The identifiers of the records are optional, and these ones are not.
  @discardableResult
  @_disfavoredOverload
  public static func deleteAll<Key: DatabaseValueConvertible>(
    _ db: Database, ids: some Collection<Key>
  ) throws -> Int where Self.ID == Key? { try deleteAll(db, keys: ids) }

  /// Deletes the record with an identifier.
  ///
  /// - returns: true if there was a record.
  @discardableResult
  public static func deleteOne(_ db: Database, id: Self.ID) throws -> Bool {
    try deleteOne(db, key: id)
  }
}
