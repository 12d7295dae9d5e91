/// The assignment of a value to a column, in an update.
///
/// ```swift
/// // UPDATE "player" SET "score" = ?, "bonus" = "bonus" + ?
/// try Player.updateAll(db, Column("score").set(to: 0), Column("bonus") += 10)
/// ```
public struct ColumnAssignment: Sendable {
  package let columnName: String

  /// Nil leaves the column as it is: upserts don't overwrite it.
  package let value: SQLExpression?
}
