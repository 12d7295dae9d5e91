extension Database {
  /// Creates a view of the rows of a request.
  ///
  /// ```swift
  /// // CREATE VIEW "recentBook" AS SELECT * FROM "book" WHERE "year" > 2000
  /// try db.create(view: "recentBook", as: Book.filter(Column("year") > 2000))
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_createview.html>.
  ///
  /// - parameter name: The name of the view.
  /// - parameter options: The options of the view.
  /// - parameter columns: The names of the columns. Nil if the request names them.
  /// - parameter subquery: A request.
  /// - throws: A ``DatabaseError``, or an ``InvalidRequest``.
  public func create(
    view name: String, options: ViewOptions = [], columns: [String]? = nil,
    as subquery: any SQLSubqueryable
  ) throws {
    let body = try SQLWriter.literalSQL(subquery: subquery.sqlSubquery, schema: schema)
    try createView(name, options: options, columns: columns, body: body)
  }

  /// Creates a view of the rows of an SQL query.
  ///
  /// ```swift
  /// // CREATE VIEW "recentBook" AS SELECT * FROM book WHERE year > 2000
  /// try db.create(view: "recentBook", asLiteral: "SELECT * FROM book WHERE year > \(2000)")
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_createview.html>.
  ///
  /// - parameter name: The name of the view.
  /// - parameter options: The options of the view.
  /// - parameter columns: The names of the columns. Nil if the query names them.
  /// - parameter sqlLiteral: A query.
  /// - throws: A ``DatabaseError``, or an ``InvalidRequest``.
  public func create(
    view name: String, options: ViewOptions = [], columns: [String]? = nil,
    asLiteral sqlLiteral: SQL
  ) throws {
    let body = try sqlLiteral.text(schema)
    try createView(name, options: options, columns: columns, body: body)
  }

  /// Drops a view.
  ///
  /// ```swift
  /// // DROP VIEW "recentBook"
  /// try db.drop(view: "recentBook")
  /// ```
  ///
  /// - throws: A ``DatabaseError``.
  public func drop(view name: String) throws {
    try execute(sql: "DROP VIEW \(DefinitionName(name, schema).sql)")
  }

  private func createView(
    _ name: String, options: ViewOptions, columns: [String]?, body: String
  ) throws {
    let creation = try DefinitionName(name, schema).creation(
      of: "VIEW", isTemporary: options.contains(.temporary),
      ifNotExists: options.contains(.ifNotExists))
    let list = columns.map { " (\($0.quotedDatabaseIdentifiers))" } ?? ""
    try execute(sql: "\(creation)\(list) AS \(body)")
  }
}
