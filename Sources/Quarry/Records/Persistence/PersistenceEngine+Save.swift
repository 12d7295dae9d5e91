// A save is an update, and an insertion where there was no row to update.
//
// Both write the same columns, unless a callback between them has changed the record. So the record
// is encoded once, if its callbacks are known to be the default ones (`DefaultCallbacks`).

extension PersistenceEngine {
  /// The update of a save, which returns nil where there is no row.
  typealias SavingUpdate = (Record, RecordKey) throws -> PersistenceSuccess?

  /// The insertion of a save. The record may be encoded already.
  typealias SavingInsertion = (Record, consuming RecordKey?) throws -> InsertionSuccess

  /// Updates a record, or inserts it when it has no key, or when no row has its key.
  ///
  /// - parameter fetchLeft: Fetches from a row that an `UPDATE OR IGNORE` has left as it was.
  static func save(
    _ record: inout Record, _ db: Database, into table: String?,
    onConflict conflict: Database.ConflictResolution?, update: SavingUpdate,
    insert: SavingInsertion, fetchLeft: (RecordKey) throws -> Void = { _ in }
  ) throws {
    try record.willSave(db)
    let saved: PersistenceSuccess
    do {
      saved = try aroundSave(record, db) {
        var key: RecordKey? = try RecordKey(record, db, in: table)
        if let updated = try updateSaved(record, &key, db, table, update) {
          record._didRaiseVersion(db)
          return updated
        }
        if (conflict ?? updateConflict(record)) == .ignore {
          let left = try key ?? RecordKey(record, db, in: table)
          if try left.isStored(db) {
            try fetchLeft(left)
            return left.success(updating: [])
          }
        }
        return try insertSaved(&record, &key, db, table, insert)
      }
    } catch {
      throw explained(error, record, db, in: table)
    }
    record.didSave(saved)
    db.recycle(consume saved)
  }

  /// Updates the row of a record. Nil where there is none.
  ///
  /// - parameter key: the key of the record as it is now. Nil after callbacks that may have changed
  ///   the record.
  private static func updateSaved(
    _ record: Record, _ key: inout RecordKey?, _ db: Database, _ table: String?,
    _ update: SavingUpdate
  ) throws -> PersistenceSuccess? {
    guard let encoded = key, !encoded.isNull else { return nil }
    key = nil
    do {
      return try updateWithCallbacks(record, db, columns: encoded.tableKey.tableColumnSet) {
        record in
        guard db.defaultCallbacks.areOfUpdates(of: dynamicType(of: record)) else {
          let current = try RecordKey(record, db, in: table)
          guard let updated = try update(record, current) else { throw current.recordNotFound }
          return updated
        }
        key = encoded
        guard let updated = try update(record, encoded) else { throw NoRowToUpdate() }
        return updated
      }
    } catch is NoRowToUpdate {
      return nil
    } catch let error as RecordError where encoded.isMissing(error) {
      return nil
    }
  }

  /// Inserts a record. One that is ignored because of a conflict keeps its key.
  private static func insertSaved(
    _ record: inout Record, _ key: inout RecordKey?, _ db: Database, _ table: String?,
    _ insert: SavingInsertion
  ) throws -> PersistenceSuccess {
    try PersistenceSuccess(
      insertWithCallbacks(&record, db) { record in
        let isUnchanged = db.defaultCallbacks.areOfInsertions(of: dynamicType(of: record))
        let success = try insert(record, isUnchanged ? key.take() : nil)
        guard success.mayDiffer else { return success }
        return try InsertionSuccess(
          RecordKey(record, db, in: table).container, rowID: success.rowID, rowIDColumn: nil,
          isWritten: false)
      })
  }
}

/// Leaves the default callbacks around an update: no other sees it.
private struct NoRowToUpdate: Error {}
