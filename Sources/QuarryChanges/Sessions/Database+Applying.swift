import CSQLite
import Quarry

extension Database {
  /// Applies the bytes of a changeset in a savepoint that is open.
  func apply(
    _ input: ChangesetInput,
    _ onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution,
    announcedBy announcements: () throws -> [Statement]
  ) throws -> ChangesetRebase {
    // SQLite turns it off.
    let defersForeignKeys = try Bool.fetchOne(self, sql: "PRAGMA defer_foreign_keys") ?? false
    defer { if defersForeignKeys { try? execute(sql: "PRAGMA defer_foreign_keys = ON") } }
    return try withoutActuallyEscaping(onConflict) { onConflict in
      let handler = ConflictHandler(self, onConflict)
      defer { handler.end() }
      let context = unsafe Unmanaged.passUnretained(handler).toOpaque()
      var rebase: UnsafeMutableRawPointer?
      var rebaseCount: CInt = 0
      defer { unsafe sqlite3_free(rebase) }
      let code = try unsafe applyingChanges(announcedBy: announcements) { connection in
        unsafe quarry_changeset_apply(
          connection,
          { context, bytes, count in
            guard let context = unsafe context, let size = unsafe count?.pointee else {
              return SQLITE_MISUSE
            }
            let input = unsafe Unmanaged<ChangesetInput>.fromOpaque(context).takeUnretainedValue()
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(size))
            guard let filled = unsafe input.fill(buffer) else { return SQLITE_IOERR }
            unsafe count?.pointee = CInt(filled)
            return SQLITE_OK
          }, unsafe Unmanaged.passUnretained(input).toOpaque(),
          { context, kind, change in
            guard let context = unsafe context else { return abort }
            let handler = unsafe Unmanaged<ConflictHandler>.fromOpaque(context)
              .takeUnretainedValue()
            return handler.resolve(unsafe ChangesetConflict(kind, change))
          }, context, &rebase, &rebaseCount, withoutSavepoint)
      }
      if let error = handler.error ?? input.error { throw error }
      guard code == SQLITE_OK else { throw error(code: code) }
      return unsafe ChangesetRebase(
        bytes: Array(
          UnsafeRawBufferPointer(start: rebase, count: rebase == nil ? 0 : Int(rebaseCount))))
    }
  }

  /// Calls `body` while triggers or foreign keys don't run.
  ///
  /// SQLite compiles the statements of the connection again when that changes.
  func without<T>(triggers: Bool, foreignKeys: Bool, _ body: () throws -> T) throws -> T {
    let connection = try unsafe requireConnection()
    let options = [
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, triggers), (SQLITE_DBCONFIG_ENABLE_FKEY, foreignKeys),
    ].filter(\.1).map(\.0).filter { unsafe Self.isOn($0, connection) }
    for option in options { _ = unsafe quarry_db_config_int(connection, option, 0) }
    defer { for option in options { _ = unsafe quarry_db_config_int(connection, option, 1) } }
    return try body()
  }

  private static func isOn(_ option: CInt, _ connection: OpaquePointer) -> Bool {
    unsafe quarry_db_config_get(connection, option) == 1
  }

  /// Throws where a transaction owes foreign keys: SQLite defers them for the changes, and resets
  /// the count of violations afterwards. Before SQLite 3.53 it may have one count for `INITIALLY
  /// DEFERRED` and one for `PRAGMA defer_foreign_keys`, whose sum is 0.
  func checkDeferredForeignKeys() throws {
    var count: CInt = 0
    var highest: CInt = 0
    _ = try unsafe sqlite3_db_status(
      requireConnection(), SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    guard count > 0 else { return }
    throw ChangesetError(
      .conflict,
      "changes can't be applied while the transaction violates deferred foreign keys, as SQLite "
        + "counts them: repair them, or commit, before. Where `PRAGMA foreign_key_check` finds none, "
        + "only the commit resets the count")
  }
}

/// `SQLITE_CHANGESETAPPLY_NOSAVEPOINT`
private let withoutSavepoint: CInt = 1
private let abort = ChangesetConflict.Resolution.abort.rawValue

extension ChangesetConflict {
  /// Reads a conflict, while its handler is called.
  fileprivate init?(_ kind: CInt, _ change: OpaquePointer?) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    guard kind != .foreignKey else {
      var count: CInt = 0
      guard unsafe quarry_changeset_fk_conflicts(change, &count) == SQLITE_OK else { return nil }
      self.init(kind: kind, change: nil, currentValues: nil, violationCount: Int(count))
      return
    }
    guard let made = unsafe Change(iterator: change) else { return nil }
    let hasRow = kind == .data || kind == .conflict
    self.init(
      kind: kind, change: made,
      currentValues: hasRow
        ? (0..<CInt(made.columnCount)).map { column in
          unsafe Self.value { unsafe quarry_changeset_conflict(change, column, &$0) } ?? .null
        } : nil,
      violationCount: 0)
  }

  /// A value that SQLite returns, nil if it is not defined.
  fileprivate static func value(_ read: (inout OpaquePointer?) -> CInt) -> DatabaseValue? {
    var value: OpaquePointer?
    guard unsafe read(&value) == SQLITE_OK, let value = unsafe value else { return nil }
    return unsafe DatabaseValue(sqliteValue: value)
  }
}

extension Change {
  /// Reads the change of a conflict.
  fileprivate init?(iterator: OpaquePointer?) {
    var table: UnsafePointer<CChar>?
    var count: CInt = 0
    var operation: CInt = 0
    var indirect: CInt = 0
    var key: UnsafeMutablePointer<UInt8>?
    guard unsafe quarry_changeset_op(iterator, &table, &count, &operation, &indirect) == SQLITE_OK,
      unsafe quarry_changeset_pk(iterator, &key, nil) == SQLITE_OK,
      let kind = Kind(rawValue: operation), let table = unsafe table, let key = unsafe key
    else { return nil }
    unsafe self.init(
      table: String(cString: table), kind: kind, isIndirect: indirect != 0,
      keyColumns: (0..<Int(count)).filter { unsafe key[$0] != 0 },
      oldValues: kind == .insert
        ? nil
        : (0..<count).map { column in
          unsafe ChangesetConflict.value { unsafe quarry_changeset_old(iterator, column, &$0) }
        },
      newValues: kind == .delete
        ? nil
        : (0..<count).map { column in
          unsafe ChangesetConflict.value { unsafe quarry_changeset_new(iterator, column, &$0) }
        })
  }
}
