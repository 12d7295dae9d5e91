/// A request in SQL.
///
/// ```swift
/// let request: SQLRequest<Player> = "SELECT * FROM player WHERE name = \(name)"
/// let players = try request.fetchAll(db)
/// ```
///
/// Interpolated values become arguments of the statement. See ``SQLInterpolation``.
public struct SQLRequest<RowDecoder>: FetchRequest {
  /// Shows the columns of the SQL to decoders.
  public var adapter: (any RowAdapter)?

  let literal: SQL

  /// Creates a request from SQL and the arguments of its parameters.
  ///
  /// ```swift
  /// let request = SQLRequest<String>(sql: "SELECT name FROM player WHERE id = ?", arguments: [1])
  /// ```
  ///
  /// - parameter sql: The SQL of the query.
  /// - parameter arguments: The arguments of the SQL.
  /// - parameter adapter: The adapter of the rows.
  /// - parameter cached: statements are cached in any case.
  public init(
    sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) { self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached) }

  /// Creates a request from SQL.
  ///
  /// ```swift
  /// let request = SQLRequest<String>(literal: "SELECT name FROM player WHERE id = \(id)")
  /// ```
  ///
  /// - parameter sqlLiteral: The SQL, with interpolated values.
  /// - parameter adapter: The adapter of the rows.
  /// - parameter cached: statements are cached in any case.
  public init(literal sqlLiteral: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false) {
    literal = sqlLiteral
    self.adapter = adapter
  }

  /// The subquery.
  public var sqlSubquery: SQLSubquery { SQLSubquery(.literal(literal)) }

  /// The number of rows.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM (SELECT name FROM player)
  /// let count = try SQLRequest<String>(sql: "SELECT name FROM player").fetchCount(db)
  /// ```
  public func fetchCount(_ db: Database) throws -> Int {
    try db.fetchInt("SELECT COUNT(*) FROM (\(self))")
  }

  /// Prepares a statement. The SQL is not modified, but that a comment without end gets one.
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest {
    let text = try db.planned { try SQLWriter.write(literal: literal, in: $0) }
    let statement = try db.internalStatement(text)
    try db.guardPlan(of: statement)
    return PreparedRequest(statement: statement, adapter: adapter.shared)
  }
}
