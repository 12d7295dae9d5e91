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
  public var noOverwrite: ColumnAssignment {
    ColumnAssignment(columnName: name, value: nil)
  }

  /// The assignment of the sum of the column and a value.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" + ?
  /// try Player.updateAll(db, Column("score") += 1)
  /// ```
  public static func += (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column + value)
  }

  /// The assignment of the difference of the column and a value.
  public static func -= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column - value)
  }

  /// The assignment of the product of the column and a value.
  public static func *= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column * value)
  }

  /// The assignment of the quotient of the column and a value.
  public static func /= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column / value)
  }

  /// The assignment of the bits that are set in the column and in a value.
  public static func &= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column & value)
  }

  /// The assignment of the bits that are set in the column or in a value.
  public static func |= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column | value)
  }

  /// The assignment of the column, shifted to the left.
  public static func <<= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column << value)
  }

  /// The assignment of the column, shifted to the right.
  public static func >>= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column >> value)
  }
}
