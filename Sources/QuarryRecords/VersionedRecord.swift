public import Quarry

/// A record with a version, which no update of another copy overwrites: optimistic locking.
///
/// ```swift
/// struct Player: Codable, FetchableRecord, VersionedRecord {
///   var id: Int64
///   var score: Int
///   var version = 1
/// }
///
/// // UPDATE "player" SET "score"=?, "version"="version"+1 WHERE "id"=? AND "version"=?
/// var player = try Player.find(db, key: 1)
/// player.score = 100
/// try player.update(db)
/// ```
///
/// `update`, `save`, `updateChanges` and `delete`, with all their variants, write the row only if
/// it has the version of the record, and throw a `StaleRecordError` otherwise: also where the row
/// is gone, unless a `save` inserts it. Each update raises the version by one, in the row and in
/// the record. Where the record is a constant, only the row has the new version.
///
/// - Important: After an error, or a rollback of the transaction or of a savepoint, discard the
///   record, or fetch it again. A rollback takes the version of the row back, and not that of the
///   record: when other updates have raised the row to that number, the record overwrites them. An
///   object gets its version back after a rollback of the transaction, and keeps it after one of a
///   savepoint.
///
/// Methods that don't look at the row of the record don't look at its version: `upsert`, insertions
/// that replace rows, batches of insertions, and `updateAll`, which may raise the version itself:
/// `Column("version") += 1`.
///
/// The column is an integer that is not null, with a default value if the table has rows already.
/// The type itself declares its conformance to the record protocols, in its module: a subclass of
/// any record class, and a record of another module, have no versions. Updates and deletions throw
/// for them.
public protocol VersionedRecord: MutablePersistableRecord, _CheckedRecord {
  /// The column of the version: `version`, if the type declares no other one.
  static var versionColumn: String { get }

  /// The version, stored in the ``versionColumn``: the first version is that of the first
  /// insertion.
  var version: Int { get set }
}

extension VersionedRecord {
  /// `version`
  public static var versionColumn: String { "version" }

  /// See ``versionColumn``. Not for applications.
  public static var _versionColumn: String? { versionColumn }

  /// Raises the version. Not for applications.
  public mutating func _didRaiseVersion(_ db: Database) { version &+= 1 }
}

// Updates don't change a record in general: those of variables with a version do.
extension VersionedRecord {
  /// Updates all columns of the row of the record, if both have the same version.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=?, "version"="version"+1 WHERE "id"=? AND "version"=?
  /// try player.update(db)
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter conflictResolution: The conflict resolution algorithm.
  /// - Throws: `StaleRecordError`, `DatabaseError`, or the error of a callback, or of the encoding.
  ///   `RecordError` where the conflict resolution algorithm or a trigger leaves the row as it is.
  public mutating func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    try updateRow(db, conflictResolution, nil)
    _didRaiseVersion(db)
  }

  /// Updates some columns of the row of the record, if both have the same version.
  ///
  /// See `update(_:onConflict:)`.
  public mutating func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<String>
  ) throws {
    try updateRow(db, conflictResolution, Array(columns))
    _didRaiseVersion(db)
  }

  /// Updates some columns of the row of the record, if both have the same version.
  ///
  /// See `update(_:onConflict:)`.
  public mutating func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: some Collection<some ColumnExpression>
  ) throws { try update(db, onConflict: conflictResolution, columns: columns.map { $0.name }) }

  /// Updates some columns of the row of the record, if both have the same version.
  ///
  /// See `update(_:onConflict:)`.
  public mutating func update(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    columns: (DatabaseComponents) throws -> [any ColumnExpression]
  ) throws {
    let names = try columns(Self.databaseComponents).map { $0.name }
    try update(db, onConflict: conflictResolution, columns: names)
  }

  /// Updates the row of a table that has the primary key of the record, if both have the same
  /// version.
  ///
  /// ```swift
  /// // UPDATE "old" SET "name"=?, "version"="version"+1 WHERE "id"=? AND "version"=?
  /// try player.update(db, in: "old")
  /// ```
  ///
  /// See `update(_:onConflict:)`.
  public mutating func update(
    _ db: Database, in table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil, columns: [String]? = nil
  ) throws {
    try updateRow(db, conflictResolution, columns, in: table)
    _didRaiseVersion(db)
  }

  /// Updates the columns whose value differs from that of another record. Returns whether there
  /// were any.
  ///
  /// See `update(_:onConflict:)`.
  @discardableResult
  public mutating func updateChanges<Record: MutablePersistableRecord>(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    from record: Record
  ) throws -> Bool {
    let isUpdated = try updateRow(db, conflictResolution, changedFrom: record)
    if isUpdated { _didRaiseVersion(db) }
    return isUpdated
  }
}

extension VersionedRecord where Self: PersistableRecord {
  /// Updates the row of the record, if both have the same version, or inserts the record when there
  /// is no such row.
  ///
  /// See `update(_:onConflict:)`.
  public mutating func save(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    func save(_ record: inout some MutablePersistableRecord) throws {
      try record.save(db, onConflict: conflictResolution)
    }
    try save(&self)
  }

  /// Updates the row of a table, if both have the same version, or inserts the record when there is
  /// no such row.
  ///
  /// See `update(_:onConflict:)`.
  public mutating func save(
    _ db: Database, into table: String,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) throws {
    func save(_ record: inout some MutablePersistableRecord) throws {
      try record.save(db, into: table, onConflict: conflictResolution)
    }
    try save(&self)
  }
}

// The methods of all records, which compare versions too.
extension VersionedRecord {
  func updateRow(
    _ db: Database, _ conflict: Database.ConflictResolution?, _ columns: [String]?,
    in table: String? = nil
  ) throws {
    func update(_ record: some MutablePersistableRecord) throws {
      if let table {
        return try record.update(db, in: table, onConflict: conflict, columns: columns)
      }
      guard let columns else { return try record.update(db, onConflict: conflict) }
      try record.update(db, onConflict: conflict, columns: columns)
    }
    try update(self)
  }

  func updateRow(
    _ db: Database, _ conflict: Database.ConflictResolution?,
    changedFrom old: some MutablePersistableRecord
  ) throws -> Bool {
    func update(_ record: some MutablePersistableRecord) throws -> Bool {
      try record.updateChanges(db, onConflict: conflict, from: old)
    }
    return try update(self)
  }
}
