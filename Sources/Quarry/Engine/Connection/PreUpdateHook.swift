import CSQLite

/// Reports the rows that statements are about to change: those of tables `WITHOUT ROWID` and those
/// that `REPLACE` removes, too.
///
/// It is installed while somebody listens: SQLite compiles no truncation of a table meanwhile.
///
/// A connection has one hook, and SQLite hands out nothing that would bring back one that was
/// replaced. So nobody listens where the application has a hook, such as that of a session: see
/// ``Configuration/usesPreUpdateHook``.
///
/// See <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>.
final class PreUpdateHook {
  /// Whether SQLite is compiled with the hook.
  static let isAvailable = quarry_has_preupdate_hook() != 0

  private var listener: RowListener?
  private var fallback: RowListener?
  /// What the statement throws that has removed the hook of the application.
  private var conflict: String?

  /// Calls `listener` for the changes of `body`, in place of another listener. Nil where the
  /// application has a hook.
  func listen<T>(
    on connection: SQLiteConnection, during body: () -> T, _ listener: @escaping RowListener
  ) -> T? {
    let outer = self.listener
    if outer == nil, fallback == nil, unsafe !install(on: connection) { return nil }
    self.listener = listener
    defer {
      self.listener = outer
      if outer == nil, fallback == nil { unsafe remove(from: connection) }
    }
    return body()
  }

  /// Sets the listener to the changes that no other one listens to. Returns false where the
  /// application has a hook.
  func setFallback(_ listener: @escaping RowListener, on connection: SQLiteConnection) -> Bool {
    if self.listener == nil, unsafe !install(on: connection) { return false }
    fallback = listener
    return true
  }

  func removeFallback(from connection: SQLiteConnection) {
    guard fallback != nil else { return }
    fallback = nil
    if listener == nil { unsafe remove(from: connection) }
  }

  /// The message for a statement that did not run, since the application has a hook: once.
  func takeConflict() -> String? { conflict.take() }

  private func remove(from connection: SQLiteConnection) {
    _ = unsafe quarry_preupdate_hook(connection, nil, nil)
  }

  /// Returns false where the application has a hook, which is removed then.
  private func install(on connection: SQLiteConnection) -> Bool {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let other = unsafe quarry_preupdate_hook(
      connection,
      { context, connection, operation, schema, table, initialRowID, finalRowID in
        guard let hook = unsafe Unmanaged<PreUpdateHook>.context(context),
          let connection = unsafe connection, let schema = unsafe schema, let table = unsafe table
        else { return }
        let kind = DatabaseEvent.Kind(operation)
        let event = unsafe DatabaseEvent(
          kind: kind, databaseName: String(cString: schema), tableName: String(cString: table),
          rowID: kind == .delete ? initialRowID : finalRowID,
          initialRowID: kind == .insert ? nil : initialRowID)
        (hook.listener ?? hook.fallback)?(event) {
          unsafe DatabasePreUpdateEvent(event, connection)
        }
      }, unsafe context)
    guard unsafe other != nil else { return true }
    unsafe remove(from: connection)
    conflict = """
      the application has a preupdate hook on this connection, such as that of a session, which the observation of this statement has \
      removed. SQLite has one for each connection: set `configuration.usesPreUpdateHook = false`, and observations do without it
      """
    return false
  }
}

extension DatabasePreUpdateEvent {
  /// Reads the values of the row that SQLite is about to change.
  fileprivate init(_ event: DatabaseEvent, _ connection: SQLiteConnection) {
    let count = unsafe quarry_preupdate_count(connection)
    func values(
      _ read: (SQLiteConnection, CInt, UnsafeMutablePointer<OpaquePointer?>) -> CInt
    ) -> [DatabaseValue] {
      (0..<count).map { index in
        var value: OpaquePointer?
        let code = unsafe read(connection, index, &value)
        return unsafe code == SQLITE_OK ? DatabaseValue(sqliteValue: value) : .null
      }
    }
    let (isInsertion, isDeletion) = (event.kind == .insert, event.kind == .delete)
    unsafe self.init(
      kind: event.kind, databaseName: event.databaseName, tableName: event.tableName,
      count: Int(count), depth: Int(quarry_preupdate_depth(connection)),
      initialRowID: event.initialRowID, finalRowID: isDeletion ? nil : event.rowID,
      initialDatabaseValues: isInsertion ? nil : values { unsafe quarry_preupdate_old($0, $1, $2) },
      finalDatabaseValues: isDeletion ? nil : values { unsafe quarry_preupdate_new($0, $1, $2) })
  }
}
