/// Builds ``SQL`` and ``SQLRequest`` from string interpolation.
///
/// | interpolated | SQL |
/// | --- | --- |
/// | a value, as in `\(name)` | `?` |
/// | nil | `NULL` |
/// | a column or an expression | its SQL: `"score" + ?` |
/// | `\([1, 2, 3])` | `(?,?,?)` |
/// | a type of records, a table | `"player"` |
/// | `\(columnsOf: Player.self)` | `"player".*` |
/// | `\(identifier: "a b")` | `"a b"` |
/// | a request | `SELECT …`, without parentheses |
/// | a common table expression | `"name"` |
/// | `\(definitionFor: cte)` | `"name" AS (SELECT …)` |
/// | `\(sql: "…", arguments: […])` | the text |
/// | other SQL | itself: a comment in it ends with it |
public struct SQLInterpolation: StringInterpolationProtocol {
  var sql = SQL(elements: [])

  /// Creates an empty interpolation.
  public init(literalCapacity: Int, interpolationCount: Int) {
    sql.reserveCapacity(2 * interpolationCount + 1)
  }

  /// Appends text.
  public mutating func appendLiteral(_ literal: String) {
    guard !literal.isEmpty else { return }
    sql.append(.raw(literal, []))
  }

  /// Appends text, as is, with the arguments of its parameters.
  ///
  /// ```swift
  /// // SELECT * FROM player ORDER BY score DESC
  /// let request: SQLRequest<Player> = "SELECT * FROM player ORDER BY \(sql: order)"
  /// ```
  public mutating func appendInterpolation(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) { self.sql.append(.raw(sql, arguments)) }

  /// Appends SQL.
  public mutating func appendInterpolation(_ sqlLiteral: SQL) { sql.append(piece: sqlLiteral) }

  /// Appends SQL.
  public mutating func appendInterpolation(literal sqlLiteral: SQL) {
    sql.append(piece: sqlLiteral)
  }

  /// Appends a string as a value: `?`.
  public mutating func appendInterpolation<S: StringProtocol>(_ string: S) {
    sql.append(.expression(SQLExpression(String(string).databaseValue)))
  }

  /// Appends a string as a value: `?`. Strings are sequences too, which are lists.
  public mutating func appendInterpolation(_ string: String) {
    sql.append(.expression(SQLExpression(string.databaseValue)))
  }

  /// Appends a string as a value: `?`.
  public mutating func appendInterpolation(_ string: Substring) {
    appendInterpolation(String(string))
  }

  /// Appends a quoted name.
  ///
  /// ```swift
  /// // SELECT "first name" FROM player
  /// let query: SQL = "SELECT \(identifier: "first name") FROM player"
  /// ```
  public mutating func appendInterpolation(identifier: String) {
    sql.append(.identifier(identifier))
  }

  mutating func append(table name: String) { sql.append(.table(name, schema: nil)) }
}

extension SQLInterpolation {
  /// Appends a selection.
  public mutating func appendInterpolation(_ selection: some SQLSelectable) {
    sql.append(selection.sqlSelection)
  }

  /// Appends a selection, or `NULL`.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ selection: (any SQLSelectable)?) {
    if let selection { sql.append(selection.sqlSelection) } else { sql.append(.null) }
  }

  /// Appends an ordering.
  public mutating func appendInterpolation(_ ordering: some SQLOrderingTerm) {
    sql.append(ordering.sqlOrdering)
  }

  /// Appends an expression.
  ///
  /// ```swift
  /// // SELECT MAX("score") FROM player
  /// let query: SQL = "SELECT \(max(Column("score"))) FROM player"
  /// ```
  public mutating func appendInterpolation(
    _ expression: some SQLExpressible & SQLSelectable & SQLOrderingTerm
  ) { sql.append(expression.sqlExpression) }

  /// Appends an expression, or `NULL`. A value is an argument of the statement.
  @_disfavoredOverload
  public mutating func appendInterpolation(_ expression: (any SQLExpressible)?) {
    sql.append(SQLExpression(nullable: expression))
  }

  /// Appends a quoted column name.
  public mutating func appendInterpolation(_ codingKey: some CodingKey) {
    sql.append(.identifier(codingKey.stringValue))
  }

  /// Appends an expression.
  public mutating func appendInterpolation(
    _ expression: some CodingKey & SQLExpressible & SQLSelectable & SQLOrderingTerm
  ) { sql.append(expression.sqlExpression) }

  /// Appends a subquery, without parentheses.
  ///
  /// ```swift
  /// // SELECT * FROM book WHERE authorId IN (SELECT "id" FROM "author")
  /// let query: SQL = "SELECT * FROM book WHERE authorId IN (\(Author.select(Column("id"))))"
  /// ```
  public mutating func appendInterpolation(
    _ subquery: some SQLSubqueryable & SQLExpressible & SQLSelectable & SQLOrderingTerm
  ) { sql.append(.subquery(subquery.sqlSubquery)) }
}

extension SQLInterpolation {
  /// Appends a list of values or expressions, in parentheses.
  ///
  /// ```swift
  /// // SELECT * FROM player WHERE id IN (?,?,?)
  /// let request: SQLRequest<Player> = "SELECT * FROM player WHERE id IN \([1, 2, 3])"
  /// ```
  public mutating func appendInterpolation(_ sequence: some Sequence<some SQLExpressible>) {
    sql.append(.list(sequence.map { $0.sqlExpression }))
  }

  /// Appends a list of values or expressions, in parentheses.
  public mutating func appendInterpolation(_ sequence: some Sequence<any SQLExpressible>) {
    sql.append(.list(sequence.map { $0.sqlExpression }))
  }

  /// Appends no list of values, since the range has no end: the SQL throws when it is prepared.
  public mutating func appendInterpolation<Bound>(_ range: PartialRangeFrom<Bound>)
  where Bound: SQLExpressible & Strideable, Bound.Stride: SignedInteger {
    sql.append(
      SQLExpression(
        .invalid(
          InvalidRequest(
            "A range without end is no list of values: \(range.lowerBound)... To fix this error, "
              + "compare with its lower bound."))))
  }

  /// Appends a value which is also a sequence, as a value.
  public mutating func appendInterpolation<S>(_ expression: S)
  where S: SQLExpressible, S: Sequence, S.Element: SQLExpressible {
    sql.append(expression.sqlExpression)
  }
}
