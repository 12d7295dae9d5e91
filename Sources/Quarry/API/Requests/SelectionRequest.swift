/// A request whose selection can change.
///
/// ```swift
/// // SELECT "name", "score" FROM "player"
/// Player.all().select(Column("name"), Column("score"))
///
/// // SELECT *, "score" + "bonus" AS "total" FROM "player"
/// Player.all().annotated(with: (Column("score") + Column("bonus")).forKey("total"))
/// ```
public protocol SelectionRequest {
  /// Replaces the selection with one that is determined when the request is prepared.
  consuming func selectWhenConnected(
    _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Self

  /// Appends a selection that is determined when the request is prepared.
  consuming func annotatedWhenConnected(
    with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Self

  /// Replaces the selection. Not for applications.
  consuming func _select(_ selection: [SQLSelection]) -> Self

  /// Appends to the selection. Not for applications.
  consuming func _annotate(with selection: [SQLSelection]) -> Self
}

extension SelectionRequest {
  /// See ``select(_:)-([SQLSelectable])``.
  public consuming func _select(_ selection: [SQLSelection]) -> Self {
    selectWhenConnected { _ in selection }
  }

  /// See ``annotated(with:)-([SQLSelectable])``.
  public consuming func _annotate(with selection: [SQLSelection]) -> Self {
    annotatedWhenConnected { _ in selection }
  }

  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// Player.all().select([Column("id"), Column("score")])
  /// ```
  public consuming func select(_ selection: [any SQLSelectable]) -> Self {
    _select(selection.map { $0.sqlSelection })
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// Player.all().select(sql: "id, score + ?", arguments: [10])
  /// ```
  public consuming func select(sql: String, arguments: StatementArguments = StatementArguments())
    -> Self
  {
    select(literal: SQL(sql: sql, arguments: arguments))
  }

  /// Replaces the selection with SQL.
  ///
  /// ```swift
  /// // SELECT id, score + ? FROM "player"
  /// Player.all().select(literal: "id, score + \(bonus)")
  /// ```
  public consuming func select(literal sqlLiteral: SQL) -> Self {
    _select([sqlLiteral.sqlSelection])
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.all().annotated(with: [(Column("score") + Column("bonus")).forKey("total")])
  /// ```
  public consuming func annotated(with selection: [any SQLSelectable]) -> Self {
    _annotate(with: selection.map { $0.sqlSelection })
  }
}

extension SelectionRequest where Self: TypedRequest, RowDecoder: TableRecord {
  // Disfavored: the compiler tries the overload of typed columns first, if there is one.
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// Player.all().select { $0.score }
  /// ```
  @_disfavoredOverload
  public consuming func select(
    _ selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> Self { try _select([selection(RowDecoder.databaseComponents).sqlSelection]) }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.all().annotated { ($0.score + $0.bonus).forKey("total") }
  /// ```
  public consuming func annotated(
    with selection: (DatabaseComponents) throws -> any SQLSelectable
  ) rethrows -> Self {
    try _annotate(with: [selection(RowDecoder.databaseComponents).sqlSelection])
  }
}
