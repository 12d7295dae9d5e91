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
public struct CommonTableExpression<RowDecoder>: _TableSource {
  var definition: TableExpression

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
  /// - parameter tableName: The name of the table expression.
  /// - parameter request: The request whose rows it has.
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

extension CommonTableExpression {
  /// Creates a recursive common table expression from a request that selects from it.
  ///
  /// The request is a union of the initial rows, and of the rows derived from the previous ones.
  ///
  /// ```swift
  /// // WITH RECURSIVE "boss" AS (
  /// //   SELECT * FROM "employee" WHERE "id" = ?
  /// //   UNION
  /// //   SELECT "employee".* FROM "employee" JOIN "boss" ON "employee"."id" = "boss"."managerId")
  /// // SELECT * FROM "boss"
  /// let boss = CommonTableExpression<Employee>(named: "boss") { boss in
  ///   let above = Employee.association(to: boss) { employee, boss in
  ///     employee[Column("id")] == boss[Column("managerId")]
  ///   }
  ///   return Employee.filter(key: 1).union(Employee.joining(required: above))
  /// }
  /// let employees = try boss.all().with(boss).fetchAll(db)
  /// ```
  ///
  /// Fetching throws ``InvalidRequest`` when the request is not a union, or does not select from
  /// the table expression.
  ///
  /// - parameter tableName: The name of the table expression.
  /// - parameter columns: the names of the columns, if they differ from those of the request.
  /// - parameter recursion: returns the request, given the common table expression that it defines.
  public init(
    named tableName: String, columns: [String]? = nil,
    recursion: (_ recursion: CommonTableExpression<RowDecoder>) throws -> some SQLSubqueryable
  ) rethrows {
    definition = TableExpression(
      name: tableName, columns: columns, body: nil, isRecursive: true)
    definition.body = try recursion(self).sqlSubquery
  }

  /// Adds a hint that SQLite computes the rows once, or, with `false`, that it treats the query
  /// like a subquery.
  ///
  /// ```swift
  /// // WITH "recent" AS MATERIALIZED (SELECT …)
  /// recent.materialized()
  ///
  /// // WITH "recent" AS NOT MATERIALIZED (SELECT …)
  /// recent.materialized(false)
  /// ```
  ///
  /// See <https://www.sqlite.org/lang_with.html#materialization_hints>.
  public func materialized(_ isMaterialized: Bool = true) -> Self {
    var expression = self
    expression.definition.isMaterialized = isMaterialized
    return expression
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

  /// Whether a value is a row of the common table expression, which must have one column.
  ///
  /// ```swift
  /// // WITH "recentId" AS (SELECT …) SELECT * FROM "book" WHERE "id" IN "recentId"
  /// Book.all().with(recentId).filter(recentId.contains(Column("id")))
  /// ```
  public func contains(_ element: some SQLExpressible) -> SQLExpression {
    SQLExpression(.membership(element.sqlExpression, in: .table(tableName), isNegated: false))
  }
}
