package import CSQLite

// Modules of virtual tables, which the library QuarryTables writes. See
// <https://www.sqlite.org/vtab.html>.

extension Database {
  /// The names of the tables that are registered on the connection.
  package var moduleTables: [String] { registeredTables.values.map(\.name) }

  /// Adds a module, or removes the one with the name.
  ///
  /// - parameter module: Its functions, and the object that they get. The connection of SQLite
  ///   keeps the object, and may outlive the connection object. Nil for a removal.
  /// - parameter isTable: Whether there is a table with the name of the module, which stands in no
  ///   schema.
  /// - throws: A ``DatabaseError`` for an impossible name.
  package func setModule(
    _ name: String, _ module: (functions: UnsafePointer<sqlite3_module>, object: AnyObject)?,
    isTable: Bool = false
  ) throws {
    try checkModuleName(name)
    let registration = unsafe ModuleRegistration(name: name, module: module, database: self)
    registeredTables[name.identifierKey] = isTable ? registration : nil
    register(registration)
  }

  /// Registers the tables again: their modules forget the schemas that they were used in.
  package func registerModuleTables(in connection: SQLiteConnection) {
    for registration in registeredTables.values { _ = unsafe registration.apply(to: connection) }
  }

  /// Lets SQLite compile all statements again before their next execution, which it does not do by
  /// itself for another module or database, and forgets the columns of tables.
  package func expireStatements(of connection: SQLiteConnection) {
    schemaDidChange()
    // See <https://www.sqlite.org/c3ref/set_authorizer.html>.
    unsafe effectsRecorder.install(on: connection)
  }

  package func checkModuleName(_ name: String) throws {
    _ = try unsafe requireConnection()
    try checkAccess()
    try checkHasNoEngine("a virtual table in Swift")
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw DatabaseError.misuse("no name for a virtual table: \(name.debugDescription)")
    }
  }
}

/// Adds or removes a module.
@safe struct ModuleRegistration: Registration {
  let name: String
  /// Nil for a removal.
  let module: (functions: UnsafePointer<sqlite3_module>, object: AnyObject)?
  unowned let database: Database

  func apply(to connection: SQLiteConnection) -> CInt {
    // SQLite may be compiling a statement, with the table of the module.
    if database.virtualTableCalls.isRunning { return SQLITE_BUSY }
    defer { unsafe database.expireStatements(of: connection) }
    guard let module = unsafe module else {
      return unsafe sqlite3_create_module_v2(connection, name, nil, nil, nil)
    }
    let context = unsafe Unmanaged.passRetained(module.object).toOpaque()
    return unsafe sqlite3_create_module_v2(
      connection, name, module.functions, context, Unmanaged<AnyObject>.releaseContext)
  }
}
