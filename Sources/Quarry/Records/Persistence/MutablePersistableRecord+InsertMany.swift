extension MutablePersistableRecord {
  /// Inserts records in statements of several rows: faster than one by one.
  ///
  /// ```swift
  /// // INSERT INTO "player" ("id", "name") VALUES (?,?),(?,?),(?,?),(?,?) RETURNING "id"
  /// var players = names.map { Player(id: nil, name: $0) }
  /// try Player.insert(db, contentsOf: &players)
  /// ```
  ///
  /// Either all records are inserted, or, if one fails, none: structures don't change then, and
  /// objects keep the effects of their callbacks. Identifiers are set in the order of the records.
  ///
  /// Each record has its callbacks, some hundred records at a time: `willSave` and `willInsert` of
  /// each record before the statement, `didInsert` and `didSave` of each record after it. Types
  /// with ``aroundSave(_:save:)`` or ``aroundInsert(_:insert:)`` callbacks declare
  /// ``hasAroundCallbacks``; it is an error if they don't.
  ///
  /// Records with the same columns share a statement. The types that have callbacks around
  /// insertions, the conflict resolutions `.ignore`, `.fail` and `.rollback`, views, and virtual
  /// tables get a statement per record, with the callbacks of each record around its own. A record
  /// that `.ignore` leaves out is no failure; `.rollback` ends the transaction that the insertion
  /// is part of. In a statement of several rows, it is a failure that a trigger or a constraint of
  /// the table skips one.
  ///
  /// See <https://www.sqlite.org/lang_insert.html>.
  ///
  /// - parameter db: A connection.
  /// - parameter records: the records.
  /// - parameter conflictResolution: the conflict resolution algorithm: by default, the one of
  ///   ``persistenceConflictPolicy``.
  /// - Throws: ``DatabaseError``, or the error of a callback, or of
  ///   ``EncodableRecord/encode(to:)``.
  @inlinable
  public static func insert(
    _ db: Database, contentsOf records: inout [Self],
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    var inserted = records
    try PersistenceEngine.insert(contentsOf: &inserted, db, onConflict: conflictResolution)
    records = inserted
  }

  /// Inserts records in statements of several rows, and returns them with the changes of the
  /// insertion.
  ///
  /// ```swift
  /// let players = try Player.inserted(db, contentsOf: names.map { Player(id: nil, name: $0) })
  /// ```
  ///
  /// See `insert(_:contentsOf:onConflict:)`.
  @inlinable
  public static func inserted(
    _ db: Database, contentsOf records: some Sequence<Self>,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws -> [Self] {
    var inserted = Array(records)
    try PersistenceEngine.insert(contentsOf: &inserted, db, onConflict: conflictResolution)
    return inserted
  }
}

extension PersistableRecord {
  /// Inserts records in statements of several rows: faster than one by one.
  ///
  /// ```swift
  /// // INSERT INTO "country" ("code", "name") VALUES (?,?),(?,?)
  /// try Country.insert(db, contentsOf: [france, italy])
  /// ```
  ///
  /// See ``MutablePersistableRecord/insert(_:contentsOf:onConflict:)``.
  @inlinable
  public static func insert(
    _ db: Database, contentsOf records: some Sequence<Self>,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try PersistenceEngine.insert(contentsOf: Array(records), db, onConflict: conflictResolution)
  }
}
