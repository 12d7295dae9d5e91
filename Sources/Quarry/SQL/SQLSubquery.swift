/// A request in the place of an expression, or of the body of a table expression or view.
///
/// ```swift
/// // SELECT * FROM "player" WHERE "score" = (SELECT MAX("score") FROM "player")
/// Player.filter(Column("score") == Player.select(max(Column("score"))))
/// ```
public struct SQLSubquery: Sendable {
  let node: Node

  init(_ node: Node) {
    self.node = node
  }

  indirect enum Node: Sendable {
    case relation(Relation)
    case compound(Compound)
    case literal(SQL)
  }
}
