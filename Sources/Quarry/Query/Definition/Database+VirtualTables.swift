extension Database {
  /// Creates a virtual table.
  ///
  /// ```swift
  /// // CREATE VIRTUAL TABLE "place" USING rtree(id, minX, maxX)
  /// try db.create(virtualTable: "place", using: "rtree(id, minX, maxX)")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_createvtab.html>.
  ///
  /// - parameter name: The name of the table.
  /// - parameter options: The options of the table.
  /// - parameter module: The SQL of the module and its arguments.
  /// - throws: A ``DatabaseError``.
  public func create(
    virtualTable name: String, options: VirtualTableOptions = [], using module: String
  ) throws {
    let table = try DefinitionName(name, schema)
    if options.contains(.temporary), table.schema != nil, table.schema != .temp {
      throw InvalidRequest("a temporary table can't be in another schema: \(table.sql)")
    }
    let condition = options.contains(.ifNotExists) ? " IF NOT EXISTS" : ""
    // There is no TEMPORARY keyword for virtual tables.
    let name = options.contains(.temporary) ? "temp.\(table.withoutSchema.sql)" : table.sql
    try execute(sql: "CREATE VIRTUAL TABLE\(condition) \(name) USING \(module)")
  }

  /// Creates a virtual table.
  ///
  /// See <https://www.sqlite.org/lang_createvtab.html>.
  ///
  /// - parameter name: The name of the table.
  /// - parameter options: The options of the table.
  /// - parameter module: The module of the table.
  /// - parameter body: Defines the table.
  /// - throws: A ``DatabaseError``, the errors of the module, and the error of `body`.
  public func create<Module: VirtualTableModule>(
    virtualTable name: String, options: VirtualTableOptions = [], using module: Module,
    _ body: ((Module.TableDefinition) throws -> Void)? = nil
  ) throws {
    let configuration = try VirtualTableConfiguration(
      isTemporary: options.contains(.temporary), ifNotExists: options.contains(.ifNotExists),
      tableExists: options.contains(.ifNotExists) && virtualTableExists(name, options: options))
    let definition = module.makeTableDefinition(configuration: configuration)
    try body?(definition)
    let arguments = try module.moduleArguments(for: definition, in: self)
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    try inSavepoint {
      try create(virtualTable: name, options: options, using: module.moduleName + list)
      try module.database(self, didCreate: name, using: definition)
      return .commit
    }
  }

  private func virtualTableExists(_ name: String, options: VirtualTableOptions) throws -> Bool {
    let table = try DefinitionName(name, schema)
    let id = options.contains(.temporary) ? .temp : table.schema ?? .main
    return try tableExists(table.name, in: id.name)
  }

  /// Creates a virtual table. See ``create(virtualTable:options:using:)``.
  @_disfavoredOverload
  public func create(
    virtualTable name: String, ifNotExists: Bool = false, using module: String
  ) throws {
    try create(virtualTable: name, options: ifNotExists ? .ifNotExists : [], using: module)
  }

  /// Creates a virtual table. See ``create(virtualTable:options:using:_:)``.
  @_disfavoredOverload
  public func create<Module: VirtualTableModule>(
    virtualTable name: String, ifNotExists: Bool = false, using module: Module,
    _ body: ((Module.TableDefinition) throws -> Void)? = nil
  ) throws {
    try create(virtualTable: name, options: ifNotExists ? .ifNotExists : [], using: module, body)
  }
}
