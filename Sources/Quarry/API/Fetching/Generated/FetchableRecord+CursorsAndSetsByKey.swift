// Written by Scripts/generate, from FetchableRecord+Keys.swift: change that file.

extension FetchableRecord where Self: TableRecord {
  /// A cursor over the records with primary keys, which have one column. The order is undefined.
  /// See `fetchAll(_:keys:)`.
  public static func fetchCursor(
    _ db: Database, keys: some Collection<some DatabaseValueConvertible>
  ) throws -> RecordCursor<Self> {
    try filter(keys: keys).fetchCursor(db)
  }

  /// The distinct records with primary keys, which have one column. The order is undefined. See
  /// `fetchAll(_:keys:)`.
  public static func fetchSet(_ db: Database, keys: some Collection<some DatabaseValueConvertible>)
    throws -> Set<Self> where Self: Hashable
  {
    if keys.isEmpty { return [] }
    return try filter(keys: keys).fetchSet(db)
  }
}

extension FetchableRecord where Self: TableRecord {
  /// A cursor over the records with unique keys. The order is undefined. See `fetchAll(_:keys:)`.
  public static func fetchCursor(_ db: Database, keys: [[String: (any DatabaseValueConvertible)?]])
    throws -> RecordCursor<Self>
  {
    try filter(keys: keys).fetchCursor(db)
  }

  /// The distinct records with unique keys. The order is undefined. See `fetchAll(_:keys:)`.
  public static func fetchSet(_ db: Database, keys: [[String: (any DatabaseValueConvertible)?]])
    throws -> Set<Self> where Self: Hashable
  {
    if keys.isEmpty { return [] }
    return try filter(keys: keys).fetchSet(db)
  }
}

extension FetchableRecord
where Self: TableRecord, Self: Identifiable, ID: DatabaseValueConvertible {
  /// A cursor over the records with identifiers. The order is undefined. See `fetchAll(_:ids:)`.
  public static func fetchCursor(_ db: Database, ids: some Collection<ID>) throws -> RecordCursor<
    Self
  > {
    try filter(ids: ids).fetchCursor(db)
  }

  /// The distinct records with identifiers. The order is undefined. See `fetchAll(_:ids:)`.
  public static func fetchSet(_ db: Database, ids: some Collection<ID>) throws -> Set<Self>
  where Self: Hashable {
    if ids.isEmpty { return [] }
    return try filter(ids: ids).fetchSet(db)
  }

  /// See `fetchCursor(_:ids:)`. The identifiers of the records are optional, and these ones are
  /// not.
  @_disfavoredOverload
  public static func fetchCursor<Key: DatabaseValueConvertible>(
    _ db: Database, ids: some Collection<Key>
  ) throws -> RecordCursor<Self> where ID == Key? {
    try fetchCursor(db, keys: ids)
  }

  /// See `fetchSet(_:ids:)`. The identifiers of the records are optional, and these ones are not.
  @_disfavoredOverload
  public static func fetchSet<Key: DatabaseValueConvertible>(
    _ db: Database, ids: some Collection<Key>
  ) throws -> Set<Self> where Self: Hashable, ID == Key? {
    try fetchSet(db, keys: ids)
  }
}
