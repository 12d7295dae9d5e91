extension ColumnExpression {
  /// The assignment of a value, or of `NULL`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try Player.updateAll(db, Column("score").set(to: 0))
  /// ```
  public func set(to value: (any SQLExpressible)?) -> ColumnAssignment {
    ColumnAssignment(columnName: name, value: SQLExpression(nullable: value))
  }

  /// Leaves the column as it is, in an upsert.
  public var noOverwrite: ColumnAssignment { ColumnAssignment(columnName: name, value: nil) }
}
