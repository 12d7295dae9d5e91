/// A request that can group its rows and filter the groups.
///
/// ```swift
/// // SELECT "team", MAX("score") FROM "player" GROUP BY "team" HAVING MAX("score") > ?
/// Player.all()
///   .select(Column("team"), max(Column("score")))
///   .group(Column("team"))
///   .having(max(Column("score")) > 1000)
/// ```
public protocol AggregatingRequest {
  /// Replaces the grouping with one that is determined when the request is prepared.
  consuming func groupWhenConnected(
    _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
  ) -> Self

  /// Adds a condition on groups that is determined when the request is prepared.
  consuming func havingWhenConnected(
    _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
  ) -> Self

  /// Replaces the grouping. Not for applications.
  consuming func _group(by expressions: [SQLExpression]) -> Self

  /// Adds a condition on groups. Not for applications.
  consuming func _having(_ predicate: SQLExpression) -> Self
}

extension AggregatingRequest {
  /// See ``group(_:)-([SQLExpressible])``.
  public consuming func _group(by expressions: [SQLExpression]) -> Self {
    groupWhenConnected { _ in expressions }
  }

  /// See ``having(_:)-(SQLExpressible)``.
  public consuming func _having(_ predicate: SQLExpression) -> Self {
    havingWhenConnected { _ in predicate }
  }

  /// Replaces the grouping.
  ///
  /// ```swift
  /// // SELECT "team", COUNT("id") FROM "player" GROUP BY "team"
  /// Player.all().select(Column("team"), count(Column("id"))).group([Column("team")])
  /// ```
  public consuming func group(_ expressions: [any SQLExpressible]) -> Self {
    _group(by: expressions.map { $0.sqlExpression })
  }

  /// Replaces the grouping with SQL.
  public consuming func group(sql: String, arguments: StatementArguments = StatementArguments())
    -> Self
  {
    group(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Replaces the grouping with SQL.
  public consuming func group(literal sqlLiteral: SQL) -> Self {
    _group(by: [sqlLiteral.sqlExpression])
  }

  /// Adds a condition on groups. All conditions must be true.
  ///
  /// ```swift
  /// // SELECT "team", MAX("score") FROM "player" GROUP BY "team" HAVING MAX("score") > ?
  /// Player.all()
  ///   .select(Column("team"), max(Column("score")))
  ///   .group(Column("team"))
  ///   .having(max(Column("score")) > 1000)
  /// ```
  public consuming func having(_ predicate: any SQLExpressible) -> Self {
    _having(predicate.sqlExpression)
  }

  /// Adds a condition on groups, in SQL.
  public consuming func having(sql: String, arguments: StatementArguments = StatementArguments())
    -> Self
  {
    having(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Adds a condition on groups, in SQL.
  public consuming func having(literal sqlLiteral: SQL) -> Self {
    _having(sqlLiteral.sqlExpression)
  }
}

extension AggregatingRequest where Self: TypedRequest, RowDecoder: TableRecord {
  /// Replaces the grouping.
  ///
  /// ```swift
  /// // SELECT … FROM "player" GROUP BY "team"
  /// Player.all().group { $0.team }
  /// ```
  public consuming func group(
    _ expression: (DatabaseComponents) throws -> any SQLExpressible
  ) rethrows -> Self { try _group(by: [expression(RowDecoder.databaseComponents).sqlExpression]) }

  // Disfavored: the compiler tries the overload of typed columns first, if there is one.
  /// See ``having(_:)-(SQLExpressible)``.
  @_disfavoredOverload
  public consuming func having(
    _ predicate: (DatabaseComponents) throws -> any SQLExpressible
  ) rethrows -> Self { try _having(predicate(RowDecoder.databaseComponents).sqlExpression) }
}
