/// A class of records that knows which of its values are not in the database yet.
///
/// New types had better be structures: see ``PersistableRecord`` and ``MutablePersistableRecord``.
/// Subclasses override the table name, the initialiser from rows, and the encoding:
///
/// ```swift
/// class Player: Record {
///   var id: Int64?
///   var name: String
///
///   init(name: String) {
///     self.name = name
///     super.init()
///   }
///
///   override class var databaseTableName: String { "player" }
///
///   required init(row: Row) throws {
///     id = row["id"]
///     name = row["name"]
///     try super.init(row: row)
///   }
///
///   override func encode(to container: inout PersistenceContainer) {
///     container["id"] = id
///     container["name"] = name
///   }
///
///   override func didInsert(_ inserted: InsertionSuccess) {
///     super.didInsert(inserted)
///     id = inserted.rowID
///   }
/// }
/// ```
///
/// Overridden callbacks must call the ones of `super`.
open class Record: FetchableRecord, TableRecord, PersistableRecord {
  /// The values in the database, as far as they are known.
  private var stored: PersistenceContainer?

  /// Creates a record that is not in the database.
  public init() {}

  /// Creates a record from a row.
  ///
  /// The values of a fetched row are those in the database. A row created in memory has no such
  /// values: the record has changes.
  ///
  /// - Throws: an error when the row can't be decoded.
  public required init(row: Row) throws {
    guard row.isFromStatement else { return }
    var stored = PersistenceContainer()
    // The leftmost of several columns with a name counts.
    for (column, value) in row where stored.index(ofColumn: column) == nil {
      stored.set(value, forColumn: column)
    }
    self.stored = stored
  }

  /// The name of the table: by default, that of the class with its leading capitals in lower case.
  open class var databaseTableName: String { defaultTableName }

  /// The conflict resolution algorithms of inserts and updates. By default, they fail.
  open class var persistenceConflictPolicy: PersistenceConflictPolicy { .init() }

  /// True: subclasses may override the callbacks around insertions.
  public final class var hasAroundCallbacks: Bool { true }

  /// The selection of requests. All columns, by default.
  open class var databaseSelection: [any SQLSelectable] { [AllColumns()] }

  /// Sets the columns of the record. Subclasses override it: the base class has no column.
  ///
  /// - Throws: an error when the record can't be encoded.
  open func encode(to container: inout PersistenceContainer) throws {}

  /// Called before the record is inserted. See ``MutablePersistableRecord/willInsert(_:)``.
  open func willInsert(_ db: Database) throws {}

  /// Called around the insertion. See ``MutablePersistableRecord/aroundInsert(_:insert:)``.
  open func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    _ = try insert()
  }

  /// Called after the insertion. See ``MutablePersistableRecord/didInsert(_:)``.
  open func didInsert(_ inserted: InsertionSuccess) {
    stored = inserted.mayDiffer ? nil : inserted.persistenceContainer
  }

  /// Called before the update. See ``MutablePersistableRecord/willUpdate(_:columns:)``.
  open func willUpdate(_ db: Database, columns: Set<String>) throws {}

  /// Called around the update. See ``MutablePersistableRecord/aroundUpdate(_:columns:update:)``.
  open func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws { try storeUpdate(update()) }

  /// Called after the update. See ``MutablePersistableRecord/didUpdate(_:)``.
  open func didUpdate(_ updated: PersistenceSuccess) {}

  /// Called before the insertion or the update. See ``MutablePersistableRecord/willSave(_:)``.
  open func willSave(_ db: Database) throws {}

  /// Called around the insertion or the update. See
  /// ``MutablePersistableRecord/aroundSave(_:save:)``.
  open func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
  }

  /// Called after the insertion or the update. See ``MutablePersistableRecord/didSave(_:)``.
  open func didSave(_ saved: PersistenceSuccess) {}

  /// Called before the deletion. See ``MutablePersistableRecord/willDelete(_:)``.
  open func willDelete(_ db: Database) throws {}

  /// Called around the deletion. See ``MutablePersistableRecord/aroundDelete(_:delete:)``.
  open func aroundDelete(_ db: Database, delete: () throws -> Bool) throws {
    _ = try delete()
    stored = nil
  }

  /// Called after the deletion. See ``MutablePersistableRecord/didDelete(deleted:)``.
  open func didDelete(deleted: Bool) {}
}

extension Record {
  /// Whether the record has values that are not in the database, as far as it knows.
  ///
  /// A record that was fetched, inserted, or updated has no changes until it is modified. A record
  /// that was made in memory, or deleted, has, and so has one whose insertion was ignored, or that
  /// was upserted where the row may keep values of its own.
  public var hasDatabaseChanges: Bool { (try? !databaseChanges.isEmpty) ?? true }

  /// The columns whose value is not in the database, with the value that is, or nil if it is not
  /// known.
  ///
  /// - Throws: the error of ``encode(to:)``.
  public var databaseChanges: [String: DatabaseValue?] {
    get throws { try Dictionary(unstoredColumns(), uniquingKeysWith: { first, _ in first }) }
  }

  private func unstoredColumns() throws -> [(column: String, stored: DatabaseValue?)] {
    try PersistenceContainer(self).compactMap { column, value in
      let index = stored?.index(ofColumn: column)
      let old = index.flatMap { stored?.value(at: $0) }
      return old == value ? nil : (column, old)
    }
  }

  /// Updates the columns whose value is not in the database. Returns whether there were any.
  ///
  /// ```swift
  /// // UPDATE "player" SET "name"=? WHERE "id"=?
  /// player.name = "Bob"
  /// try player.updateChanges(db)
  /// ```
  ///
  /// See ``MutablePersistableRecord/update(_:onConflict:)``.
  @discardableResult
  public final func updateChanges(_ db: Database) throws -> Bool {
    let columns = try unstoredColumns().map(\.column)
    if columns.isEmpty { return false }
    try update(db, columns: columns)
    return true
  }

  /// Remembers the columns that an update wrote: those that were requested, and the key. The set of
  /// the callbacks has only one of two columns that Swift takes for equal.
  private func storeUpdate(_ updated: PersistenceSuccess) {
    let columns = updated.updatedColumns.map { Set(($0[0] + $0[1]).map(\.identifierKey)) }
    var stored = stored ?? PersistenceContainer()
    for (column, value) in updated.persistenceContainer
    where columns?.contains(column.identifierKey) ?? true { stored.set(value, forColumn: column) }
    self.stored = stored
  }
}
