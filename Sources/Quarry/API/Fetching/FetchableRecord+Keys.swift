// Cursors and sets are written by Scripts/generate, from the methods `fetchAll`.

extension FetchableRecord where Self: TableRecord {
  /// The records with primary keys, which have one column. The order is undefined.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// let players = try Player.fetchAll(db, keys: [1, 2, 3])
  /// ```
  ///
  /// - throws: ``DatabaseError``, ``InvalidRequest``, ``RowDecodingError``.
  public static func fetchAll(
    _ db: Database, keys: some Collection<some DatabaseValueConvertible>
  ) throws -> [Self] {
    if keys.isEmpty { return [] }
    return try filter(keys: keys).fetchAll(db)
  }

  /// Returns the record with a single-column primary key, or nil.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// let player = try Player.fetchOne(db, key: 1)
  /// ```
  ///
  /// - throws: ``DatabaseError``, ``InvalidRequest``, ``RowDecodingError``.
  @inlinable public static func fetchOne(
    _ db: Database, key: some DatabaseValueConvertible
  ) throws -> Self? { try prepare(db, key: key)?.fetchOne(db) }

  /// The request for the record with a primary key, nil for none.
  @usableFromInline static func prepare(
    _ db: Database, key: some DatabaseValueConvertible
  ) throws -> PreparedRequest? {
    guard let row = RowByKey(key, of: Self.self) else {
      if key.databaseValue.isNull { return nil }
      return try filter(key: key).makePreparedRequest(db, forSingleResult: true)
    }
    return try db.prepare(row, forSingleResult: true)
  }

  /// Returns the record with a single-column primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// let player = try Player.find(db, key: 1)
  /// ```
  ///
  /// - throws: ``RecordError/recordNotFound(databaseTableName:key:)``, ``DatabaseError``,
  ///   ``InvalidRequest``, ``RowDecodingError``.
  public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
    guard let record = try fetchOne(db, key: key) else { throw recordNotFound(db, key: key) }
    return record
  }
}

// Unique keys: primary keys, or the columns of unique indexes.
extension FetchableRecord where Self: TableRecord {
  /// The records with unique keys. The order is undefined.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE ("email" = ?) OR ("email" = ?)
  /// let players = try Player.fetchAll(db, keys: [["email": "a@a.com"], ["email": "b@b.com"]])
  /// ```
  public static func fetchAll(
    _ db: Database, keys: [[String: (any DatabaseValueConvertible)?]]
  ) throws -> [Self] {
    if keys.isEmpty { return [] }
    return try filter(keys: keys).fetchAll(db)
  }

  /// The record with a unique key, or nil.
  ///
  /// ```swift
  /// // SELECT * FROM "citizenship" WHERE ("citizenId" = ?) AND ("countryCode" = ?)
  /// let citizenship = try Citizenship.fetchOne(db, key: ["citizenId": 1, "countryCode": "FR"])
  /// ```
  public static func fetchOne(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]?
  ) throws -> Self? {
    guard let key else { return nil }
    return try filter(key: key).fetchOne(db)
  }

  /// The record with a unique key.
  ///
  /// - throws: ``RecordError/recordNotFound(databaseTableName:key:)``, ``DatabaseError``,
  ///   ``InvalidRequest``, ``RowDecodingError``.
  public static func find(
    _ db: Database, key: [String: (any DatabaseValueConvertible)?]
  ) throws -> Self {
    guard let record = try fetchOne(db, key: key) else { throw recordNotFound(key: key) }
    return record
  }
}

extension FetchableRecord
where Self: TableRecord, Self: Identifiable, ID: DatabaseValueConvertible {
  /// The records with identifiers. The order is undefined.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" IN (?, ?, ?)
  /// let players = try Player.fetchAll(db, ids: [1, 2, 3])
  /// ```
  public static func fetchAll(_ db: Database, ids: some Collection<ID>) throws -> [Self] {
    if ids.isEmpty { return [] }
    return try filter(ids: ids).fetchAll(db)
  }

  /// See `fetchAll(_:ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public static func fetchAll<Key: DatabaseValueConvertible>(
    _ db: Database, ids: some Collection<Key>
  ) throws -> [Self] where ID == Key? { try fetchAll(db, keys: ids) }

  /// The record with an identifier, or nil.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// let player = try Player.fetchOne(db, id: 1)
  /// ```
  @inlinable public static func fetchOne(_ db: Database, id: ID) throws -> Self? {
    try prepare(db, id: id).fetchOne(db)
  }

  @usableFromInline static func prepare(_ db: Database, id: ID) throws -> PreparedRequest {
    guard let row = RowByKey(id, of: Self.self) else {
      return try filter(id: id).makePreparedRequest(db, forSingleResult: true)
    }
    return try db.prepare(row, forSingleResult: true)
  }

  /// The record with an identifier.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "id" = ?
  /// let player = try Player.find(db, id: 1)
  /// ```
  ///
  /// - throws: ``RecordError/recordNotFound(databaseTableName:key:)``, ``DatabaseError``,
  ///   ``InvalidRequest``, ``RowDecodingError``.
  public static func find(_ db: Database, id: ID) throws -> Self {
    guard let record = try fetchOne(db, id: id) else { throw recordNotFound(db, id: id) }
    return record
  }
}
