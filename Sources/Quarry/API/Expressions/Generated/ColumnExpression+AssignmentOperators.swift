// Written by Scripts/generate, from operators.txt: change that file.

extension ColumnExpression {
  /// The assignment of `column * value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" * ?
  /// try Player.updateAll(db, Column("score") *= 2)
  /// ```
  public static func *= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column * value)
  }

  /// The assignment of `column / value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" / ?
  /// try Player.updateAll(db, Column("score") /= 2)
  /// ```
  public static func /= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column / value)
  }

  /// The assignment of `column + value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" + ?
  /// try Player.updateAll(db, Column("score") += 2)
  /// ```
  public static func += (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column + value)
  }

  /// The assignment of `column - value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" - ?
  /// try Player.updateAll(db, Column("score") -= 2)
  /// ```
  public static func -= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column - value)
  }

  /// The assignment of `column & value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" & ?
  /// try Player.updateAll(db, Column("score") &= 2)
  /// ```
  public static func &= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column & value)
  }

  /// The assignment of `column | value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" | ?
  /// try Player.updateAll(db, Column("score") |= 2)
  /// ```
  public static func |= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column | value)
  }

  /// The assignment of `column << value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" << ?
  /// try Player.updateAll(db, Column("score") <<= 2)
  /// ```
  public static func <<= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column << value)
  }

  /// The assignment of `column >> value`.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" >> ?
  /// try Player.updateAll(db, Column("score") >>= 2)
  /// ```
  public static func >>= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    column.set(to: column >> value)
  }
}
