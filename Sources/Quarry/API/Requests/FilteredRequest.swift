/// A request that can filter its rows.
///
/// ```swift
/// // SELECT * FROM "player" WHERE ("score" > ?) AND ("team" = ?)
/// Player.all().filter(Column("score") > 1000).filter(Column("team") == "Red")
/// ```
public protocol FilteredRequest {
  /// Adds a condition that is determined when the request is prepared.
  consuming func filterWhenConnected(
    _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
  ) -> Self

  /// Adds a condition. Not for applications.
  consuming func _filter(_ predicate: SQLExpression) -> Self
}

extension FilteredRequest {
  /// See ``filter(_:)-(SQLSpecificExpressible)``.
  public consuming func _filter(_ predicate: SQLExpression) -> Self {
    filterWhenConnected { _ in predicate }
  }

  /// Adds a condition. All conditions of a request must be true.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.all().filter(Column("score") > 1000)
  /// ```
  public consuming func filter(_ predicate: any SQLSpecificExpressible) -> Self {
    _filter(predicate.sqlExpression)
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.all().filter(sql: "score > ?", arguments: [1000])
  /// ```
  public consuming func filter(sql: String, arguments: StatementArguments = StatementArguments())
    -> Self
  {
    filter(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Adds a condition in SQL.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE score > ?
  /// Player.all().filter(literal: "score > \(minimum)")
  /// ```
  public consuming func filter(literal sqlLiteral: SQL) -> Self {
    _filter(sqlLiteral.sqlExpression)
  }

  /// A request without any row.
  public consuming func none() -> Self { _filter(SQLExpression(false.databaseValue)) }

  /// The request itself.
  public consuming func all() -> Self { self }
}

extension FilteredRequest where Self: TypedRequest, RowDecoder: TableRecord {
  // Disfavored: the compiler tries the overload of typed columns first, if there is one.
  /// Adds a condition.
  ///
  /// ```swift
  /// // SELECT * FROM "player" WHERE "score" > ?
  /// Player.all().filter { $0.score > 1000 }
  /// ```
  @_disfavoredOverload
  public consuming func filter(
    _ predicate: (DatabaseComponents) throws -> any SQLSpecificExpressible
  ) rethrows -> Self { try _filter(predicate(RowDecoder.databaseComponents).sqlExpression) }
}
