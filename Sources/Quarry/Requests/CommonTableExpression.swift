/// A named query, which other queries use like a table.
///
/// ```swift
/// // WITH "recent" AS (SELECT * FROM "book" WHERE "year" > ?)
/// // SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM "recent")
/// let recent = CommonTableExpression(
///   named: "recent",
///   request: Book.filter(Column("year") > 2000))
/// let authors = try Author
///   .with(recent)
///   .filter(recent.all().select(Column("authorId")).contains(Column("id")))
///   .fetchAll(db)
/// ```
///
/// See <https://www.sqlite.org/lang_with.html>.
public struct CommonTableExpression<RowDecoder>: Sendable {
  let definition: TableExpression

  /// The name of the table.
  public var tableName: String { definition.name }

  /// Creates a common table expression from a request.
  ///
  /// ```swift
  /// // "recent"("id", "title") AS (SELECT "id", "title" FROM "book" WHERE "year" > ?)
  /// CommonTableExpression<Void>(
  ///   named: "recent",
  ///   columns: ["id", "title"],
  ///   request: Book.select(Column("id"), Column("title")).filter(Column("year") > 2000))
  /// ```
  ///
  /// - parameter recursive: true if the request refers to the common table expression itself.
  /// - parameter columns: the names of the columns, if they differ from those of the request.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    request: some SQLSubqueryable
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: request.sqlSubquery, isRecursive: recursive)
  }

  /// Creates a common table expression from SQL and the arguments of its parameters.
  ///
  /// ```swift
  /// // "counter"("x") AS (VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < ?)
  /// CommonTableExpression<Int>(
  ///   recursive: true,
  ///   named: "counter",
  ///   columns: ["x"],
  ///   sql: "VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < ?",
  ///   arguments: [10])
  /// ```
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil, sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: recursive, named: tableName, columns: columns,
      literal: SQL(sql: sql, arguments: arguments))
  }

  /// Creates a common table expression from SQL.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    literal sqlLiteral: SQL
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: SQLSubquery(.literal(sqlLiteral)),
      isRecursive: recursive)
  }
}

extension CommonTableExpression where RowDecoder == Row {
  /// See ``init(recursive:named:columns:request:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    request: some SQLSubqueryable
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: request.sqlSubquery, isRecursive: recursive)
  }

  /// See ``init(recursive:named:columns:sql:arguments:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil, sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: recursive, named: tableName, columns: columns,
      literal: SQL(sql: sql, arguments: arguments))
  }

  /// See ``init(recursive:named:columns:literal:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    literal sqlLiteral: SQL
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: SQLSubquery(.literal(sqlLiteral)),
      isRecursive: recursive)
  }
}

extension CommonTableExpression {
  /// All rows. The request needs the definition too: see ``DerivableRequest/with(_:)``.
  ///
  /// ```swift
  /// // WITH "recent" AS (SELECT …) SELECT * FROM "recent"
  /// recent.all().with(recent)
  /// ```
  public func all() -> QueryInterfaceRequest<RowDecoder> {
    QueryInterfaceRequest(
      relation: Relation(
        source: .tableExpression(definition),
        selection: [.items([SQLSelection(.allColumns)])]))
  }

  /// True if an element is a row of the common table expression, which has one column.
  ///
  /// ```swift
  /// // WITH "recentId" AS (SELECT …) SELECT * FROM "book" WHERE "id" IN "recentId"
  /// Book.all().with(recentId).filter(recentId.contains(Column("id")))
  /// ```
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(.membership(element.sqlExpression, in: .table(tableName), isNegated: false))
  }
}
