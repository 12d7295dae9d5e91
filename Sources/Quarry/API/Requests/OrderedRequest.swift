/// A request that orders its rows.
///
/// ```swift
/// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
/// Player.all().order(Column("score").desc, Column("name"))
/// ```
public protocol OrderedRequest {
  /// Replaces the ordering with one that is determined when the request is prepared.
  consuming func orderWhenConnected(
    _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
  ) -> Self

  /// Reverses the ordering. A request without order stays without.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" ASC, "name" DESC
  /// Player.all().order(Column("score").desc, Column("name")).reversed()
  /// ```
  consuming func reversed() -> Self

  /// Removes the ordering, associations included.
  consuming func unordered() -> Self

  /// Appends the primary key to the ordering, so that the order of rows is always the same.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "id"
  /// Player.all().order(Column("score").desc).withStableOrder()
  /// ```
  consuming func withStableOrder() -> Self

  /// Replaces the ordering. Not for applications.
  consuming func _order(by orderings: [SQLOrdering]) -> Self
}

extension OrderedRequest {
  /// See ``order(_:)-([SQLOrderingTerm])``.
  public consuming func _order(by orderings: [SQLOrdering]) -> Self {
    orderWhenConnected { _ in orderings }
  }

  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// Player.all().order([Column("score").desc, Column("name")])
  /// ```
  public consuming func order(_ orderings: [any SQLOrderingTerm]) -> Self {
    _order(by: orderings.map { $0.sqlOrdering })
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public consuming func order(sql: String, arguments: StatementArguments = StatementArguments())
    -> Self
  {
    order(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Replaces the ordering with SQL, which can't be reversed.
  public consuming func order(literal sqlLiteral: SQL) -> Self {
    _order(by: [sqlLiteral.sqlOrdering])
  }
}

extension OrderedRequest where Self: TypedRequest, RowDecoder: TableRecord {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC
  /// Player.all().order { $0.score.desc }
  /// ```
  public consuming func order(
    _ ordering: (DatabaseComponents) throws -> any SQLOrderingTerm
  ) rethrows -> Self { try _order(by: [ordering(RowDecoder.databaseComponents).sqlOrdering]) }
}
