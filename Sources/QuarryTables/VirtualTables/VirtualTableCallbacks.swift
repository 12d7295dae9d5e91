import CSQLite
import Quarry

/// The functions that SQLite calls for the virtual tables of all connections.
///
/// None of them lets an error through: it becomes a result code, with a message.
///
/// See <https://www.sqlite.org/vtab.html#virtual_table_methods>.
enum VirtualTableCallbacks {
  typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
  typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>
  typealias Context = UnsafeMutableRawPointer
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
  typealias Message = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  typealias Values = UnsafeMutablePointer<OpaquePointer?>
  typealias Connect =
    @convention(c) (
      OpaquePointer?, Context?, CInt, Texts?, UnsafeMutablePointer<TablePointer?>?, Message?
    ) -> CInt
}

// Tables.
extension VirtualTableCallbacks {
  static let create: Connect = { connection, context, count, texts, table, message in
    unsafe connect(connection, context, count, texts, table, message, isCreation: true)
  }

  static let connect: Connect = { connection, context, count, texts, table, message in
    unsafe connect(connection, context, count, texts, table, message, isCreation: false)
  }

  private static func connect(
    _ connection: OpaquePointer?, _ context: Context?, _ count: CInt, _ texts: Texts?,
    _ table: UnsafeMutablePointer<TablePointer?>?, _ message: Message?, isCreation: Bool
  ) -> CInt {
    guard let context = unsafe context, let connection = unsafe connection,
      let table = unsafe table, let message = unsafe message
    else { return SQLITE_INTERNAL }
    let module = unsafe Unmanaged<RegisteredModule>.fromOpaque(context).takeUnretainedValue()
    let words = unsafe UnsafeBufferPointer(start: texts, count: Int(count)).map { text in
      unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
    let arguments = VirtualTableArguments(words, isCreation: isCreation)
    do {
      let instance = try module.calling {
        try VirtualTableInstance(
          module: module, arguments: arguments, table: module.makeTable(arguments))
      }
      try unsafe declare(instance, on: connection)
      unsafe table.pointee = unsafe allocate(instance)
      return SQLITE_OK
    } catch {
      let failure = VirtualTableInstance.failure(error, table: arguments.tableName)
      unsafe message.pointee = unsafe SQLiteText.copy(failure.message)
      return failure.code
    }
  }

  private static func declare(
    _ instance: VirtualTableInstance, on connection: SQLiteConnection
  ) throws {
    let code = unsafe sqlite3_declare_vtab(connection, instance.columns.declaration)
    guard code == SQLITE_OK else {
      throw unsafe DatabaseError(
        resultCode: ResultCode(rawValue: code), message: DatabaseError.message(of: connection))
    }
    _ = unsafe quarry_vtab_config(connection, SQLITE_VTAB_CONSTRAINT_SUPPORT)
    switch instance.table.trust {
    case .innocuous: _ = unsafe quarry_vtab_config(connection, SQLITE_VTAB_INNOCUOUS)
    case .directOnly: _ = unsafe quarry_vtab_config(connection, SQLITE_VTAB_DIRECTONLY)
    case .normal: break
    }
  }

  private static func allocate(_ instance: VirtualTableInstance) -> TablePointer {
    let cell = UnsafeMutablePointer<quarry_vtab>.allocate(capacity: 1)
    unsafe cell.initialize(to: quarry_vtab())
    unsafe cell.pointee.object = unsafe Unmanaged.passRetained(instance).toOpaque()
    return unsafe UnsafeMutableRawPointer(cell).assumingMemoryBound(to: sqlite3_vtab.self)
  }

  private static func cell(_ table: TablePointer) -> UnsafeMutablePointer<quarry_vtab> {
    unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: quarry_vtab.self)
  }

  /// Runs code of a table.
  private static func run(
    _ table: TablePointer?, _ body: (VirtualTableInstance) throws -> CInt
  ) -> CInt {
    guard let table = unsafe table, let object = unsafe cell(table).pointee.object else {
      return SQLITE_INTERNAL
    }
    let instance = unsafe Unmanaged<VirtualTableInstance>.fromOpaque(object).takeUnretainedValue()
    instance.callDepth += 1
    defer { instance.callDepth -= 1 }
    do {
      return try instance.module.calls.count { try body(instance) }
    } catch is VirtualTableInstance.NoSolution {
      return SQLITE_CONSTRAINT
    } catch {
      let failure = VirtualTableInstance.failure(error, table: instance.name)
      unsafe sqlite3_free(table.pointee.zErrMsg)
      unsafe table.pointee.zErrMsg = unsafe SQLiteText.copy(failure.message)
      return failure.code
    }
  }

  static let bestIndex:
    @convention(c) (TablePointer?, UnsafeMutablePointer<sqlite3_index_info>?) -> CInt =
      { table, info in
        unsafe run(table) { instance in
          guard let info = unsafe info else { return SQLITE_INTERNAL }
          try instance.module.calling { try unsafe instance.plan(info) }
          return SQLITE_OK
        }
      }

  static let disconnect: @convention(c) (TablePointer?) -> CInt = { table in
    guard let table = unsafe table else { return SQLITE_OK }
    let cell = unsafe cell(table)
    if let object = unsafe cell.pointee.object {
      unsafe Unmanaged<VirtualTableInstance>.fromOpaque(object).release()
    }
    unsafe cell.deallocate()
    return SQLITE_OK
  }

  static let destroy: @convention(c) (TablePointer?) -> CInt = { table in
    let code = unsafe run(table) { instance in
      // SQLite itself only looks for cursors.
      guard instance.callDepth == 1 else { return SQLITE_LOCKED }
      try instance.table.destroy()
      return SQLITE_OK
    }
    return unsafe code == SQLITE_OK ? disconnect(table) : code
  }

  static let rename: @convention(c) (TablePointer?, UnsafePointer<CChar>?) -> CInt = {
    table, name in
    unsafe run(table) { instance in
      try unsafe instance.table.rename(to: name.map { unsafe String(cString: $0) } ?? "")
      return SQLITE_OK
    }
  }
}

// Cursors.
extension VirtualTableCallbacks {
  static let open: @convention(c) (TablePointer?, UnsafeMutablePointer<CursorPointer?>?) -> CInt = {
    table, cursor in
    unsafe run(table) { instance in
      let cell = UnsafeMutablePointer<quarry_vtab_cursor>.allocate(capacity: 1)
      unsafe cell.initialize(to: quarry_vtab_cursor())
      let state = VirtualTableCursorState(instance: instance)
      unsafe cell.pointee.object = unsafe Unmanaged.passRetained(state).toOpaque()
      unsafe cursor?.pointee = unsafe UnsafeMutableRawPointer(cell)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
  }

  private static func cell(_ cursor: CursorPointer) -> UnsafeMutablePointer<quarry_vtab_cursor> {
    unsafe UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: quarry_vtab_cursor.self)
  }

  private static func state(_ cursor: CursorPointer?) -> VirtualTableCursorState? {
    unsafe cursor.flatMap { unsafe cell($0).pointee.object }.map {
      unsafe Unmanaged<VirtualTableCursorState>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Runs code of a cursor.
  private static func run(
    _ cursor: CursorPointer?, _ body: (VirtualTableCursorState) throws -> Void
  ) -> CInt {
    guard let cursor = unsafe cursor, let state = unsafe state(cursor) else {
      return SQLITE_INTERNAL
    }
    return unsafe run(cursor.pointee.pVtab) { _ in
      try body(state)
      return SQLITE_OK
    }
  }

  static let close: @convention(c) (CursorPointer?) -> CInt = { cursor in
    guard let cursor = unsafe cursor else { return SQLITE_OK }
    let cell = unsafe cell(cursor)
    if let object = unsafe cell.pointee.object {
      unsafe Unmanaged<VirtualTableCursorState>.fromOpaque(object).release()
    }
    unsafe cell.deallocate()
    return SQLITE_OK
  }

  static let filter:
    @convention(c) (CursorPointer?, CInt, UnsafePointer<CChar>?, CInt, Values?) -> CInt =
      {
        cursor, strategy, plan, count, values in
        unsafe run(cursor) { state in
          try state.instance.module.calling {
            try unsafe state.filter(
              strategy: strategy, planText: plan,
              values: UnsafeBufferPointer(start: values, count: Int(count)))
          }
        }
      }

  static let next: @convention(c) (CursorPointer?) -> CInt = { cursor in
    unsafe run(cursor) { try $0.next() }
  }

  static let isAtEnd: @convention(c) (CursorPointer?) -> CInt = { cursor in
    unsafe state(cursor)?.isAtEnd == false ? 0 : 1
  }

  static let column: @convention(c) (CursorPointer?, OpaquePointer?, CInt) -> CInt = {
    cursor, context, index in
    guard let context = unsafe FunctionContext(context), let state = unsafe state(cursor) else {
      return SQLITE_INTERNAL
    }
    // The error of a column is that of its value.
    context.setResult {
      do {
        return try state.instance.module.calls.count { try state.value(at: Int(index)) }
      } catch {
        let failure = VirtualTableInstance.failure(error, table: state.instance.name)
        throw DatabaseError(
          resultCode: ResultCode(rawValue: failure.code), message: failure.message)
      }
    }
    return SQLITE_OK
  }

  static let rowID: @convention(c) (CursorPointer?, UnsafeMutablePointer<sqlite3_int64>?) -> CInt =
    {
      cursor, rowID in
      unsafe run(cursor) { state in unsafe rowID?.pointee = try state.rowID() }
    }
}

// Writing.
extension VirtualTableCallbacks {
  static let update:
    @convention(c) (TablePointer?, CInt, Values?, UnsafeMutablePointer<sqlite3_int64>?) -> CInt = {
      table, count, values, rowID in
      var connection: OpaquePointer?
      let code = unsafe run(table) { instance in
        unsafe connection = try unsafe instance.module.requireDatabase().requireConnection()
        let values = unsafe UnsafeBufferPointer(start: values, count: Int(count))
        if let inserted = try unsafe instance.update(values, connection: connection) {
          unsafe rowID?.pointee = inserted
        }
        return SQLITE_OK
      }
      return unsafe VirtualTableInstance.conflictCode(code, connection: connection)
    }

  typealias OfTable = @convention(c) (TablePointer?) -> CInt
  typealias OfSavepoint = @convention(c) (TablePointer?, CInt) -> CInt

  private static func run(
    _ table: TablePointer?, transaction body: (any TransactionalVirtualTable) throws -> Void
  ) -> CInt {
    unsafe run(table) { instance in
      if let transactional = instance.transactional { try body(transactional) }
      return SQLITE_OK
    }
  }

  static let begin: OfTable = { unsafe run($0, transaction: { try $0.begin() }) }
  static let sync: OfTable = { unsafe run($0, transaction: { try $0.prepareToCommit() }) }
  static let commit: OfTable = { unsafe run($0, transaction: { $0.commit() }) }
  static let rollback: OfTable = { unsafe run($0, transaction: { $0.rollback() }) }
  static let savepoint: OfSavepoint = { table, level in
    unsafe run(table, transaction: { try $0.savepoint(Int(level)) })
  }
  static let release: OfSavepoint = { table, level in
    unsafe run(table, transaction: { try $0.release(Int(level)) })
  }
  static let rollbackTo: OfSavepoint = { table, level in
    unsafe run(table, transaction: { try $0.rollback(to: Int(level)) })
  }
}
