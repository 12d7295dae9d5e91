import CSQLite
import Quarry

/// A module of a connection: what SQLite asks for tables.
///
/// The connection of SQLite keeps it, and may outlive the connection object.
final class RegisteredModule {
  let name: String
  let makeTable: (VirtualTableArguments) throws -> any VirtualTable
  let calls: VirtualTableCalls
  private weak var database: Database?

  init(
    name: String, database: Database,
    makeTable: @escaping (VirtualTableArguments) throws -> any VirtualTable
  ) {
    self.name = name
    calls = database.virtualTableCalls
    self.database = database
    self.makeTable = makeTable
  }

  func requireDatabase() throws -> Database {
    guard let database else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")
    }
    return database
  }

  /// Runs code of a table, which may execute statements that use virtual tables.
  func calling<T>(_ body: () throws -> T) throws -> T {
    guard ThreadStack.hasSpace else {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR, message: "virtual tables use each other without end")
    }
    return try calls.count(body)
  }
}

/// A table that a connection uses.
final class VirtualTableInstance {
  let module: RegisteredModule
  /// The schema of the table, for events.
  let schemaName: String
  /// The name of the table, for errors and events.
  let name: String
  let table: any VirtualTable
  let columns: [VirtualTableColumn]
  /// The table, if it can be written to.
  let writable: (any WritableVirtualTable)?
  let transactional: (any TransactionalVirtualTable)?
  /// How many calls of the table run, each inside of the one before.
  var callDepth = 0

  init(module: RegisteredModule, arguments: VirtualTableArguments, table: any VirtualTable) throws {
    self.module = module
    schemaName = arguments.schemaName
    name = arguments.tableName
    self.table = table
    columns = table.columns
    writable = table as? any WritableVirtualTable
    transactional = table as? any TransactionalVirtualTable
    try columns.check(isWritable: writable != nil)
  }

  var hasPrimaryKey: Bool { columns.contains(where: \.isPrimaryKey) }
}

/// A cursor of SQLite: it scans its table any number of times.
@safe final class VirtualTableCursorState {
  let instance: VirtualTableInstance
  private(set) var isAtEnd = true
  private var cursor: (any VirtualTableCursor)?
  /// The arguments of the parameters, the last columns.
  private var arguments: [DatabaseValue?] = []
  private let firstParameter: Int
  /// The plan of the last scan, with the address of its text: that stays where it is while a
  /// statement runs.
  private var plan: (address: UnsafePointer<CChar>, plan: ScanPlan)?

  init(instance: VirtualTableInstance) {
    self.instance = instance
    let columns = instance.columns
    firstParameter = columns.firstIndex(where: \.isParameter) ?? columns.count
  }

  /// Begins a scan.
  func filter(
    strategy: Int32, planText: UnsafePointer<CChar>?,
    values: UnsafeBufferPointer<OpaquePointer?>
  ) throws {
    cursor = nil
    isAtEnd = true
    let plan = try unsafe plan(planText)
    if let missing = plan.missingColumn {
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "missing argument: \(instance.columns[missing].name)")
    }
    guard plan.valueCount == values.count else { throw Self.corruption }
    let scan = try unsafe VirtualTableScan(
      plan: plan, strategy: strategy, values: Self.read(values, plan), columns: instance.columns)
    arguments = scan.arguments
    // Nothing is equal to NULL.
    if arguments.contains(where: { $0?.isNull == true }) { return }
    cursor = try instance.table.makeCursor(instance.module.requireDatabase(), for: scan)
    try next()
  }

  func next() throws {
    isAtEnd = true
    isAtEnd = try cursor?.next() != true
  }

  func value(at column: Int) throws -> DatabaseValue {
    if column >= firstParameter, let argument = arguments[column - firstParameter] {
      return argument
    }
    return try cursor?.value(at: column)?.databaseValue ?? .null
  }

  func rowID() throws -> Int64 { try cursor?.rowID ?? 0 }

  private func plan(_ text: UnsafePointer<CChar>?) throws -> ScanPlan {
    guard let text = unsafe text else { throw Self.corruption }
    if let plan = unsafe plan, unsafe plan.address == text { return unsafe plan.plan }
    guard let read = unsafe ScanPlan(text: String(cString: text)) else { throw Self.corruption }
    unsafe plan = unsafe (text, read)
    return read
  }

  private static let corruption = DatabaseError(
    resultCode: .SQLITE_INTERNAL, message: "the plan of the scan is not the one of the table")

  private static func read(
    _ values: UnsafeBufferPointer<OpaquePointer?>, _ plan: ScanPlan
  ) throws -> [[DatabaseValue]] {
    try values.indices.map { index in
      guard index < plan.uses.count, plan.uses[index].takesList else {
        return unsafe [DatabaseValue(sqliteValue: values[index])]
      }
      return try unsafe list(values[index])
    }
  }

  private static func list(_ list: OpaquePointer?) throws -> [DatabaseValue] {
    var values: [DatabaseValue] = []
    var value: OpaquePointer?
    var code = unsafe quarry_vtab_in_first(list, &value)
    while code == SQLITE_OK, unsafe value != nil {
      unsafe values.append(DatabaseValue(sqliteValue: value))
      code = unsafe quarry_vtab_in_next(list, &value)
    }
    guard code == SQLITE_OK || code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return values
  }
}

extension VirtualTableInstance {
  /// The message and the code of an error, for SQLite.
  static func failure(_ error: any Error, table name: String) -> (code: CInt, message: String) {
    if error is CancellationError { return (SQLITE_INTERRUPT, "\(name): \(error)") }
    let reason = (error as? DatabaseError).map { $0.message ?? "" } ?? "\(error)"
    return (ResultCode(thrown: error).rawValue, "\(name): \(reason)")
  }
}
