// How records are persisted.
//
// The public methods of both protocols are short forwarders to this one engine: a record that is
// not mutable is persisted through a copy, whose callbacks change nothing.
//
//     insert, update, upsert …   the sequence of callbacks, around one write
//     write                      encode, bind, run: PersistenceEngine+Writing.swift
//
// Callbacks that surround an action get a copy of the record: it may not be read while the action
// changes it.

/// Persists records, with their callbacks.
///
/// Insertions are inlinable: where the type of the record is known, callbacks that do nothing cost
/// nothing.
@usableFromInline
package enum PersistenceEngine<Record: MutablePersistableRecord> {
  @usableFromInline typealias Insertion = (Record) throws -> InsertionSuccess
  @usableFromInline typealias Update = (Record) throws -> PersistenceSuccess

  /// Inserts a record, with all callbacks.
  @inlinable
  static func insert(
    _ record: inout Record, _ db: Database, into table: String? = nil, _ write: Insertion
  ) throws {
    try record.willSave(db)
    let saved: PersistenceSuccess
    do {
      saved = try aroundSave(record, db) {
        try PersistenceSuccess(insertWithCallbacks(&record, db, write))
      }
    } catch {
      throw explained(error, record, db, in: table)
    }
    record.didSave(saved)
    db.recycle(consume saved)
  }

  /// Updates a record, with all callbacks.
  @inlinable
  static func update(
    _ record: Record, _ db: Database, in table: String? = nil, columns: Set<String>,
    _ write: Update
  ) throws {
    try record.willSave(db)
    let saved: PersistenceSuccess
    do {
      saved = try aroundSave(record, db) {
        try updateWithCallbacks(record, db, columns: columns, write)
      }
    } catch {
      throw explainedUpdate(error, record, db, in: table)
    }
    record.didSave(saved)
    db.recycle(consume saved)
  }

  /// Deletes a record, with all callbacks. Returns whether there was a row.
  package static func delete(
    _ record: Record, _ db: Database, from table: String? = nil, marksRow: Bool = true
  ) throws -> Bool {
    try record.willDelete(db)
    var result: Bool?
    try record.aroundDelete(db) {
      do {
        let deleted = try deleteRow(record, db, from: table, marksRow: marksRow)
        result = deleted
        return deleted
      } catch {
        throw explained(error, record, db, in: table)
      }
    }
    guard let deleted = result else { throw actionWasNotCalled("aroundDelete", record) }
    record.didDelete(deleted: deleted)
    return deleted
  }

  /// The columns of the table.
  @usableFromInline
  static func allColumns(
    _ record: Record, _ db: Database, in table: String? = nil
  ) throws -> Set<String> { try db.recordTypeCache(for: record, in: table).key(db).tableColumnSet }
}

extension PersistenceEngine {
  /// Inserts a record with the callbacks of insertions, within those of saves.
  @inlinable
  static func insertWithCallbacks(
    _ record: inout Record, _ db: Database, _ write: Insertion
  ) throws -> InsertionSuccess {
    try record.willInsert(db)
    var result: InsertionSuccess?
    try record.aroundInsert(db) { [record] in
      let success = try write(record)
      result = success
      return success
    }
    guard let success = result else { throw actionWasNotCalled("aroundInsert", record) }
    if success.hasRow { record.didInsert(success) }
    return success
  }

  /// Updates a record with the callbacks of updates, within those of saves.
  @inlinable
  static func updateWithCallbacks(
    _ record: Record, _ db: Database, columns: Set<String>, _ write: Update
  ) throws -> PersistenceSuccess {
    try record.willUpdate(db, columns: columns)
    var result: PersistenceSuccess?
    try record.aroundUpdate(db, columns: columns) {
      let success = try write(record)
      result = success
      return success
    }
    guard let success = result else { throw actionWasNotCalled("aroundUpdate", record) }
    record.didUpdate(success)
    return success
  }

  @inlinable
  static func aroundSave(
    _ record: Record, _ db: Database, _ save: () throws -> PersistenceSuccess
  ) throws -> PersistenceSuccess {
    var result: PersistenceSuccess?
    try record.aroundSave(db) {
      let success = try save()
      result = success
      return success
    }
    guard let success = result else { throw actionWasNotCalled("aroundSave", record) }
    return success
  }

  @usableFromInline
  static func actionWasNotCalled(_ callback: String, _ record: Record) -> DatabaseError {
    DatabaseError.misuse(
      """
      Incorrect implementation of the `\(type(of: record)).\(callback)` persistence callback: \
      the action function was not called, or its error was not rethrown.
      """)
  }
}
