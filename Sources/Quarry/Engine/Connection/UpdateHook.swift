import CSQLite

/// Gets a change of a row. The preupdate hook reads its values, while the listener is called.
typealias RowListener = (DatabaseEvent, _ values: (() -> DatabasePreUpdateEvent)?) -> Void

/// Reports the rows that statements change, those that triggers change included.
///
/// A connection has one hook: it is installed while somebody listens, so that it costs nothing
/// otherwise. See <https://www.sqlite.org/c3ref/update_hook.html>.
final class UpdateHook {
  private var listeners: [RowListener] = []
  private var fallback: RowListener?

  /// Calls `listener` for the changes of `body`.
  func listen<T>(
    on connection: SQLiteConnection, during body: () throws -> T, _ listener: @escaping RowListener
  ) rethrows -> T {
    listeners.append(listener)
    if listeners.count == 1, fallback == nil { unsafe install(on: connection) }
    defer {
      listeners.removeLast()
      if listeners.isEmpty, fallback == nil { unsafe sqlite3_update_hook(connection, nil, nil) }
    }
    return try body()
  }

  /// Sets the listener to the changes that no other one listens to, until it is nil again.
  func setFallback(_ listener: RowListener?, on connection: SQLiteConnection) {
    fallback = listener
    guard listeners.isEmpty else { return }
    if listener == nil {
      unsafe sqlite3_update_hook(connection, nil, nil)
    } else {
      unsafe install(on: connection)
    }
  }

  private func install(on connection: SQLiteConnection) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_update_hook(
      connection,
      { context, operation, schema, table, rowID in
        guard let hook = unsafe Unmanaged<UpdateHook>.context(context),
          let schema = unsafe schema, let table = unsafe table
        else { return }
        let change = unsafe DatabaseEvent(
          kind: DatabaseEvent.Kind(operation), databaseName: String(cString: schema),
          tableName: String(cString: table), rowID: rowID)
        if hook.listeners.isEmpty { hook.fallback?(change, nil) }
        for listener in hook.listeners { listener(change, nil) }
      }, unsafe context)
  }
}

extension DatabaseEvent.Kind {
  init(_ operation: CInt) { self = Self(rawValue: operation) ?? .update }
}

extension Database {
  /// The rows that `body` inserts, those of triggers included, in tables that have rowids.
  func insertedRows(during body: () throws -> Void) throws -> [DatabaseEvent] {
    var rows: [DatabaseEvent] = []
    try unsafe updateHook.listen(on: requireConnection(), during: body) { change, _ in
      if case .insert = change.kind { rows.append(change) }
    }
    return rows
  }
}
