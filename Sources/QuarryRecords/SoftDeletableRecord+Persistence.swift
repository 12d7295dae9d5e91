public import Quarry

extension SoftDeletableRecord where Self: MutablePersistableRecord {
  /// Marks the row of the record as deleted. Returns whether there was one without mark.
  ///
  /// ```swift
  /// // UPDATE "book" SET "deletedAt" = ? WHERE "id" = ? AND "deletedAt" IS NULL
  /// try book.delete(db)
  /// ```
  ///
  /// The callbacks of deletions are called.
  ///
  /// - Throws: `DatabaseError`, or the error of a callback; `StaleRecordError` for a record with a
  ///   version.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool { try mark(db) }

  /// Removes the row of the record, marked or not. Returns whether there was one.
  ///
  /// ```swift
  /// // DELETE FROM "book" WHERE "id"=?
  /// try book.forceDelete(db)
  /// ```
  ///
  /// See `delete(_:)`.
  @discardableResult
  public func forceDelete(_ db: Database) throws -> Bool {
    try PersistenceEngine.delete(self, db, marksRow: false)
  }

  /// Brings the deleted row of the record back. Returns whether there was one.
  ///
  /// ```swift
  /// // UPDATE "book" SET "deletedAt" = NULL WHERE "id" = ? AND "deletedAt" IS NOT NULL
  /// try book.restore(db)
  /// ```
  ///
  /// No callback is called. A version is raised, and not compared.
  ///
  /// - Throws: `DatabaseError`; `RecordError` for a record without key.
  @discardableResult
  public func restore(_ db: Database) throws -> Bool { try unmark(db) }

  func mark(_ db: Database, from table: String? = nil) throws -> Bool {
    try PersistenceEngine.delete(self, db, from: table)
  }

  func unmark(_ db: Database) throws -> Bool { try markedRow(db).restoreAll(db) > 0 }

  fileprivate func markedRow(_ db: Database) throws -> QueryInterfaceRequest<Self> {
    try Self._checkConformance()
    return try Self.all().filter(key: rowKey(db))
  }

  private func rowKey(_ db: Database) throws -> [String: (any DatabaseValueConvertible)?] {
    let values = try databaseDictionary
    let columns = try db.primaryKeyColumns(Self.databaseTableName)
    let key = columns.map { column in
      (column, values.first { $0.key.isSameIdentifier(as: column) }?.value ?? .null)
    }
    guard key.allSatisfy({ !$0.1.isNull }) else { throw recordNotFound(db) }
    return Dictionary(key.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
  }
}

extension VersionedRecord where Self: SoftDeletableRecord & AnyObject {
  /// Marks the row of the record as deleted, if both have the same version, which is raised.
  @discardableResult
  public func delete(_ db: Database) throws -> Bool { try deleteVersion(db) }

  /// Marks the row of a table that has the primary key of the record, if both have the same
  /// version, which is raised.
  @discardableResult
  public func delete(_ db: Database, from table: String) throws -> Bool {
    try deleteVersion(db, from: table)
  }

  private func deleteVersion(_ db: Database, from table: String? = nil) throws -> Bool {
    let isDeleted = try mark(db, from: table)
    if isDeleted { raiseVersion(db) }
    return isDeleted
  }

  /// Brings the deleted row of the record back, with the next version, which the record gets if
  /// both had the same one.
  ///
  /// The other columns stay as they are: a stale record stays stale, and its next update throws.
  @discardableResult
  public func restore(_ db: Database) throws -> Bool {
    guard try unmarkVersion(db) else { return try unmark(db) }
    raiseVersion(db)
    return true
  }
}

extension VersionedRecord where Self: SoftDeletableRecord {
  /// Marks the row of the record as deleted, if both have the same version, which is raised.
  ///
  /// See `delete(_:)`.
  @discardableResult
  public mutating func delete(_ db: Database) throws -> Bool { try deleteVersion(db) }

  /// Marks the row of a table that has the primary key of the record, if both have the same
  /// version, which is raised.
  ///
  /// See `delete(_:from:)`.
  @discardableResult
  public mutating func delete(_ db: Database, from table: String) throws -> Bool {
    try deleteVersion(db, from: table)
  }

  private mutating func deleteVersion(_ db: Database, from table: String? = nil) throws -> Bool {
    let isDeleted = try mark(db, from: table)
    if isDeleted { _didRaiseVersion(db) }
    return isDeleted
  }

  /// Brings the deleted row of the record back, with the next version, which the record gets if
  /// both had the same one.
  ///
  /// The other columns stay as they are: a stale record stays stale, and its next update throws.
  /// See `restore(_:)`.
  @discardableResult
  public mutating func restore(_ db: Database) throws -> Bool {
    guard try unmarkVersion(db) else { return try unmark(db) }
    _didRaiseVersion(db)
    return true
  }

  /// Brings the deleted row of the record back, if both have the same version.
  fileprivate func unmarkVersion(_ db: Database) throws -> Bool {
    let row = try markedRow(db).filter(Column(Self.versionColumn) == version)
    return try row.restoreAll(db) > 0
  }
}
