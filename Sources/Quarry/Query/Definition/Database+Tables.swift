extension Database {
  /// Creates a table.
  ///
  /// ```swift
  /// try db.create(table: "book") { t in
  ///   t.autoIncrementedPrimaryKey("id")
  ///   t.column("title", .text).notNull()
  ///   t.belongsTo("author", onDelete: .cascade).notNull()
  /// }
  /// ```
  ///
  /// The name may begin with that of an attached database, here and in the other definitions:
  /// `archive.book`.
  ///
  /// See <https://www.sqlite.org/lang_createtable.html>.
  ///
  /// - parameter name: The name of the table.
  /// - parameter options: The options of the table.
  /// - parameter body: Defines the columns and constraints.
  /// - throws: A ``DatabaseError`` for SQLite's own errors and unknown referenced tables, an
  ///   ``InvalidRequest`` for an invalid definition, and the error of `body`.
  public func create(
    table name: String, options: TableOptions = [], body: (TableDefinition) throws -> Void
  ) throws { try run(TableDefinition(name: name, options: options, body: body).statements(schema)) }

  /// Creates a table. See ``create(table:options:body:)``.
  @_disfavoredOverload
  public func create(
    table name: String, temporary: Bool = false, ifNotExists: Bool = false,
    withoutRowID: Bool = false, body: (TableDefinition) throws -> Void
  ) throws {
    let options: TableOptions = [
      temporary ? .temporary : [], ifNotExists ? .ifNotExists : [],
      withoutRowID ? .withoutRowID : [],
    ]
    try create(table: name, options: options, body: body)
  }

  /// Changes the columns of a table.
  ///
  /// ```swift
  /// try db.alter(table: "book") { t in
  ///   // ALTER TABLE "book" ADD COLUMN "pages" INTEGER
  ///   t.add(column: "pages", .integer)
  /// }
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_altertable.html>.
  ///
  /// - parameter name: The name of the table.
  /// - parameter body: Defines the changes.
  /// - throws: A ``DatabaseError``.
  public func alter(table name: String, body: (TableAlteration) -> Void) throws {
    let alteration = TableAlteration()
    body(alteration)
    let resolver = try AlterationResolver(
      table: DefinitionName(name, schema), changes: alteration.changes, schema: schema)
    try run(resolver.statements())
  }

  /// Drops a table.
  ///
  /// ```swift
  /// // DROP TABLE "book"
  /// try db.drop(table: "book")
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func drop(table name: String) throws {
    try execute(sql: "DROP TABLE \(DefinitionName(name, schema).sql)")
  }

  /// Runs all statements, or none when one of them fails.
  private func run(_ statements: [String]) throws {
    guard statements.count > 1 else {
      if let sql = statements.first { try execute(sql: sql) }
      return
    }
    try inSavepoint {
      try execute(sql: statements.joined(separator: "; "))
      return .commit
    }
  }
}
