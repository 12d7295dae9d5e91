/// A term of an `ORDER BY` clause.
///
/// ```swift
/// // ORDER BY "score" DESC
/// Player.order(Column("score").desc)
/// ```
///
/// See <https://www.sqlite.org/syntax/ordering-term.html>.
public struct SQLOrdering: Sendable {
  package let node: Node

  package init(_ node: Node) { self.node = node }

  package enum Node: Sendable {
    case expression(SQLExpression, Direction)
    /// Raw SQL, which can't be reversed.
    case literal(SQL)
    /// The columns of the primary key of the current source, or `1, 2, …` for a source without key.
    case primaryKey(Direction)
    /// Columns of the current source that the schema has: planning puts them in the place of the
    /// primary key.
    case columns([String], Direction)
  }

  package enum Direction: UInt8, Sendable {
    case unspecified, ascending, descending, ascendingNullsLast, descendingNullsFirst

    package var reversed: Direction {
      switch self {
      case .unspecified, .ascending: .descending
      case .descending: .ascending
      case .ascendingNullsLast: .descendingNullsFirst
      case .descendingNullsFirst: .ascendingNullsLast
      }
    }
  }
}
