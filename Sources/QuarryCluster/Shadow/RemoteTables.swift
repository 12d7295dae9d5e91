import CSQLite
import Foundation
import Quarry

/// The virtual tables and the function by which the shadow executes statements at a node: the
/// callbacks of SQLite.
///
/// `quarry_rows(statement, arguments)` has the rows of a statement, an insertion into
/// `quarry_execution` executes one without rows. The function takes the arguments before: it
/// returns a number that stands for them.
///
/// See <https://www.sqlite.org/vtab.html>.
enum RemoteTables {
  static let rows = "quarry_rows"
  static let executions = "quarry_execution"
  static let function = "quarry_arguments"

  typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
  typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>
  typealias Context = UnsafeMutableRawPointer
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
  typealias Message = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  typealias Values = UnsafeMutablePointer<OpaquePointer?>

  static func add(to connection: SQLiteConnection, _ engine: ClusterEngine) throws {
    for (name, functions) in [(rows, rowFunctions), (executions, executionFunctions)] {
      // SQLite may live longer than the connection object.
      let context = unsafe Unmanaged.passRetained(engine).toOpaque()
      let code = unsafe sqlite3_create_module_v2(
        connection, name, functions.pointer, context, release)
      try check(code)
    }
    let context = unsafe Unmanaged.passRetained(engine).toOpaque()
    try check(
      unsafe sqlite3_create_function_v2(
        connection, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, context, takeArguments, nil, nil,
        release))
  }

  private static func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Compiles the statement that is stepped in the place of another one.
  static func prepare(
    _ remote: RemoteStatement, _ shape: StatementShape, on connection: SQLiteConnection
  ) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    let sql = try shape.replacement(remote.id)
    let code = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else {
      throw unsafe DatabaseError(
        resultCode: ResultCode(rawValue: code), message: DatabaseError.message(of: connection),
        sql: remote.sql)
    }
    return unsafe statement
  }

  /// The number of the remote statement that a statement executes.
  static func statementID(of statement: SQLiteStatement) -> Int? {
    guard let text = unsafe sqlite3_sql(statement).map({ unsafe String(cString: $0) }) else {
      return nil
    }
    for beginning in ["FROM \(rows)(", "INTO \(executions) (statement, arguments) VALUES ("] {
      guard let range = text.range(of: beginning, options: .backwards) else { continue }
      return Int(text[range.upperBound...].prefix { $0.isNumber })
    }
    return nil
  }

  /// Lets the shadow write, without any effect. Outside of transactions it commits, too.
  static func touch(_ connection: SQLiteConnection) throws {
    let sql = "INSERT INTO \(executions) (statement, arguments) VALUES (0, 0)"
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw ShadowFailure(code: code) }
  }

  private static let release: @convention(c) (Context?) -> Void = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<ClusterEngine>.fromOpaque(context).release()
  }
}

// The functions that SQLite calls.
extension RemoteTables {
  /// Functions that SQLite uses as long as connections are open. They never change.
  @safe struct Functions: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_module>

    init(_ module: sqlite3_module) {
      let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
      unsafe pointer.initialize(to: module)
      unsafe self.pointer = unsafe UnsafePointer(pointer)
    }
  }

  private static let rowFunctions = Functions(
    makeModule { unsafe $0.xConnect = unsafe connectRows })

  private static let executionFunctions = Functions(
    makeModule { module in
      unsafe module.xConnect = unsafe connectExecutions
      unsafe module.xUpdate = unsafe execute
    })

  private static func makeModule(_ complete: (inout sqlite3_module) -> Void) -> sqlite3_module {
    var module = sqlite3_module()
    unsafe module.xBestIndex = unsafe bestIndex
    unsafe module.xDisconnect = unsafe disconnect
    unsafe module.xOpen = unsafe open
    unsafe module.xClose = unsafe close
    unsafe module.xFilter = unsafe filter
    unsafe module.xNext = unsafe next
    unsafe module.xEof = unsafe isAtEnd
    unsafe module.xColumn = unsafe column
    unsafe module.xRowid = unsafe rowID
    complete(&module)
    return module
  }

  private typealias Connect =
    @convention(c) (
      OpaquePointer?, Context?, CInt, Texts?, UnsafeMutablePointer<TablePointer?>?, Message?
    ) -> CInt

  private static let connectRows: Connect = { connection, context, _, _, table, _ in
    let columns = (0..<StatementShape.largestColumnCount).map { "v\($0), " }.joined()
    return unsafe connect(
      connection, context, table, "CREATE TABLE x (\(columns)statement HIDDEN, arguments HIDDEN)")
  }

  private static let connectExecutions: Connect = { connection, context, _, _, table, _ in
    unsafe connect(connection, context, table, "CREATE TABLE x (statement, arguments)")
  }

  private static func connect(
    _ connection: OpaquePointer?, _ context: Context?,
    _ table: UnsafeMutablePointer<TablePointer?>?,
    _ declaration: String
  ) -> CInt {
    let code = unsafe sqlite3_declare_vtab(connection, declaration)
    guard code == SQLITE_OK else { return code }
    let cell = UnsafeMutablePointer<quarry_vtab>.allocate(capacity: 1)
    unsafe cell.initialize(to: quarry_vtab())
    // The module keeps the engine.
    unsafe cell.pointee.object = unsafe context
    unsafe table?.pointee = unsafe UnsafeMutableRawPointer(cell)
      .assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static let disconnect: @convention(c) (TablePointer?) -> CInt = { table in
    unsafe UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: quarry_vtab.self).deallocate()
    return SQLITE_OK
  }

  /// Runs code of the engine. Errors of SQL become those of the shadow, others are kept for the
  /// engine.
  private static func run(_ table: TablePointer?, _ body: (ClusterEngine) throws -> CInt) -> CInt {
    guard let table = unsafe table,
      let object = unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: quarry_vtab.self)
        .pointee.object
    else { return SQLITE_INTERNAL }
    let engine = unsafe Unmanaged<ClusterEngine>.fromOpaque(object).takeUnretainedValue()
    do {
      return try body(engine)
    } catch let failure as NodeFailure where failure.isOfSQLite {
      engine.failure = .sql(failure)
      unsafe sqlite3_free(table.pointee.zErrMsg)
      unsafe table.pointee.zErrMsg = unsafe sqliteText(failure.message)
      return CInt(truncatingIfNeeded: failure.code)
    } catch let failure as NodeFailure {
      engine.failure = .other(
        ClusterError(
          .refused, "the node refuses the statement: \(failure.message)", nodeCode: failure.code))
      return SQLITE_ERROR
    } catch is LeaderConnection.Interruption {
      return SQLITE_INTERRUPT
    } catch let failure as ShadowFailure {
      return failure.code
    } catch {
      engine.failure = .other(error)
      return SQLITE_ERROR
    }
  }

  /// The arguments of the table are the only conditions.
  private static let bestIndex:
    @convention(c) (TablePointer?, UnsafeMutablePointer<sqlite3_index_info>?) -> CInt = { _, info in
      guard let info = unsafe info else { return SQLITE_INTERNAL }
      for index in 0..<Int(unsafe info.pointee.nConstraint) {
        let constraint = unsafe info.pointee.aConstraint[index]
        let place = Int(constraint.iColumn) - StatementShape.largestColumnCount
        guard place >= 0, constraint.usable != 0 else { return SQLITE_CONSTRAINT }
        unsafe info.pointee.aConstraintUsage[index].argvIndex = CInt(place + 1)
        unsafe info.pointee.aConstraintUsage[index].omit = 1
      }
      return SQLITE_OK
    }

  /// An insertion executes a statement.
  private static let execute:
    @convention(c) (TablePointer?, CInt, Values?, UnsafeMutablePointer<sqlite3_int64>?) -> CInt = {
      table, count, values, rowID in
      unsafe run(table) { engine in
        guard count == 4, let values = unsafe values else { return SQLITE_MISUSE }
        let id = Int(unsafe sqlite3_value_int64(values[2]))
        if id != 0 {
          let hasArguments = unsafe sqlite3_value_int64(values[3]) != 0
          try engine.execute(id, engine.takeArguments(hasArguments))
        }
        unsafe rowID?.pointee = engine.lastInsertedRowID
        return SQLITE_OK
      }
    }

  private static let takeArguments: @convention(c) (OpaquePointer?, CInt, Values?) -> Void = {
    context, count, values in
    guard let values = unsafe values, let object = unsafe sqlite3_user_data(context) else { return }
    let engine = unsafe Unmanaged<ClusterEngine>.fromOpaque(object).takeUnretainedValue()
    // The calls of a statement may come in any order.
    let start = Int(unsafe sqlite3_value_int64(values[0]))
    let missing = start + Int(count) - 1 - engine.arguments.count
    if missing > 0 { engine.arguments += repeatElement(.null, count: missing) }
    for index in 1..<Int(count) {
      guard let value = unsafe DatabaseValue(argument: values[index]) else {
        return unsafe sqlite3_result_error(
          context,
          "argument \(start + index) has a NUL character: nodes would cut the text there. "
            + "Store it as a blob", -1)
      }
      engine.arguments[start + index - 1] = value
    }
    unsafe sqlite3_result_int(context, 1)
  }
}

// Cursors.
extension RemoteTables {
  private static let open:
    @convention(c) (TablePointer?, UnsafeMutablePointer<CursorPointer?>?) -> CInt = { _, cursor in
      let cell = UnsafeMutablePointer<quarry_vtab_cursor>.allocate(capacity: 1)
      unsafe cell.initialize(to: quarry_vtab_cursor())
      unsafe cell.pointee.object = unsafe Unmanaged.passRetained(RemoteRows()).toOpaque()
      unsafe cursor?.pointee = unsafe UnsafeMutableRawPointer(cell)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }

  private static func rows(of cursor: CursorPointer?) -> RemoteRows? {
    let cell = unsafe UnsafeMutableRawPointer(cursor)?
      .assumingMemoryBound(to: quarry_vtab_cursor.self)
    return unsafe cell.flatMap { unsafe $0.pointee.object }.map {
      unsafe Unmanaged<RemoteRows>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static let close: @convention(c) (CursorPointer?) -> CInt = { cursor in
    guard let cursor = unsafe cursor else { return SQLITE_OK }
    let cell = unsafe UnsafeMutableRawPointer(cursor)
      .assumingMemoryBound(to: quarry_vtab_cursor.self)
    if let object = unsafe cell.pointee.object {
      let rows = unsafe Unmanaged<RemoteRows>.fromOpaque(object).takeRetainedValue()
      rows.close()
    }
    unsafe cell.deallocate()
    return SQLITE_OK
  }

  private static func run(
    _ cursor: CursorPointer?, _ body: (RemoteRows, ClusterEngine) throws -> Void
  ) -> CInt {
    guard let cursor = unsafe cursor, let rows = unsafe rows(of: cursor) else {
      return SQLITE_INTERNAL
    }
    return unsafe run(cursor.pointee.pVtab) { engine in
      try body(rows, engine)
      return SQLITE_OK
    }
  }

  private static let filter:
    @convention(c) (CursorPointer?, CInt, UnsafePointer<CChar>?, CInt, Values?) -> CInt = {
      cursor, _, _, count, values in
      unsafe run(cursor) { rows, engine in
        guard count == 2, let values = unsafe values else { return }
        let id = Int(unsafe sqlite3_value_int64(values[0]))
        let hasArguments = unsafe sqlite3_value_int64(values[1]) != 0
        try rows.begin(engine.query(id, engine.takeArguments(hasArguments)), engine)
      }
    }

  private static let next: @convention(c) (CursorPointer?) -> CInt = { cursor in
    unsafe run(cursor) { rows, engine in try rows.move(engine) }
  }

  private static let isAtEnd: @convention(c) (CursorPointer?) -> CInt = { cursor in
    unsafe rows(of: cursor)?.isAtEnd == false ? 0 : 1
  }

  private static let column: @convention(c) (CursorPointer?, OpaquePointer?, CInt) -> CInt = {
    cursor, context, index in
    unsafe run(cursor) { rows, _ in try unsafe rows.show(Int(index), context) }
  }

  private static let rowID:
    @convention(c) (CursorPointer?, UnsafeMutablePointer<sqlite3_int64>?) -> CInt = {
      cursor, rowID in
      unsafe rowID?.pointee = unsafe rows(of: cursor)?.number ?? 0
      return SQLITE_OK
    }
}

extension ClusterEngine {
  fileprivate func takeArguments(_ hasArguments: Bool) -> [DatabaseValue] {
    defer { arguments = [] }
    return hasArguments ? arguments : []
  }
}

/// The shadow itself has failed, such as its commit: the reason is known elsewhere.
struct ShadowFailure: Error {
  let code: CInt
}

extension NodeFailure {
  /// Whether the code is one of SQLite's, and none of the node's own.
  fileprivate var isOfSQLite: Bool { (1...28).contains(code & 0xFF) && code >> 8 < 1000 }
}

extension DatabaseValue {
  /// The value of an argument. Nil for a text with a NUL.
  fileprivate init?(argument: OpaquePointer?) {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_INTEGER: self = unsafe sqlite3_value_int64(argument).databaseValue
    case SQLITE_FLOAT: self = unsafe sqlite3_value_double(argument).databaseValue
    case SQLITE_TEXT:
      let start = unsafe sqlite3_value_text(argument)
      let bytes = unsafe UnsafeBufferPointer(
        start: start, count: Int(sqlite3_value_bytes(argument)))
      if unsafe bytes.contains(0) { return nil }
      self = unsafe String(decoding: bytes, as: UTF8.self).databaseValue
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(argument)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_value_bytes(argument)))
      self = unsafe Data(bytes).databaseValue
    default: self = .null
    }
  }
}

/// A copy of a text, which SQLite frees.
private func sqliteText(_ text: String) -> UnsafeMutablePointer<CChar>? {
  let bytes = text.utf8CString
  guard let copy = unsafe sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
  unsafe bytes.withUnsafeBytes { source in
    unsafe UnsafeMutableRawBufferPointer(start: copy, count: source.count).copyMemory(from: source)
  }
  return unsafe copy.assumingMemoryBound(to: CChar.self)
}
