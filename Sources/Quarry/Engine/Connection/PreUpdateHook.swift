import CSQLite

/// A row that SQLite is about to insert, update or delete, in any table: see ``PreUpdateHook``.
struct PreUpdateChange {
  let kind: RowChange.Kind
  let schema: String
  let table: String
  let initialRowID: Int64?
  let finalRowID: Int64?
  /// Reads the values, while the listener is called.
  let values: () -> PreUpdateValues
}

/// The values of a row before and after its change.
struct PreUpdateValues {
  let depth: Int
  let count: Int
  let initial: [DatabaseValue]?
  let final: [DatabaseValue]?
}

/// Reports the rows that statements are about to change: those of tables `WITHOUT ROWID` and those that `REPLACE` removes, too.
///
/// It is installed while somebody listens: SQLite compiles no truncation of a table meanwhile.
/// See <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>.
final class PreUpdateHook {
  typealias Listener = (PreUpdateChange) -> Void

  /// Whether SQLite is compiled with the hook.
  static let isAvailable = quarry_has_preupdate_hook() != 0

  private var listener: Listener?
  private var fallback: Listener?

  /// Calls `listener` for the changes of `body`, in place of another listener.
  func listen<T>(
    on connection: SQLiteConnection, _ listener: @escaping Listener, during body: () throws -> T
  ) rethrows -> T {
    let outer = self.listener
    self.listener = listener
    if outer == nil, fallback == nil { unsafe install(on: connection) }
    defer {
      self.listener = outer
      if outer == nil, fallback == nil { unsafe quarry_preupdate_hook(connection, nil, nil) }
    }
    return try body()
  }

  /// Sets the listener to the changes that no other one listens to, until it is nil again.
  func setFallback(_ listener: Listener?, on connection: SQLiteConnection) {
    fallback = listener
    guard self.listener == nil else { return }
    if listener == nil {
      unsafe quarry_preupdate_hook(connection, nil, nil)
    } else {
      unsafe install(on: connection)
    }
  }

  private func install(on connection: SQLiteConnection) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe quarry_preupdate_hook(
      connection,
      { context, connection, operation, schema, table, initialRowID, finalRowID in
        guard let context = unsafe context, let connection = unsafe connection,
          let schema = unsafe schema, let table = unsafe table
        else { return }
        let hook = unsafe Unmanaged<PreUpdateHook>.fromOpaque(context).takeUnretainedValue()
        let kind = RowChange.Kind(operation)
        let change = unsafe PreUpdateChange(
          kind: kind, schema: String(cString: schema), table: String(cString: table),
          initialRowID: kind == .insert ? nil : initialRowID,
          finalRowID: kind == .delete ? nil : finalRowID
        ) { unsafe PreUpdateValues(kind, connection) }
        (hook.listener ?? hook.fallback)?(change)
      }, unsafe context)
  }
}

extension PreUpdateValues {
  fileprivate init(_ kind: RowChange.Kind, _ connection: SQLiteConnection) {
    let count = unsafe quarry_preupdate_count(connection)
    depth = unsafe Int(quarry_preupdate_depth(connection))
    self.count = Int(count)
    initial =
      kind == .insert
      ? nil
      : (0..<count).map { index in
        var value: OpaquePointer?
        let code = unsafe quarry_preupdate_old(connection, index, &value)
        return unsafe code == SQLITE_OK ? DatabaseValue(sqliteValue: value) : .null
      }
    final =
      kind == .delete
      ? nil
      : (0..<count).map { index in
        var value: OpaquePointer?
        let code = unsafe quarry_preupdate_new(connection, index, &value)
        return unsafe code == SQLITE_OK ? DatabaseValue(sqliteValue: value) : .null
      }
  }
}
