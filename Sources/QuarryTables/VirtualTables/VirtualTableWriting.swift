import CSQLite
import Quarry

// See <https://www.sqlite.org/vtab.html#the_xupdate_method>.

extension VirtualTableInstance {
  /// Deletes, inserts or updates a row. Returns the rowid of an inserted row.
  func update(
    _ values: UnsafeBufferPointer<OpaquePointer?>, connection: OpaquePointer?
  ) throws -> Int64? {
    guard let writable, let first = unsafe values.first else { return nil }
    let key = unsafe DatabaseValue(sqliteValue: first)
    guard values.count > 2 else {
      try writable.delete(key)
      try notify(.delete, rowID: hasPrimaryKey ? nil : Int64.fromDatabaseValue(key))
      return nil
    }
    let isInsertion = key.isNull
    let columnValues = unsafe values.dropFirst(2).map(DatabaseValue.init(sqliteValue:))
    if !isInsertion { try checkPrimaryKey(columnValues) }
    let row = try unsafe VirtualTableRow(
      values: columnValues,
      rowID: rowID(DatabaseValue(sqliteValue: values[1]), isInsertion: isInsertion),
      conflictResolution: Self.conflictResolution(connection))
    if isInsertion {
      let rowID = try writable.insert(row)
      try notify(
        .insert, rowID: hasPrimaryKey ? nil : rowID, replaces: row.conflictResolution == .replace)
      return rowID
    }
    try writable.update(key, to: row)
    try notify(
      .update, rowID: row.rowID, from: Int64.fromDatabaseValue(key),
      replaces: row.conflictResolution == .replace)
    return nil
  }

  /// Notifies those who observe the table: SQLite does not report what virtual tables do.
  private func notify(
    _ kind: DatabaseEvent.Kind, rowID: Int64?, from initialRowID: Int64? = nil,
    replaces: Bool = false
  ) throws {
    let event = DatabaseEvent(
      kind: kind, databaseName: schemaName, tableName: name, rowID: rowID ?? 0,
      initialRowID: hasPrimaryKey ? nil : initialRowID)
    try module.requireDatabase()
      .virtualTableDidChange(event, hasRowID: !hasPrimaryKey, replacesRows: replaces)
  }

  /// NULL stands for no row where SQLite asks for changes. An inserted row may get its key from the
  /// table.
  private func checkPrimaryKey(_ values: [DatabaseValue]) throws {
    guard let key = columns.firstIndex(where: \.isPrimaryKey), values[key].isNull else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_NOTNULL,
      message: "NOT NULL constraint failed: \(name).\(columns[key].name)")
  }

  private func rowID(_ value: DatabaseValue, isInsertion: Bool) throws -> Int64? {
    if hasPrimaryKey { return nil }
    switch value.storage {
    case .int64(let rowID): return rowID
    case .null where isInsertion: return nil
    default:
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH, message: "a rowid must be an integer: \(value)")
    }
  }

  private static func conflictResolution(
    _ connection: OpaquePointer?
  ) -> Database.ConflictResolution {
    switch unsafe sqlite3_vtab_on_conflict(connection) {
    case SQLITE_ROLLBACK: .rollback
    case SQLITE_IGNORE: .ignore
    case SQLITE_FAIL: .fail
    case SQLITE_REPLACE: .replace
    default: .abort
    }
  }

  /// The code of an error of ``update(_:connection:)``. SQLite only recognizes the primary code of
  /// conflicts.
  static func conflictCode(_ code: CInt, connection: OpaquePointer?) -> CInt {
    guard code & 0xFF == SQLITE_CONSTRAINT, unsafe conflictResolution(connection) != .abort else {
      return code
    }
    return SQLITE_CONSTRAINT
  }
}
