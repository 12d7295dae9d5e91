public import Quarry

extension Database {
  /// Registers a table of this connection: it stands in no schema, and needs no `CREATE VIRTUAL
  /// TABLE`.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepareDatabase { db in
  ///   try db.register(table: "squares", Squares())
  /// }
  ///
  /// // SELECT * FROM "squares" WHERE "root" < 10
  /// let rows = try Table("squares").filter(Column("root") < 10).fetchAll(db)
  /// ```
  ///
  /// A table or module with the same name is replaced: statements that are running end with the
  /// former one. A table of the database file with the same name hides it.
  ///
  /// The connection uses the table as long as it is open. One table may be registered on several
  /// connections.
  ///
  /// See <https://www.sqlite.org/vtab.html#eponymous_only_virtual_tables>.
  ///
  /// - throws: A ``/Quarry/DatabaseError`` for columns that SQLite can't have, and an impossible
  ///   name.
  public func register<T: VirtualTable>(table name: String, _ table: T) throws {
    try checkModuleName(name)
    do {
      try table.columns.check(isWritable: table is any WritableVirtualTable)
    } catch {
      throw DatabaseError(message: VirtualTableInstance.failure(error, table: name).message)
    }
    try register(T.self, name: name, isCreatable: false) { _ in table }
  }

  /// Registers a module: `CREATE VIRTUAL TABLE` creates its tables, which stay in the database
  /// file.
  ///
  /// ```swift
  /// try db.register(module: "log") { arguments in
  ///   try LogTable(path: arguments.texts.first ?? "")
  /// }
  /// try db.create(virtualTable: "access", using: "log(/var/log/access.log)")
  /// ```
  ///
  /// All connections that use such a table have to register the module.
  ///
  /// See <https://www.sqlite.org/vtab.html>.
  ///
  /// - parameter name: The name of the module.
  /// - parameter connect: Returns a table, when it is created, and when a connection first uses it.
  /// - throws: A ``/Quarry/DatabaseError`` for an impossible name.
  public func register<T: VirtualTable>(
    module name: String, connect: @escaping @Sendable (VirtualTableArguments) throws -> T
  ) throws { try register(T.self, name: name, isCreatable: true, makeTable: connect) }

  /// Removes a table or a module that was registered under a name.
  ///
  /// Statements that are running end with it.
  public func unregister(module name: String) throws { try unsafe setModule(name, nil) }

  private func register<T: VirtualTable>(
    _ type: T.Type, name: String, isCreatable: Bool,
    makeTable: @escaping (VirtualTableArguments) throws -> T
  ) throws {
    let functions = unsafe ModuleShape(type, isCreatable: isCreatable).functions
    let module = RegisteredModule(name: name, database: self, makeTable: makeTable)
    try unsafe setModule(name, (functions, module), isTable: !isCreatable)
  }
}
