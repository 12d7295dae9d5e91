/// The result of an insertion: see ``MutablePersistableRecord/didInsert(_:)``.
public struct InsertionSuccess {
  /// The rowid of the inserted row.
  ///
  /// See <https://www.sqlite.org/c3ref/last_insert_rowid.html>.
  public var rowID: Int64

  /// The column that is an alias of the rowid, if any: an `INTEGER PRIMARY KEY`.
  public var rowIDColumn: String?

  /// The inserted columns, with the rowid. For a batch of records that don't encode its column, the
  /// rowid is in ``rowID`` only.
  public var persistenceContainer: PersistenceContainer

  /// Whether `didInsert` is called. The triggers of a view may insert no row, and those of a table,
  /// or its constraints, may skip it.
  @usableFromInline var hasRow = true

  /// Whether the row may have other values: `INSERT OR IGNORE` has inserted none (`didInsert` is
  /// called all the same, with SQLite's last rowid), or an upsert may have left values of its row.
  var mayDiffer = false
}

/// The result of an insertion or of an update: see ``MutablePersistableRecord/didSave(_:)``.
public struct PersistenceSuccess {
  /// The columns of the record.
  public var persistenceContainer: PersistenceContainer

  /// The columns that an update has written, and those of the key, by which it has found its row.
  /// Nil for all. One array of both would copy the names in each update.
  @usableFromInline var updatedColumns: [[String]]?

  @inlinable init(persistenceContainer: PersistenceContainer, updatedColumns: [[String]]? = nil) {
    self.persistenceContainer = persistenceContainer
    self.updatedColumns = updatedColumns
  }
}

extension InsertionSuccess {
  /// The insertion of a container, whose rowid is filled in. One that has written no row has
  /// one for `IGNORE` only: see ``mayDiffer``.
  init(
    _ container: PersistenceContainer, rowID: Int64, rowIDColumn: String?, isWritten: Bool = true,
    _ conflict: Database.ConflictResolution = .abort, mayDiffer: Bool = false
  ) {
    let hasRow = isWritten || conflict == .ignore
    let rowIDColumn = hasRow ? rowIDColumn : nil
    var container = container
    if let rowIDColumn { container.set(rowID.databaseValue, forColumn: rowIDColumn) }
    self.init(
      rowID: rowID, rowIDColumn: rowIDColumn, persistenceContainer: container, hasRow: hasRow,
      mayDiffer: mayDiffer || hasRow && !isWritten)
  }
}

extension PersistenceSuccess {
  @inlinable init(_ insertion: InsertionSuccess) {
    self.init(persistenceContainer: insertion.persistenceContainer)
  }
}

/// The conflict resolution algorithms of the inserts and updates of a type of records.
///
/// ```swift
/// struct Player: Codable, PersistableRecord {
///   var name: String
///
///   static let persistenceConflictPolicy = PersistenceConflictPolicy(
///     insert: .replace,
///     update: .replace)
/// }
///
/// // INSERT OR REPLACE INTO "player" …
/// try Player(name: "Alice").insert(db)
/// ```
///
/// See <https://www.sqlite.org/lang_conflict.html>.
public struct PersistenceConflictPolicy: Sendable {
  /// The conflict resolution of inserts.
  public let conflictResolutionForInsert: Database.ConflictResolution

  /// The conflict resolution of updates.
  public let conflictResolutionForUpdate: Database.ConflictResolution

  /// Creates a policy.
  public init(
    insert: Database.ConflictResolution = .abort, update: Database.ConflictResolution = .abort
  ) {
    conflictResolutionForInsert = insert
    conflictResolutionForUpdate = update
  }
}
