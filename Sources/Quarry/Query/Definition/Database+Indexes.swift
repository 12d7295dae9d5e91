extension Database {
  /// Creates an index on columns.
  ///
  /// ```swift
  /// // CREATE UNIQUE INDEX "byIsbn" ON "book"("isbn") WHERE "isbn" IS NOT NULL
  /// try db.create(
  ///   index: "byIsbn", on: "book", columns: ["isbn"], options: .unique,
  ///   condition: Column("isbn") != nil)
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_createindex.html>.
  ///
  /// - parameter name: The name of the index.
  /// - parameter table: The table that is indexed.
  /// - parameter columns: The columns that are indexed.
  /// - parameter options: The options of the index.
  /// - parameter condition: The rows that are indexed, nil for all of them.
  /// - throws: A ``DatabaseError``, or an ``InvalidRequest``.
  public func create(
    index name: String, on table: String, columns: [String], options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    let terms = columns.map { SQLExpression(.column($0)) }
    try create(index: name, on: table, terms: terms, options, condition)
  }

  /// Creates an index on columns. See ``create(index:on:columns:options:condition:)``.
  @_disfavoredOverload
  public func create(
    index name: String, on table: String, columns: [String], unique: Bool = false,
    ifNotExists: Bool = false, condition: (any SQLExpressible)? = nil
  ) throws {
    let options: IndexOptions = [unique ? .unique : [], ifNotExists ? .ifNotExists : []]
    try create(index: name, on: table, columns: columns, options: options, condition: condition)
  }

  /// Creates an index on expressions.
  ///
  /// ```swift
  /// // CREATE INDEX "byTitle" ON "book"("title" COLLATE NOCASE)
  /// try db.create(
  ///   index: "byTitle", on: "book", expressions: [Column("title").collating(.nocase)])
  /// ```
  ///
  /// See <https://www.sqlite.org/expridx.html>.
  ///
  /// - parameter name: The name of the index.
  /// - parameter table: The table that is indexed.
  /// - parameter expressions: The expressions that are indexed.
  /// - parameter options: The options of the index.
  /// - parameter condition: The rows that are indexed, nil for all of them.
  /// - throws: A ``DatabaseError``, or an ``InvalidRequest``.
  public func create(
    index name: String, on table: String, expressions: [any SQLExpressible],
    options: IndexOptions = [], condition: (any SQLExpressible)? = nil
  ) throws {
    try create(
      index: name, on: table, terms: expressions.map { $0.sqlExpression }, options, condition)
  }

  /// Creates an index on columns, and makes its name.
  ///
  /// ```swift
  /// // CREATE INDEX "index_book_on_authorId_year" ON "book"("authorId", "year")
  /// try db.create(indexOn: "book", columns: ["authorId", "year"])
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_createindex.html>.
  ///
  /// - parameter table: The table that is indexed.
  /// - parameter columns: The columns that are indexed.
  /// - parameter options: The options of the index.
  /// - parameter condition: The rows that are indexed, nil for all of them.
  /// - throws: A ``DatabaseError``, or an ``InvalidRequest``.
  public func create(
    indexOn table: String, columns: [String], options: IndexOptions = [],
    condition: (any SQLExpressible)? = nil
  ) throws {
    let table = try DefinitionName(table, schema)
    let index = IndexModel(
      defaultOf: columns, of: table, options: options, condition: condition?.sqlExpression)
    try execute(sql: index.sql(schema))
  }

  /// Drops an index.
  ///
  /// ```swift
  /// // DROP INDEX "byIsbn"
  /// try db.drop(index: "byIsbn")
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func drop(index name: String) throws {
    try execute(sql: "DROP INDEX \(DefinitionName(name, schema).sql)")
  }

  /// Drops the index on columns, whatever its name.
  ///
  /// ```swift
  /// try db.drop(indexOn: "book", columns: ["authorId", "year"])
  /// ```
  ///
  /// Nothing happens if no index, or more than one, has exactly those columns in that order.
  ///
  /// - throws: A ``DatabaseError``.
  public func drop(indexOn table: String, columns: [String]) throws {
    let columns = columns.map(\.identifierKey)
    let matches = try indexes(on: table).filter { $0.columns.map(\.identifierKey) == columns }
    guard matches.count == 1 else { return }
    var name = try DefinitionName(table, schema).sibling(matches[0].name)
    // Another schema that SQLite looks in before may have an index of that name.
    let tableSchema = try schema.resolve(table).id.schemaID
    if tableSchema != .main, tableSchema != .temp { name.schema = tableSchema }
    try execute(sql: "DROP INDEX \(name.sql)")
  }

  /// Builds the indexes that use a collation again.
  ///
  /// ```swift
  /// // REINDEX NOCASE
  /// try db.reindex(collation: .nocase)
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_reindex.html>.
  ///
  /// - throws: A ``DatabaseError``.
  public func reindex(collation: Database.CollationName) throws {
    try execute(sql: "REINDEX \(collation.rawValue.plainUnlessKeyword)")
  }

  /// Builds the indexes that use a collation again. See `reindex(collation:)`.
  public func reindex(collation: DatabaseCollation) throws {
    try reindex(collation: CollationName(rawValue: collation.name))
  }

  private func create(
    index name: String, on table: String, terms: [SQLExpression], _ options: IndexOptions,
    _ condition: (any SQLExpressible)?
  ) throws {
    let table = try DefinitionName(table, schema)
    var name = try DefinitionName(name, schema)
    try name.move(toSchemaOf: table)
    let index = IndexModel(
      name: name, table: table, terms: terms, options: options,
      condition: condition?.sqlExpression)
    try execute(sql: index.sql(schema))
  }
}
